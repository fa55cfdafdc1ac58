import { type RawBuilder, sql } from 'kysely'
import type { UserActor } from '../../../lib/actor.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { hidesValuesFrom, numberOf } from '../../contact-gate/contact-gate.ts'
import { cityKeysOf, nameKeyOf, searchFold, townNamesOf } from '../../normalization/normalization.ts'
import { limits, type SimilarNames } from '../businesses.schema.ts'
import { hasBlockedBelow } from '../family/blocked-below.ts'
import { type Holder, type HolderRow, toHolder } from '../record/known-identifiers.ts'
import { findByHalves, readingScopeOf } from './find-by-text.sqlite.ts'
import { nameHoldsAny } from './name-holds-any.sqlite.ts'
import { isSearchRenewing } from './renew-search.ts'
import { termsOfHalves } from './search-text.rules.ts'
import { similarityTo } from './similarity.rules.ts'
import { allSpellings, textPlaceOf } from './spellings.ts'

/*
 * One forgiving pass for a search without a result. The background reader collects a bounded number of candidates, by halves of words and by
 * neighbouring names, and the event loop rates them in short slices.
 */

/** Maximum number of records that each of the three queries collects. */
const CANDIDATES = 200
const NEIGHBOURS_A_SIDE = 50
/** Number of the longest words of a text by which the index is searched. */
const WORDS = 3
const SHORTEST = 3

/**
 * Returns active records of the tenant with a name similar to a typed text, most similar first, and the city in the tenant's records that the text
 * names or resembles (`Stelenbosch`, `Kapstad`). Names are shown to every role. Both are hints and may be incomplete. Contact values that are hidden
 * from the actor do not count.
 */
export async function findSimilarNames(store: Store, actor: UserActor, q = ''): Promise<SimilarNames> {
  const { tenantId } = actor
  const isRenewing = await isSearchRenewing(store, tenantId)
  if (q === '') return { items: [], city: null, isRenewing }
  const similarity = similarityTo(q)
  const breathe = createBreather()
  const rated: { holder: Holder; similarity: number }[] = []
  for (const row of await candidatesOf(store, actor, q)) {
    await breathe()
    const value = Math.max(similarity(row.name), row.trading_name === null ? 0 : similarity(row.trading_name))
    if (value > 0) rated.push({ holder: toHolder(row), similarity: value })
  }
  rated.sort((a, b) => b.similarity - a.similarity || (a.holder.id < b.holder.id ? -1 : 1))
  return {
    items: rated.slice(0, limits.similarNames).map(({ holder }) => holder),
    city: await findSimilarCity(store, tenantId, q),
    isRenewing,
  }
}

type Candidate = HolderRow & { trading_name: string | null }

async function candidatesOf(store: Store, actor: UserActor, q: string): Promise<Candidate[]> {
  const { tenantId } = actor
  const words = searchFold(q)
    .split(' ')
    .filter((word) => word.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, WORDS)
  const found = new Map<string, Candidate>()
  const take = async (from: RawBuilder<unknown>, where = sql`TRUE`) => {
    const { rows } = await sql<Candidate>`
      SELECT b.id, b.name, b.trading_name, b.pipeline_state, b.do_not_contact FROM ${from}
      WHERE b.tenant_id = ${tenantId} AND b.status = 'active' AND ${where}`.execute(store.backgroundOf(tenantId))
    for (const row of rows) found.set(row.id, row)
    return rows.length
  }
  if (words.length > 0) {
    const scope = await readingScopeOf(store.reader, tenantId)
    const byHalves = (isMissingOne: boolean) =>
      take(
        sql`${findByHalves(scope, words, { isMissingOne, limit: CANDIDATES })} ${thenJoin} businesses AS b ON b.docid = found.docid`,
        hidesValuesFrom(actor, { doNotContact: true })
          ? sql`((b.do_not_contact = 0 AND NOT ${hasBlockedBelow()}) OR ${nameHoldsAny(termsOfHalves(words, isMissingOne))})`
          : undefined,
      )
    const count = await byHalves(false)
    if (count === 0 && words.length > 1) await byHalves(true)
  }
  const key = nameKeyOf(q)
  for (const [beyond, direction] of [
    ['>=', 'ASC'],
    ['<', 'DESC'],
  ] as const)
    await take(sql`(
      SELECT k.docid FROM business_name_keys AS k
      WHERE k.tenant = ${numberOf(tenantId)} AND k.name_key ${sql.raw(beyond)} ${key}
      ORDER BY k.name_key ${sql.raw(direction)} LIMIT ${NEIGHBOURS_A_SIDE}) AS found
      ${thenJoin} businesses AS b ON b.docid = found.docid`)
  return [...found.values()]
}

/** Returns the city of the tenant's records that a text names or resembles most, as a record has it; null if there is none. */
async function findSimilarCity(store: Store, tenantId: string, q: string): Promise<string | null> {
  const similarity = similarityTo(q)
  const keys = new Set(cityKeysOf(q))
  const breathe = createBreather()
  let best: { spelling: string; similarity: number } | undefined
  for (const spelling of (await allSpellings(store.backgroundOf(tenantId), tenantId, textPlaceOf('city'))) ?? []) {
    await breathe()
    const isNamed = cityKeysOf(spelling).some((key) => keys.has(key))
    const names = [spelling, ...townNamesOf(spelling)]
    const value = isNamed ? 1 : Math.max(...names.map(similarity))
    if (value > (best?.similarity ?? 0)) best = { spelling, similarity: value }
  }
  if (best === undefined) return null
  const row = await store.reader
    .selectFrom('businesses')
    .select('city')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', sql.lit('active'))
    .where('city', 'is not', null)
    .where(sql`lower(city)`, '=', best.spelling)
    .limit(1)
    .executeTakeFirst()
  return row?.city ?? null
}
