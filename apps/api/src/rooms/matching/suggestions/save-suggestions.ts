import { createBreather } from '../../../lib/event-loop.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { readNumbers } from '../../../store/json-column.ts'
import { NORMALIZATION_VERSION, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import type { MatchSnapshotTable } from '../matching.table.ts'
import type { SuggestionDraft } from '../rules/findings.rules.ts'
import { ALGORITHM_VERSION } from '../rules/matching-configuration.data.ts'
import type { Frequencies } from '../rules/read-record.ts'
import { selectRejectedBelow } from './rejected-below.ts'
import {
  findSnapshot,
  insertSnapshot,
  insertSuggestions,
  type KeptSuggestion,
  type NewSuggestion,
  type OpenSuggestion,
  selectEnded,
  selectOpenOf,
  selectSuggestionsOfPairs,
  updateSuggestion,
} from './suggestions.queries.ts'

export type Kept = { created: number; updated: number; superseded: number; passedBy: number }

/** The counts that apply before a run has counted words. */
const noFrequencies: Frequencies = { records: 0, words: new Map() }

/** Returns the word counts that scores use now; empty before the first run. */
export function frequenciesOf(snapshot: MatchSnapshotTable | undefined): Frequencies {
  if (snapshot === undefined) return noFrequencies
  return {
    records: snapshot.records,
    words: readNumbers(snapshot.words),
  }
}

/** Returns the id of the latest frequency snapshot if it has the same counts and versions of the rules. Otherwise inserts a snapshot. */
export async function saveFrequencies(tx: Tx, { records, words }: Frequencies): Promise<string> {
  const { tenantId } = tx.actor
  const sorted = Object.fromEntries([...words].sort(([a], [b]) => (a < b ? -1 : 1)))
  const versions = {
    normalization_version: NORMALIZATION_VERSION,
    algorithm_version: ALGORITHM_VERSION,
    suffix_list_version: SUFFIX_LIST_VERSION,
  }
  const content_hash = fingerprint({ records, words: sorted, ...versions })
  const latest = await findSnapshot(tx.db, tenantId)
  if (latest?.content_hash === content_hash) return latest.id
  const id = newId()
  await insertSnapshot(tx.db, {
    tenant_id: tenantId,
    id,
    created_at: tx.at,
    records,
    words: JSON.stringify(sorted),
    content_hash,
    ...versions,
  })
  return id
}

/**
 * Stores the drafts of a comparison. A rejected pair is skipped while both records have the same facts as at the rejection. After a change it is
 * suggested again, and the new suggestion names the rejection. A suggestion also names a rejection of records that were merged into its records. An
 * open suggestion keeps its id and gets the new values. Pairs written after `unlessSince` are skipped, because a run that read the store earlier has
 * older values. Pairs with a record that was merged or erased since the read are skipped too.
 */
export async function saveSuggestions(
  tx: Tx,
  drafts: readonly SuggestionDraft[],
  snapshotId: string,
  unlessSince?: string,
): Promise<Kept> {
  const kept = { updated: 0, superseded: 0, passedBy: 0 }
  const { tenantId } = tx.actor
  const known = await selectSuggestionsOfPairs(tx.db, tenantId, drafts)
  const ended = await selectEnded(tx.db, tenantId, drafts)
  const isEnded = ({ a, b }: SuggestionDraft) => ended.has(a) || ended.has(b)
  const below = await selectRejectedBelow(
    tx.db,
    tenantId,
    drafts.filter((draft) => !isEnded(draft)),
  )
  const created: NewSuggestion[] = []
  const breathe = createBreather()
  for (const draft of drafts) {
    await breathe()
    const before = known.get(`${draft.a} ${draft.b}`) ?? []
    const isOvertaken = unlessSince !== undefined && before.some(({ updated_at }) => updated_at > unlessSince)
    if (isOvertaken || isEnded(draft)) {
      kept.passedBy += 1
      continue
    }
    const open = before.find(({ status }) => status === 'open')
    const rejections = before.filter(({ status }) => status === 'rejected')
    if (rejections.some((rejected) => standsAs(rejected, draft))) {
      if (open === undefined) kept.passedBy += 1
      else {
        await supersede(tx, [open])
        kept.superseded += 1
      }
      continue
    }
    const found = {
      score: draft.score,
      evidence: draft.evidence,
      canonical: draft.canonical,
      facts: draft.facts,
      normalization_version: NORMALIZATION_VERSION,
      algorithm_version: ALGORITHM_VERSION,
      snapshot_id: snapshotId,
      renews: below.get(`${draft.a} ${draft.b}`) ?? rejections[0]?.id ?? null,
      updated_at: tx.at,
    }
    if (open !== undefined) {
      const isSame =
        open.evidence === draft.evidence &&
        open.canonical === draft.canonical &&
        open.facts === draft.facts &&
        open.renews === found.renews &&
        open.snapshot_id === snapshotId &&
        open.algorithm_version === ALGORITHM_VERSION &&
        open.normalization_version === NORMALIZATION_VERSION
      if (isSame) kept.passedBy += 1
      else {
        await updateSuggestion(tx.db, tenantId, open.id, found)
        kept.updated += 1
      }
    } else {
      created.push({
        id: newId(),
        business_a: draft.a,
        business_b: draft.b,
        ...found,
        created_at: tx.at,
      })
    }
  }
  await insertSuggestions(tx.db, tenantId, created)
  return { ...kept, created: created.length }
}

/**
 * True if both records have the same facts as in the stored suggestion. Another version of the algorithm can hash the same facts differently, so then
 * equal compared values suffice.
 */
function standsAs({ facts, canonical, algorithm_version }: KeptSuggestion, draft: SuggestionDraft): boolean {
  if (facts === draft.facts) return true
  return algorithm_version !== ALGORITHM_VERSION && typedValues(canonical) === typedValues(draft.canonical)
}

/**
 * Returns the compared values without the codes of provinces and countries, the only parts of an address in upper case, and without doubts. The rules
 * derive these from the other parts, and newer rules derive more of them.
 */
function typedValues(canonical: string): string {
  const values: unknown = JSON.parse(canonical, (key, value: unknown) => {
    if (key === 'doubts') return undefined
    return key === 'address' && typeof value === 'string' ? withoutCodes(value) : value
  })
  return JSON.stringify(values)
}

function withoutCodes(address: string): string | null {
  const parts = address.split(', ').filter((part) => !/^[A-Z]{2,3}$/.test(part))
  return parts.length === 0 ? null : parts.join(', ')
}

/**
 * Updates which earlier rejection each open suggestion of a record names. Call it after another record was merged into this one or separated by a
 * reversal. The check does not do this, because it does not compare an unchanged record again.
 */
export async function reassignRejections(tx: Tx, businessId: string): Promise<void> {
  const { tenantId } = tx.actor
  const open = await selectOpenOf(tx.db, { tenantId, businessId })
  const pairs = open.map(({ business_a: a, business_b: b }) => ({ a, b }))
  const known = await selectSuggestionsOfPairs(tx.db, tenantId, pairs)
  const below = await selectRejectedBelow(tx.db, tenantId, pairs)
  for (const [pair, suggestions] of known) {
    const one = suggestions.find(({ status }) => status === 'open')
    const renews = below.get(pair) ?? suggestions.find(({ status }) => status === 'rejected')?.id ?? null
    if (one === undefined || one.renews === renews) continue
    await updateSuggestion(tx.db, tenantId, one.id, { renews, updated_at: tx.at })
  }
}

/** Sets suggestions that are no longer valid to `superseded`. Nothing is deleted. */
export async function supersede(tx: Tx, suggestions: readonly Pick<OpenSuggestion, 'id'>[]): Promise<void> {
  for (const { id } of suggestions) {
    await updateSuggestion(tx.db, tx.actor.tenantId, id, { status: 'superseded', updated_at: tx.at })
  }
}
