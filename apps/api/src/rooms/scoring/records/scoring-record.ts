import { type FactField, factFields, type SignalValues } from '../../businesses/businesses.pure.ts'

/*
 * A prospect as scoring rules read it: the record, and a summary of the evidence, interactions and match suggestions of the record and of all records
 * merged into it. Contains no contact values.
 */

/**
 * Maximum number of evidence and interaction rows that scoring reads per record. If a record has more, only the newest are read and the evidence
 * state is `partial`.
 */
export const readLimits = { claimsPerField: 200, interactions: 200, restsOn: 5 } as const

/** One piece of evidence on which a decision is based. `isOfBlocked`: the record of the evidence is itself do not contact. */
export type Rest = { evidenceId: string; source: string; capturedAt: number; agrees: boolean; isOfBlocked: boolean }

/** Summary of the evidence about one field. Superseded observations are not counted. */
export type FieldEvidence = {
  /** number of claims about the field, including those for values that the record does not state and those of blocked records */
  claims: number
  supporting: number
  contradicting: number
  /** number of different sources of the supporting claims */
  sources: number
  /** highest confidence of the supporting claims: 0 low, 1 medium, 2 high; -1 without supporting claims */
  confidence: number
  /** observation time of the newest supporting claim with at least this confidence; -1 if none has it */
  newest: [low: number, medium: number, high: number]
  /** true if the field has more claims than the read limit */
  isPartial: boolean
  /** true if all evidence about the stated value comes from merged records that are do not contact */
  isBlocked: boolean
  /** newest supporting claims, followed by contradicting ones */
  restsOn: Rest[]
}

export type IdentifierCounts = { certain: number; uncertain: number }

/** The values of those facts that are signals. Texts are in the form in which they are compared. */
export type ScoringRecord = SignalValues & {
  id: string
  createdAt: number
  isDoNotContact: boolean
  /** true if a live suppression entry matches the record; a record that then has no block mark contradicts the suppression gate */
  isMatched: boolean
  state: string
  province: string | null
  /** bit mask: bit `i` is set if the record has a value for the fact field with index `i` */
  stated: number
  /** tags in case-folded form */
  tags: readonly string[]
  assigneeId: string | null
  emails: IdentifierCounts
  phones: IdentifierCounts
  domains: IdentifierCounts
  mailDomain: 'own' | 'free_mail' | null
  /** number of open match suggestions of the strong band */
  strongDuplicates: number
  /** evidence by the index of the field in `factFields`; null for a field without evidence */
  evidence: readonly (FieldEvidence | null)[]
  /** interactions, newest first */
  interactions: readonly { at: number; outcome: string }[]
  hasMoreInteractions: boolean
}

const places = new Map<FactField, number>(factFields.map((field, at) => [field, at]))

export function placeOf(field: FactField): number {
  const at = places.get(field)
  if (at === undefined) throw new Error(`${field} is no fact field.`)
  return at
}

export function isStated({ stated }: Pick<ScoringRecord, 'stated'>, place: number): boolean {
  return (stated & (1 << place)) !== 0
}

export const noEvidence: readonly null[] = factFields.map(() => null)
