import type { Actor } from '../../../lib/actor.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { createComparison, isKept } from '../rules/compare-records.rules.ts'
import { draftOf, type SuggestionDraft } from '../rules/findings.rules.ts'
import { type KeysRow, keysRow } from '../rules/match-keys.rules.ts'
import type { MatchInput } from '../rules/match-record.ts'
import { createRecordReader, type Frequencies } from '../rules/read-record.ts'
import { findMatchInput } from './match-input.queries.ts'
import { findCandidates, findKeptFacts } from './match-inputs.queries.ts'
import { forgetKeys, saveKeys } from './match-keys.queries.ts'
import { saveDerived } from './save-derived.ts'
import { frequenciesOf, saveFrequencies, saveSuggestions, supersede } from './save-suggestions.ts'
import { findSnapshot, type OpenSuggestion, selectOpenOf } from './suggestions.queries.ts'

/** Maximum number of records that a check compares because an open suggestion names them, in addition to the candidates. */
const MAX_PARTNERS = 120

/** The result of a check before it is stored. `looked`: ids of the compared records; suggestions with any other record are not changed. */
type Check = { drafts: SuggestionDraft[]; looked: ReadonlySet<string>; compared: number; keys: KeysRow }

/**
 * Compares one business with its candidates and stores new, changed and invalid suggestions. Returns true if anything changed. It runs after a
 * business was created, edited, merged or made inactive. A business whose compared values did not change costs one lookup.
 */
export async function checkBusiness(store: Store, tenantId: string, id: string): Promise<boolean> {
  const db = store.reader
  const input = await findMatchInput(db, tenantId, id)
  const known = await findKeptFacts(db, tenantId, id)
  const actor = systemActor('matching', tenantId)
  if (input === undefined) {
    if (known === undefined) return false
    await keepCheck(store, actor, id, undefined, { records: 0, words: new Map() })
    await saveDerived(store, tenantId, (db) => forgetKeys(db, tenantId, id))
    return true
  }
  const frequencies = frequenciesOf(await findSnapshot(db, tenantId))
  const check = await compareWithCandidates(store, tenantId, input, frequencies)
  if (known?.facts === check.keys.facts && known.normalization_version === NORMALIZATION_VERSION) return false
  await keepCheck(store, actor, id, check, frequencies)
  await saveDerived(store, tenantId, (db) => saveKeys(db, check.keys))
  return true
}

/** Compares a business with its candidates and returns the drafts that a check would store. Writes nothing. */
export async function compareWithCandidates(
  store: Store,
  tenantId: string,
  input: MatchInput,
  frequencies: Frequencies,
): Promise<Check> {
  const db = store.reader
  const own = createRecordReader().read(input)
  const partners = (await selectOpenOf(db, { tenantId, businessId: input.id })).map((pair) => partnerOf(pair, input.id))
  const looked = new Set([...(await findCandidates(db, tenantId, own, input.name)), ...partners.slice(0, MAX_PARTNERS)])
  const inputs = [input]
  for (const id of looked) {
    const candidate = await findMatchInput(db, tenantId, id)
    if (candidate !== undefined) inputs.push(candidate)
  }
  // A single reader reads all records again in the order of their ids, as a run over the whole tenant does, so that both produce the same result.
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
  return { drafts, looked, compared: records.length - 1, keys: keysRow(tenantId, own) }
}

function partnerOf({ business_a: a, business_b: b }: OpenSuggestion, id: string): string {
  return a === id ? b : a
}

async function keepCheck(
  store: Store,
  actor: Actor,
  businessId: string,
  /** undefined if the business was merged or made inactive, which ends all of its suggestions */
  check: Check | undefined,
  frequencies: Frequencies,
): Promise<void> {
  const drafts = check?.drafts ?? []
  await change(store, actor, { permission: null, action: 'matching.check' }, async (tx) => {
    const stillFound = new Set(drafts.map(({ a, b }) => `${a} ${b}`))
    const gone = (await selectOpenOf(tx.db, { tenantId: actor.tenantId, businessId })).filter(
      (pair) =>
        !stillFound.has(`${pair.business_a} ${pair.business_b}`) &&
        (check === undefined || check.looked.has(partnerOf(pair, businessId))),
    )
    if (drafts.length === 0 && gone.length === 0) return unchanged(undefined)
    await supersede(tx, gone)
    const kept = drafts.length === 0 ? null : await saveSuggestions(tx, drafts, await saveFrequencies(tx, frequencies))
    const superseded = gone.length + (kept?.superseded ?? 0)
    if (superseded === 0 && (kept === null || kept.created + kept.updated === 0)) return unchanged(undefined)
    await tx.record({
      subject: { type: 'business', id: businessId },
      businessId,
      after: { created: kept?.created ?? 0, updated: kept?.updated ?? 0, superseded },
    })
    return undefined
  })
}
