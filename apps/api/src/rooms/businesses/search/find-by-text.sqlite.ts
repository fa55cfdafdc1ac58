import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { countInCube } from './business-counts.ts'
import { holdsAny } from './holds-terms.ts'
import { halvesOf, type SearchTerm, tenantToken, threeByThree, wordSets } from './search-text.rules.ts'

/**
 * Restricts a search to the texts of one tenant. The query combines the tenant's token with the words, so its duration does not depend on the size of
 * other tenants. The exception is a tenant with most of all records (`holdsMost`). Its token occurs so often that reading it takes longer than all
 * the words, so records of other tenants are filtered out when their texts are read.
 */
export type TextScope = { token: string; holdsMost: boolean }

export async function textScopeOf(
  db: Kysely<Database>,
  tenantId: string,
  terms: readonly SearchTerm[],
): Promise<TextScope> {
  return readsTexts(terms)
    ? readingScopeOf(db, tenantId)
    : { token: await tenantTokenOf(db, tenantId), holdsMost: false }
}

/** Returns the scope of a search that reads texts. */
export async function readingScopeOf(db: Kysely<Database>, tenantId: string): Promise<TextScope> {
  const token = await tenantTokenOf(db, tenantId)
  const { last } = await db
    .selectFrom('businesses')
    .select((eb) => eb.fn.max('docid').as('last'))
    .executeTakeFirstOrThrow()
  return { token, holdsMost: 2 * (await countInCube(db, { tenantId })) > last }
}

export async function tenantTokenOf(db: Kysely<Database>, tenantId: string): Promise<string> {
  const { number } = await db
    .selectFrom('tenants')
    .select('number')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return tenantToken(number)
}

/** Returns true if the search reads texts. A search for one word needs only the index. */
const readsTexts = (terms: readonly SearchTerm[]) => terms.some((parts) => parts.length > 1)

/**
 * Returns a table `found` with the column `docid`: the texts that match any of the terms, from the index and from the pending texts that changed
 * since the index was written.
 */
export function findByText({ token, holdsMost }: TextScope, terms: readonly SearchTerm[]): RawBuilder<unknown> {
  const words = `text : (${terms.map(askedOfIndex).join(' OR ')})`
  const match = holdsMost ? words : `tenant : ${quoted(token)} AND ${words}`
  const isRead = readsTexts(terms)
  const toRead = isRead ? sql`CROSS JOIN business_search AS s ON s.docid = business_search_index.rowid` : sql``
  const read = isRead ? sql`AND s.tenant = ${token} AND ${holdsAny(sql`s.text`, terms)}` : sql``
  return sql`(
      SELECT business_search_index.rowid AS docid FROM business_search_index ${toRead}
        WHERE business_search_index MATCH ${match} AND business_search_index.rowid NOT IN (SELECT docid FROM business_search_pending)
        ${read}
      UNION ALL
      SELECT docid FROM business_search_pending WHERE tenant = ${token} AND ${holdsAny(sql`text`, terms)}
    ) AS found`
}

/**
 * Returns the query for the index. A single word is a phrase, for which the index reads all trigrams with their positions. Several words match few
 * records, so the index is queried for trigrams without positions, and the texts of those records are read.
 */
function askedOfIndex(parts: SearchTerm): string {
  const asked = parts.length > 1 ? parts.flatMap(threeByThree) : parts
  return `(${asked.map(quoted).join(' AND ')})`
}

/**
 * Returns a table `found` with the column `docid` and at most `limit` rows: texts of the tenant that contain, for each of the words, its first or its
 * second half, because a typing error leaves one of them intact. `isMissingOne`: one of the words may be absent.
 */
export function findByHalves(
  { token, holdsMost }: TextScope,
  words: readonly string[],
  { isMissingOne, limit }: { isMissingOne: boolean; limit: number },
): RawBuilder<unknown> {
  const asked = wordSets(words, isMissingOne).map(
    (set) => `(${set.map((word) => `(${halvesOf(word).map(quoted).join(' OR ')})`).join(' AND ')})`,
  )
  const text = `text : (${asked.join(' OR ')})`
  const match = holdsMost ? text : `tenant : ${quoted(token)} AND ${text}`
  return sql`(
      SELECT * FROM (
        SELECT business_search_index.rowid AS docid FROM business_search_index
        CROSS JOIN business_search AS s ON s.docid = business_search_index.rowid
        WHERE business_search_index MATCH ${match} AND s.tenant = ${token} LIMIT ${limit})
      UNION
      SELECT docid FROM business_search_pending WHERE tenant = ${token}
    ) AS found`
}

function quoted(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`
}
