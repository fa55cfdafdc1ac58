import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { alongIndex, elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import type { DomainRecordTable, DomainUseTable } from '../domains.table.ts'

type Db = Kysely<Database>

const usesOfRecords = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<DomainUseTable>`
    SELECT u.* FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} domain_uses u ${alongIndex('domain_uses_by_business')}
      ON u.tenant_id = ${param('tenantId')} AND u.business_id = wanted.value`,
)

export function selectUses(db: Db, tenantId: string, ids: readonly string[]): Promise<DomainUseTable[]> {
  return usesOfRecords(db, { tenantId, ids: JSON.stringify(ids) })
}

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

const recordRows = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<DomainRecordTable>`
    SELECT r.* FROM ${elementsOf(param('ids'), 'wanted')} ${thenJoin} domain_records r
      ON r.tenant_id = ${param('tenantId')} AND r.business_id = wanted.value`,
)

export function selectDerivedRecords(db: Db, tenantId: string, ids: readonly string[]): Promise<DomainRecordTable[]> {
  return recordRows(db, { tenantId, ids: JSON.stringify(ids) })
}

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
