import { type RawBuilder, sql } from 'kysely'
import { holdsAny } from './holds-terms.ts'
import { AFTER_NAME, type SearchTerm } from './search-text.rules.ts'

/** Builds the condition that the name of `businesses AS b` contains all parts of any of the terms, in one of the forms of its search text. */
export function nameHoldsAny(terms: readonly SearchTerm[]): RawBuilder<unknown> {
  const current = sql`coalesce((SELECT p.text FROM business_search_pending AS p WHERE p.docid = b.docid),
    (SELECT s.text FROM business_search AS s WHERE s.docid = b.docid))`
  return sql`(${holdsAny(sql`b.name_key`, terms)} OR EXISTS (
    SELECT 1 FROM (SELECT substr(current.text, 1, instr(current.text, ${AFTER_NAME})) AS text FROM (SELECT ${current} AS text) AS current) AS own
    WHERE ${holdsAny(sql`own.text`, terms)}))`
}
