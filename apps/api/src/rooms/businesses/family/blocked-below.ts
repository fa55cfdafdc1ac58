import { type RawBuilder, sql } from 'kysely'
import { thenJoin } from '../../../store/engine/dialect.ts'

/**
 * Builds the condition that a record merged into `businesses AS b`, directly or indirectly, is do not contact. A search text contains the people of
 * merged records, and those of such a record are hidden from readers who may not see contact values.
 */
export function hasBlockedBelow(): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    WITH RECURSIVE family (id) AS (
      SELECT m.id FROM businesses m WHERE m.tenant_id = b.tenant_id AND m.merged_into = b.id
      UNION
      SELECT m.id FROM family ${thenJoin} businesses m ON m.tenant_id = b.tenant_id AND m.merged_into = family.id)
    SELECT 1 FROM family ${thenJoin} businesses m ON m.tenant_id = b.tenant_id AND m.id = family.id AND m.do_not_contact = 1)`
}
