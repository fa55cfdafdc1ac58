import { type RawBuilder, sql } from 'kysely'
import { findByText, type TextScope } from './find-by-text.sqlite.ts'
import { holdsAny } from './holds-terms.ts'
import { BEFORE_PEOPLE, type SearchTerm } from './search-text.rules.ts'

/** Returns a table `found` with the column `docid`: the texts of which `peopleHoldAny` is true. */
export function findByPerson(scope: TextScope, terms: readonly SearchTerm[]): RawBuilder<unknown> {
  return sql`(SELECT found.docid FROM ${findByText(scope, terms)} WHERE ${peopleHoldAny(sql`found.docid`, terms)}) AS found`
}

/**
 * Builds the condition that the names of the people in the search text with this row number contain all parts of any of the terms. The parts can be in
 * the names of different people. People who are marked do not contact by hand are in no search text.
 */
export function peopleHoldAny(docid: RawBuilder<unknown>, terms: readonly SearchTerm[]): RawBuilder<unknown> {
  // Materialized, because SQLite would otherwise look up the text for each part of the terms.
  return sql`EXISTS (
    WITH current (text) AS MATERIALIZED (SELECT coalesce(
      (SELECT p.text FROM business_search_pending AS p WHERE p.docid = ${docid}),
      (SELECT s.text FROM business_search AS s WHERE s.docid = ${docid}))),
    found (text) AS MATERIALIZED (
      SELECT substr(text, instr(text, ${BEFORE_PEOPLE})) FROM current WHERE instr(text, ${BEFORE_PEOPLE}) > 0)
    SELECT 1 FROM found WHERE ${holdsAny(sql`found.text`, terms)})`
}
