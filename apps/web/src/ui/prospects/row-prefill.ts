import { newKey } from '../api/idempotency.ts'

/** What one room hands to the form of a new prospect: values to begin with, and where they come from. */
export type RowSource = {
  /** "row 12 of contacts.csv", for sentences */
  place: string
  /** Kept with the observation. */
  reference: string
  observation: string
}
export type RowPrefill = {
  source: RowSource
  /** `thisPage` of the load that holds the file: after a reload the row is gone. */
  page: string
  /** In the shape of the form; read leniently there. */
  values: Record<string, unknown>
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The form of a new prospect begins with this. */
    prefill?: RowPrefill
  }
}

/** Identifies this load of the page. */
export const thisPage = newKey()

/** The body of the observation that a row becomes. Operator-supplied, with its source; never a verification. */
export function rowEvidence(source: RowSource, confidence: 'low' | 'medium' | 'high', capturedAt: string) {
  return {
    observation: source.observation,
    sourceLabel: 'CSV file',
    sourceReference: source.reference,
    capturedAt,
    confidence,
  }
}
