import { type RawBuilder, sql } from 'kysely'
import { thenJoin } from '../../../store/engine/dialect.ts'

/**
 * Builds the condition that one of the given records, or a record that it was merged into, is do not contact: `isBlockedAbove` for many records in
 * one statement. `ids` is a query with one column.
 */
export function anyBlockedAbove(tenantId: string, ids: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    WITH RECURSIVE family (id) AS (
      ${ids}
      UNION
      SELECT m.merged_into FROM family ${thenJoin} businesses m ON m.tenant_id = ${tenantId} AND m.id = family.id
      WHERE m.merged_into IS NOT NULL)
    SELECT 1 FROM family ${thenJoin} businesses m ON m.tenant_id = ${tenantId} AND m.id = family.id AND m.do_not_contact = 1)`
}
