import { type RawBuilder, sql } from 'kysely'
import { contains } from '../../../store/engine/dialect.ts'
import type { SearchTerm } from './search-text.rules.ts'

/** Builds the condition that a text contains all parts of any of the terms. */
export function holdsAny(text: RawBuilder<unknown>, terms: readonly SearchTerm[]): RawBuilder<unknown> {
  const held = terms.map((parts) =>
    sql.join(
      parts.map((part) => contains(text, part)),
      sql` AND `,
    ),
  )
  return sql`(${sql.join(held, sql` OR `)})`
}
