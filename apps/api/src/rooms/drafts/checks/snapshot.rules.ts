import { fingerprint } from '../../../lib/hashing.ts'
import type { SeenSuggestion } from './checks.rules.ts'

/** The version of the parts below; raise it when they change. An older approval is judged by the parts of its snapshot. */
export const SNAPSHOT_RULES = 1

/**
 * The hashes and states to which an approval is bound besides the content; no values. `claims`: the standing observations about each field
 * that the text uses or cites, so that new evidence about it ends the approval.
 */
export type Snapshot = {
  rules: number
  evidence: Readonly<Record<string, { hash: string; isSuperseded: boolean }>>
  claims: Readonly<Record<string, readonly string[]>>
  values: Readonly<Record<string, string>>
  recipient: { hash: string; isOnRecord: boolean }
  legalBasis: string | null
  policy: string | null
  suggestion: SeenSuggestion | null
}

export function snapshotHashOf(snapshot: Snapshot): string {
  return fingerprint(snapshot)
}

export const causeCodes = [
  'evidence',
  'field',
  'recipient',
  'legal_basis',
  'policy',
  'suggestion',
  'scope',
  'merge',
  'suppression',
  'freshness',
  'uncertainty',
  'citations',
  'merge_fields',
  'content',
  'expired',
  'restored',
] as const
export type CauseCode = (typeof causeCodes)[number]

/** A cause that ended an approval. `subject`, `before`, `after`: ids, names and states; never a value of the record. */
export type Cause = { code: CauseCode; subject: string; before: string | null; after: string | null }

/** Returns the differences between the snapshot of a request and the present one, part by part. */
export function differencesBetween(seen: Snapshot, now: Snapshot): Cause[] {
  const causes: Cause[] = []
  const differ = (code: CauseCode, subject: string, before: string | null, after: string | null) => {
    if (before !== after) causes.push({ code, subject, before, after })
  }
  for (const id of keysOf(seen.evidence, now.evidence))
    differ('evidence', id, stateOfEvidence(seen.evidence[id]), stateOfEvidence(now.evidence[id]))
  for (const field of keysOf(seen.claims, now.claims)) {
    const [before, after] = [seen.claims[field] ?? [], now.claims[field] ?? []]
    if (before.join() === after.join()) continue
    const added = after.find((id) => !before.includes(id)) ?? null
    const gone = before.find((id) => !after.includes(id)) ?? null
    causes.push({ code: 'evidence', subject: field, before: gone, after: added })
  }
  for (const field of keysOf(seen.values, now.values))
    if (seen.values[field] !== now.values[field])
      causes.push({ code: 'field', subject: field, before: null, after: null })
  if (seen.recipient.hash !== now.recipient.hash || seen.recipient.isOnRecord !== now.recipient.isOnRecord)
    differ('recipient', 'recipient', placeOf(seen.recipient), placeOf(now.recipient))
  differ('legal_basis', 'legal_basis', seen.legalBasis, now.legalBasis)
  differ('policy', 'policy', seen.policy, now.policy)
  const suggestion = now.suggestion?.id ?? seen.suggestion?.id ?? ''
  differ('suggestion', suggestion, standingOf(seen.suggestion), standingOf(now.suggestion))
  return causes
}

function keysOf(...parts: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(parts.flatMap((part) => Object.keys(part)))].sort()
}

function stateOfEvidence(one: { hash: string; isSuperseded: boolean } | undefined): string | null {
  if (one === undefined) return null
  return `${one.isSuperseded ? 'superseded' : 'standing'} ${one.hash.slice(0, 12)}`
}

function standingOf(suggestion: SeenSuggestion | null): string | null {
  if (suggestion === null) return null
  const { state, provider, policy } = suggestion
  return `${state}, provider ${provider?.slice(0, 12) ?? 'none'}, policy ${policy ?? 'none'}`
}

function placeOf({ isOnRecord }: Snapshot['recipient']): string {
  return isOnRecord ? 'on the record' : 'not on the record'
}
