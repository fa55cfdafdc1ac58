import { newKey } from '../api/idempotency.ts'

/** Values and their origin that another room passes to the form of a new prospect. */
export type RowSource = {
  /** Place within a sentence: "row 12 of contacts.csv". */
  place: string
  /** Label of the source, the same for all rows of a file, by which its prospects are found. */
  label: string
  /** Source reference of the observation. */
  reference: string
  observation: string
}
export type RowPrefill = {
  source: RowSource
  /** Whether the preview marked the row as do not contact; null if it could not check the row. */
  doNotContact: boolean | null
  /** What the file says about do not contact; null if it says nothing. */
  said: 'yes' | 'no' | 'unclear' | null
  /** Text of a note of the row; blank without one. */
  note: string
  /** The contact person of the row; null without one. */
  person: { name: string; role: string } | null
  /** Follow-up of the prospect (2026-12-01), set after it is created. */
  followUpOn?: string
  /** `thisPage` of the page load that has the file. After a reload the row no longer exists. */
  page: string
  /** Values by field of the form, which validates them. */
  values: Record<string, unknown>
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Initial values for the form of a new prospect. */
    prefill?: RowPrefill
  }
}

/** Id of this page load. */
export const thisPage = newKey()

/** Body of the observation created from a row. It is operator-supplied, with its source, and never counts as a verification. */
export function rowEvidence(source: RowSource, confidence: 'low' | 'medium' | 'high', capturedAt: string) {
  return {
    observation: source.observation,
    sourceLabel: source.label,
    sourceReference: source.reference,
    capturedAt,
    confidence,
  }
}
