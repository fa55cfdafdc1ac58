import { sql } from 'kysely'
import type { Tx } from '../../store/change/change.ts'
import { updateInParts } from '../../store/change/in-parts.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, inList } from '../../store/engine/dialect.ts'
import { ERASED } from '../businesses/businesses.ts'
import { hostOfAddress, readDomainName, unitOf } from '../normalization/normalization.ts'
import { deleteEntriesOf } from './dns/cache.queries.ts'

/*
 * Erases the data of these records that this room stores: candidates, accepted domains, derived rows, and observations of domains that no other
 * record of the tenant has.
 */

export async function eraseDomains(tx: Tx, businessIds: readonly string[]) {
  const { tenantId } = tx.actor
  // Determine the domains first, while the audit still contains the current and former values of the records.
  const domains = await domainsOf(tx.db, tenantId, businessIds)
  await sql`
    DELETE FROM domain_uses ${alongIndex('domain_uses_by_business')} WHERE tenant_id = ${tenantId} AND business_id IN ${inList(businessIds)}`.execute(
    tx.db,
  )
  await tx.db
    .deleteFrom('domain_records')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', businessIds)
    .execute()
  const domainCandidates = await emptyCandidates(tx, businessIds)
  const domainAssociations = await emptyAssociations(tx, businessIds)
  let dnsObservations = 0
  for (const domain of domains)
    if (!(await isOfOthers(tx.db, tenantId, domain))) dnsObservations += await emptyObservations(tx, domain)
  return { domainCandidates, domainAssociations, dnsObservations }
}

async function domainsOf(db: Db, tenantId: string, businessIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ domain: string }>`
    SELECT domain FROM domain_uses ${alongIndex('domain_uses_by_business')} WHERE tenant_id = ${tenantId} AND business_id IN ${inList(businessIds)}
    UNION SELECT domain FROM domain_candidates ${alongIndex('domain_candidates_by_business')} WHERE tenant_id = ${tenantId} AND business_id IN ${inList(businessIds)}
    UNION SELECT domain FROM domain_associations ${alongIndex('domain_associations_by_business')} WHERE tenant_id = ${tenantId} AND business_id IN ${inList(businessIds)}`.execute(
    db,
  )
  const found = new Set(rows.map(({ domain }) => domain))
  for (const id of businessIds) for (const domain of await domainsTold(db, tenantId, id)) found.add(domain)
  found.delete('')
  return found
}

/** Fields of audit events that contain email addresses and domains. */
const facts = ['emails', 'domains', 'value'] as const

async function domainsTold(db: Db, tenantId: string, businessId: string): Promise<string[]> {
  const events = await db
    .selectFrom('audit_events')
    .select(['before_json', 'after_json'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .execute()
  const values = events.flatMap(({ before_json, after_json }) =>
    [before_json, after_json].flatMap((json) => (json === null ? [] : valuesIn(JSON.parse(json)))),
  )
  return values.flatMap((value) => unitOf(readDomainName(hostOfAddress(value))) ?? [])
}

function valuesIn(told: unknown): string[] {
  if (typeof told !== 'object' || told === null) return []
  const entries = Object.entries(told)
  return facts.flatMap((name) => textsIn(entries.find(([key]) => key === name)?.[1]))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

async function emptyCandidates({ db, actor: { tenantId }, at }: Tx, businessIds: readonly string[]): Promise<number> {
  const rows = await db
    .selectFrom('domain_candidates')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', businessIds)
    .execute()
  await updateInParts(rows, (ids) =>
    db
      .updateTable('domain_candidate_states')
      .set({
        domain: '',
        evaluation: '{}',
        fingerprint: '',
        evaluated_at: at,
        state: sql`CASE WHEN state = 'open' THEN 'superseded' ELSE state END`,
        decision_reason: emptiedText('decision_reason'),
        withdrawal_reason: emptiedText('withdrawal_reason'),
      })
      .where('tenant_id', '=', tenantId)
      .where('candidate_id', 'in', ids),
  )
  return updateInParts(rows, (ids) =>
    db
      .updateTable('domain_candidates')
      .set({ domain: '', reason: emptiedText('reason') })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids),
  )
}

/** SQL that replaces a text by the erased mark and leaves NULL unchanged, so that the row still shows whether a text existed. */
function emptiedText(column: string) {
  return sql<string | null>`CASE WHEN ${sql.ref(column)} IS NULL THEN NULL ELSE ${ERASED} END`
}

async function emptyAssociations({ db, actor: { tenantId } }: Tx, businessIds: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('domain_associations')
    .set({ domain: '' })
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', businessIds)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Returns true if another record uses the domain or has a candidate for it. */
async function isOfOthers(db: Db, tenantId: string, domain: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM domain_uses WHERE tenant_id = ${tenantId} AND domain = ${domain}
    UNION ALL SELECT 1 FROM domain_candidate_states WHERE tenant_id = ${tenantId} AND domain = ${domain} LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

async function emptyObservations({ db, actor: { tenantId }, at }: Tx, domain: string): Promise<number> {
  await deleteEntriesOf(db, tenantId, domain)
  const rows = await db
    .selectFrom('dns_observations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('domain', '=', domain)
    .execute()
  const emptied = {
    name: null,
    domain: null,
    records: '[]',
    aliases: '[]',
    resolver: null,
    raw: null,
    raw_sha256: null,
  }
  return updateInParts(rows, (ids) =>
    db
      .updateTable('dns_observations')
      .set({ ...emptied, erased_at: at })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids),
  )
}
