import { type RawBuilder, sql } from 'kysely'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { ContactValue } from '../../contact-gate/contact-gate.ts'
import { contactTables } from '../../facts.ts'

/** A contact value of a business that a table of another room stores. `place`: the position of the business in the given list. */
export type FurtherValue = Required<ContactValue> & { businessId: string; place: number; label: string | null }

/**
 * Builds the query of the contact values of these businesses in the tables that the facts of rooms declare as `contactTables`, such as those of their
 * people. The values of the businesses themselves and those of their evidence are not among them.
 */
export function furtherValuesOf(tenantId: string, businessIds: readonly string[]): RawBuilder<FurtherValue> {
  const ofTable = ({ table }: (typeof contactTables)[number]) => sql`
    SELECT one.value AS "businessId", one.key AS place, i.kind, i.original AS value, i.label, i.region
    FROM ${elementsOf(businessIds, 'one')} ${thenJoin} ${sql.table(table)} i ON i.tenant_id = ${tenantId} AND i.business_id = one.value`
  const none = sql`SELECT NULL AS "businessId", 0 AS place, NULL AS kind, NULL AS value, NULL AS label, NULL AS region WHERE false`
  return sql<FurtherValue>`${sql.join([none, ...contactTables.map(ofTable)], sql` UNION ALL `)}`
}
