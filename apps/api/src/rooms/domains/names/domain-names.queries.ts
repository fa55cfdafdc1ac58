import { notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { preparedInsert } from '../../../store/engine/prepared.ts'
import type { DomainName } from '../domains.table.ts'
import { labelForms } from './labels.rules.ts'

const insertName = preparedInsert('domain_names', ['tenant_id', 'domain', 'label', 'skeleton', 'letters'], 'ignore')

/** Inserts a domain if it is unknown. Call this before inserting a row that refers to the domain, because triggers count that row. */
export async function insertDomainName(db: Db, tenantId: string, domain: string): Promise<void> {
  await insertName(db, { tenant_id: tenantId, domain, ...labelForms(domain) })
}

/** Returns a known domain of the tenant. Errors: `not_found`. */
export async function getDomainName(db: Db, tenantId: string, domain: string): Promise<DomainName> {
  return db
    .selectFrom('domain_names')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow(notFound)
}
