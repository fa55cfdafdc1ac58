import { type RawBuilder, sql } from 'kysely'
import type { TextPlace } from '../../businesses/businesses.ts'
import type { ChildText } from './conditions.schema.ts'

/**
 * Columns of texts of a record's children, each with the index on their lower case, and the rows of `t` that the index contains. `has`: a column of the
 * index of all filterable values; it is 1 if the record, or a record merged into it, has such a child.
 */
export const childPlaces: Readonly<Record<ChildText, TextPlace & { has: RawBuilder<unknown> }>> = {
  sourceLabel: {
    table: 'evidence',
    condition: sql`t.source_label IS NOT NULL`,
    column: 'source_label',
    index: 'evidence_by_source_label',
    has: sql`b.has_evidence`,
  },
  // People who left, are do not contact by hand or were erased are not those whom a desk can ask for.
  role: {
    table: 'person_states',
    condition: sql`t.role IS NOT NULL AND t.blocked_at IS NULL AND t.left_on IS NULL AND t.erased_at IS NULL`,
    column: 'role',
    index: 'person_states_by_role',
    has: sql`b.has_person`,
  },
}
