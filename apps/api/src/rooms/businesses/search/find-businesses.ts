import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { numeral } from '../../../lib/numeral.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { hasBlockedBelow } from '../family/blocked-below.ts'
import { findByText, type TextScope, tenantTokenOf, textScopeOf } from './find-by-text.sqlite.ts'
import { nameHoldsAny } from './name-holds-any.sqlite.ts'
import { findByPerson } from './people-hold-any.sqlite.ts'
import { type SearchTerm, searchTerms } from './search-text.rules.ts'

/**
 * Returns the ids of the tenant's businesses that a text search finds, whatever their status. Lists of children of businesses use it. The result is
 * never truncated: a search with more than `bound` results is rejected, and so is a text too short for the search index. If the actor may not see
 * contact values, do-not-contact records are found by name only. Errors: `invalid_request` for `q`.
 */
export async function findBusinessesByText(store: Store, actor: Actor, q: string, bound: number): Promise<string[]> {
  const terms = searchTerms(q)
  if (terms.length === 0)
    throw invalidField('q', 'too_short', 'Enter at least three characters of a name, a number or an address.')
  const found = findByText(await textScopeOf(store.reader, actor.tenantId, terms), terms)
  const { rows } = await sql<{ id: string }>`
    SELECT b.id FROM ${found} ${thenJoin} businesses AS b ON b.docid = found.docid
    WHERE b.tenant_id = ${actor.tenantId} AND ${mayBeFound(actor, terms)} LIMIT ${bound + 1}`.execute(
    store.backgroundOf(actor.tenantId),
  )
  if (rows.length > bound)
    throw invalidField(
      'q',
      'too_many',
      `More than ${numeral(bound)} records match “${q.trim()}”. Enter more of the name.`,
    )
  return rows.map(({ id }) => id)
}

/**
 * Returns those words that occur in no record of the tenant, apart from the records in `apart`. A word too short for the search index is never
 * returned.
 */
export async function wordsOfNobody(
  db: Kysely<Database>,
  tenantId: string,
  words: readonly string[],
  apart: readonly string[] = [],
): Promise<string[]> {
  return wordsWithout(db, { tenantId, words, apart }, findByText)
}

/** Returns those words that occur in the name of no person at a record of the tenant, as `wordsOfNobody`. */
export async function peopleOfNobody(
  db: Kysely<Database>,
  tenantId: string,
  words: readonly string[],
  apart: readonly string[],
): Promise<string[]> {
  return wordsWithout(db, { tenantId, words, apart }, findByPerson)
}

async function wordsWithout(
  db: Kysely<Database>,
  { tenantId, words, apart }: { tenantId: string; words: readonly string[]; apart: readonly string[] },
  findBy: typeof findByText,
): Promise<string[]> {
  const docidsApart = sql`(SELECT b.docid FROM ${elementsOf(apart, 'one')}
    ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = one.value)`
  const scope: TextScope = { token: await tenantTokenOf(db, tenantId), holdsMost: false }
  const gone: string[] = []
  for (const word of words) {
    const terms = searchTerms(word)
    if (terms.length === 0) continue
    const { rows } =
      await sql`SELECT 1 FROM ${findBy(scope, terms)} WHERE found.docid NOT IN ${docidsApart} LIMIT 1`.execute(db)
    if (rows.length === 0) gone.push(word)
  }
  return gone
}

function mayBeFound(actor: Actor, terms: readonly SearchTerm[]): RawBuilder<unknown> {
  if (!hidesValuesFrom(actor, { doNotContact: true })) return sql`TRUE`
  // A merged record is treated as blocked, because its survivor can be blocked. It is still found by name.
  return sql`((b.do_not_contact = 0 AND b.merged_into IS NULL AND NOT ${hasBlockedBelow()}) OR ${nameHoldsAny(terms)})`
}
