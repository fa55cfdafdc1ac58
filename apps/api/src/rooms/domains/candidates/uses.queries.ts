import { sql } from 'kysely'
import { alongIndex, elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import type { DomainRecordTable, DomainUseTable } from '../domains.table.ts'

export const selectUses = prepared<{ tenantId: string; ids: readonly string[] }>()(
  (_db, param) => sql<DomainUseTable>`
    SELECT u.* FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} domain_uses u ${alongIndex('domain_uses_by_business')}
      ON u.tenant_id = ${param('tenantId')} AND u.business_id = wanted.value`,
)

export const insertUse = preparedInsert('domain_uses', [
  'tenant_id',
  'domain',
  'business_id',
  'by_record',
  'by_email',
  'hosts',
])

export const deleteUse = prepared<Pick<DomainUseTable, 'tenant_id' | 'domain' | 'business_id'>>()((db, param) =>
  db
    .deleteFrom('domain_uses')
    .where('tenant_id', '=', param('tenant_id'))
    .where('domain', '=', param('domain'))
    .where('business_id', '=', param('business_id')),
)

export const selectDerivedRecords = prepared<{ tenantId: string; ids: readonly string[] }>()(
  (_db, param) => sql<DomainRecordTable>`
    SELECT r.* FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} domain_records r
      ON r.tenant_id = ${param('tenantId')} AND r.business_id = wanted.value`,
)

export const saveDerivedRecord = prepared<DomainRecordTable>()((db, param) =>
  db
    .insertInto('domain_records')
    .values({
      tenant_id: param('tenant_id'),
      business_id: param('business_id'),
      label: param('label'),
      rules_version: param('rules_version'),
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'business_id']).doUpdateSet((eb) => ({
        label: eb.ref('excluded.label'),
        rules_version: eb.ref('excluded.rules_version'),
      })),
    ),
)
