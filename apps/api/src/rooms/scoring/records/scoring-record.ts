import { type FactField, factFields } from '../../businesses/businesses.thread.ts'

/*
 * A prospect as rules read it: the record, and a summary of the evidence, interactions and suggestions of all records merged into it. Contains no
 * contact values.
 */

/** Limit of evidence and interactions per record. If a record has more, only the newest are read and the state is `partial`. */
export const readLimits = { claimsPerField: 200, interactions: 200, restsOn: 5 } as const

/** `isOfBlocked`: the evidence belongs to a record that is itself do not contact. */
export type Rest = { evidenceId: string; source: string; capturedAt: number; agrees: boolean; isOfBlocked: boolean }

/** The evidence about one field that no later observation supersedes. */
export type FieldEvidence = {
  /** claims about the field, including those about values that the record does not state */
  claims: number
  supporting: number
  contradicting: number
  /** different sources of supporting claims */
  sources: number
  /** of supporting claims: 0 low, 1 medium, 2 high; -1 without any */
  confidence: number
  /** when the newest supporting claim of at least this confidence was observed; -1 without any */
  newest: [low: number, medium: number, high: number]
  /** there are more claims than are read */
  isPartial: boolean
  /** the source is disabled, expired or blocked */
  isBlocked: boolean
  /** newest supporting claims, then contradicting ones */
  restsOn: Rest[]
}

export type IdentifierCounts = { certain: number; uncertain: number }

export type ScoringRecord = {
  id: string
  createdAt: number
  isDoNotContact: boolean
  /** a live suppression entry matches; if the record has no mark, gate and record disagree */
  isMatched: boolean
  state: string
  province: string | null
  industry: string | null
  /** bit mask of the fact fields, by index, that have a value in the record */
  stated: number
  /** in case-folded form */
  tags: readonly string[]
  assigneeId: string | null
  emails: IdentifierCounts
  phones: IdentifierCounts
  domains: IdentifierCounts
  mailDomain: 'own' | 'free_mail' | null
  /** open suggestions of the strong band */
  strongDuplicates: number
  /** by the index of the field in `factFields`; null without evidence */
  evidence: readonly (FieldEvidence | null)[]
  /** newest first */
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
