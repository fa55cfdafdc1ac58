import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import { invalidField } from '../../../lib/app-error.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { holdsAny } from '../list/holds-terms.ts'
import { findByText, type TextScope, tenantTokenOf, textScopeOf } from './find-by-text.sqlite.ts'
import { type SearchTerm, searchTerms } from './search-text.rules.ts'

/**
 * Returns the ids of the tenant's businesses that a text search finds, as in the list of prospects but of any status. It serves lists of children of
 * businesses. The result is never truncated: a search with more than `bound` results is refused, and so is a text too short for the search index. For
 * readers who may not see contact values only names find do-not-contact records. Errors: `invalid_request` for `q`.
 */
export async function findBusinessesByText(store: Store, actor: Actor, q: string, bound: number): Promise<string[]> {
  const terms = searchTerms(q)
  if (terms.length === 0)
    throw invalidField('q', 'too_short', 'Enter at least three characters of a name, a number or an address.')
  const found = findByText(await textScopeOf(store.reader, actor.tenantId, terms), terms)
  const { rows } = await sql<{ id: string }>`
    SELECT b.id FROM ${found} ${thenJoin} businesses AS b ON b.docid = found.docid
    WHERE b.tenant_id = ${actor.tenantId} AND ${mayBeFound(actor, terms)} LIMIT ${bound + 1}`.execute(store.background)
  if (rows.length > bound)
    throw invalidField('q', 'too_many', `More than ${bound} records match “${q.trim()}”. Enter more of the name.`)
  return rows.map(({ id }) => id)
}

/** Returns the words that no record of the tenant contains except those in `apart`. Words too short for the search index are never returned. */
export async function wordsOfNobody(
  db: Kysely<Database>,
  tenantId: string,
  words: readonly string[],
  apart: readonly string[] = [],
): Promise<string[]> {
  const docidsApart = sql`(SELECT b.docid FROM ${elementsOf(apart, 'one')}
    ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = one.value)`
  const scope: TextScope = { token: await tenantTokenOf(db, tenantId), holdsMost: false }
  const gone: string[] = []
  for (const word of words) {
    const terms = searchTerms(word)
    if (terms.length === 0) continue
    const { rows } =
      await sql`SELECT 1 FROM ${findByText(scope, terms)} WHERE found.docid NOT IN ${docidsApart} LIMIT 1`.execute(db)
    if (rows.length === 0) gone.push(word)
  }
  return gone
}

function mayBeFound(actor: Actor, terms: readonly SearchTerm[]): RawBuilder<unknown> {
  if (!hidesValuesFrom(actor, { doNotContact: true })) return sql`TRUE`
  // A merged record is hidden like its survivor, which can be blocked; its names find it in any case.
  return sql`((b.do_not_contact = 0 AND b.merged_into IS NULL) OR ${holdsAny(sql`b.name_key`, terms)})`
}
