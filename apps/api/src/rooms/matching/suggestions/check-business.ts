import type { Actor } from '../../../lib/actor.ts'
import { change, unchanged } from '../../../store/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { createComparison, isKept } from '../rules/compare-records.rules.ts'
import { draftOf, type SuggestionDraft } from '../rules/findings.rules.ts'
import { type KeysRow, keysRow } from '../rules/match-keys.rules.ts'
import type { MatchInput } from '../rules/match-record.ts'
import { createRecordReader, type Frequencies } from '../rules/read-record.ts'
import { keepDerived } from './keep-derived.ts'
import { frequenciesOf, keepSnapshot, keepSuggestions, supersede } from './keep-suggestions.ts'
import { findCandidates, findKeptFacts, findMatchInput } from './match-inputs.queries.ts'
import { findSnapshot, forgetKeys, keepKeys, selectOpenOf } from './suggestions.queries.ts'

/** What a check found, before anything of it is kept. */
type Check = { drafts: SuggestionDraft[]; compared: number; keys: KeysRow }

/**
 * Compares one business with those that may be the same, and keeps what follows: suggestions that are new, changed or no longer hold.
 * Answers whether anything of it had changed since the last time. Runs where a business was created, edited or ended; a business that
 * stands as it stood costs one look-up.
 */
export async function checkBusiness(store: Store, tenantId: string, id: string): Promise<boolean> {
  const db = store.reader
  const input = await findMatchInput(db, tenantId, id)
  const known = await findKeptFacts(db, tenantId, id)
  const actor = systemActor('matching', tenantId)
  if (input === undefined) {
    if (known === undefined) return false
    await keepCheck(store, actor, id, [], { records: 0, words: new Map() })
    await keepDerived(store, () => forgetKeys(store.writer, tenantId, id))
    return true
  }
  const frequencies = frequenciesOf(await findSnapshot(db, tenantId))
  const check = await compareWithCandidates(store, tenantId, input, frequencies)
  if (known?.facts === check.keys.facts && known.normalization_version === NORMALIZATION_VERSION) return false
  await keepCheck(store, actor, id, check.drafts, frequencies)
  await keepDerived(store, () => keepKeys(store.writer, check.keys))
  return true
}

/** The comparison alone, without a trace: what a check would keep. */
export async function compareWithCandidates(
  store: Store,
  tenantId: string,
  input: MatchInput,
  frequencies: Frequencies,
): Promise<Check> {
  const db = store.reader
  const [own] = [createRecordReader().read(input)]
  const candidates = await findCandidates(db, tenantId, own, input.name)
  const inputs = [input]
  for (const id of candidates) {
    const candidate = await findMatchInput(db, tenantId, id)
    if (candidate !== undefined) inputs.push(candidate)
  }
  // Everybody is read again by one reader, in the order of ids, as a run over the whole tenant would.
  const reader = createRecordReader()
  const records = inputs.sort((a, b) => (a.id < b.id ? -1 : 1)).map((one) => reader.read(one))
  reader.settle(frequencies)
  const found = createComparison()
  const self = records.find(({ id }) => id === input.id)
  const drafts: SuggestionDraft[] = []
  for (const other of records) {
    if (self === undefined || other === self) continue
    const [a, b] = self.id < other.id ? [self, other] : [other, self]
    if (isKept(a, b, found)) drafts.push(draftOf(a, b, found))
  }
  return { drafts, compared: records.length - 1, keys: keysRow(tenantId, own) }
}

async function keepCheck(
  store: Store,
  actor: Actor,
  businessId: string,
  drafts: readonly SuggestionDraft[],
  frequencies: Frequencies,
): Promise<void> {
  await change(store, actor, { permission: null, action: 'matching.check' }, async (tx) => {
    const stillFound = new Set(drafts.map(({ a, b }) => `${a} ${b}`))
    const gone = (await selectOpenOf(tx.db, actor.tenantId, businessId)).filter(
      ({ business_a: a, business_b: b }) => !stillFound.has(`${a} ${b}`),
    )
    if (drafts.length === 0 && gone.length === 0) return unchanged(undefined)
    await supersede(tx, gone)
    const kept = drafts.length === 0 ? null : await keepSuggestions(tx, drafts, await keepSnapshot(tx, frequencies))
    if (gone.length === 0 && (kept === null || kept.created + kept.updated === 0)) return unchanged(undefined)
    await tx.record({
      subject: { type: 'business', id: businessId },
      businessId,
      after: { created: kept?.created ?? 0, updated: kept?.updated ?? 0, superseded: gone.length },
    })
    return undefined
  })
}
