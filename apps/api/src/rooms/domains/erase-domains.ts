import { sql } from 'kysely'
import type { Tx } from '../../store/change/change.ts'
import { changeTime, type EmptiedTables, emptyRows, erasedText, stateInstead } from '../../store/change/empty-rows.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex, inList } from '../../store/engine/dialect.ts'
import { hostOfAddress, readDomainName, unitOf } from '../normalization/normalization.ts'
import type { ErasedTables } from '../room.ts'
import { deleteEntriesOf } from './dns/cache.queries.ts'

/** Erases the derived rows, candidates and accepted domains of a record. */
export const erasedTables: ErasedTables = {
  domain_uses: { by: 'business_id', deletes: true, along: 'domain_uses_by_business' },
  domain_records: { by: 'business_id', deletes: true },
  domain_candidate_states: {
    by: 'candidate_id',
    of: 'domain_candidates',
    set: {
      domain: '',
      evaluation: '{}',
      fingerprint: '',
      evaluated_at: changeTime,
      state: stateInstead(['open'], 'superseded'),
      decision_reason: erasedText,
      withdrawal_reason: erasedText,
    },
  },
  domain_candidates: { set: { domain: '', host: null, reason: erasedText }, counts: 'domainCandidates' },
  domain_associations: { set: { domain: '' }, counts: 'domainAssociations' },
}

const emptiedObservations: EmptiedTables = {
  dns_observations: {
    set: {
      name: null,
      domain: null,
      records: '[]',
      aliases: '[]',
      resolver: null,
      raw: null,
      raw_sha256: null,
      erased_at: changeTime,
    },
  },
}

/**
 * Erases the observations of domains that no other record of the tenant has, and returns their number. Runs before the rows and the audit events of
 * these records are emptied, because they contain the current and former domains.
 */
export async function eraseObservations(tx: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = tx.actor
  let erased = 0
  for (const domain of await domainsOf(tx.db, tenantId, businessIds)) {
    if (await isOfOthers(tx.db, { tenantId, domain, businessIds })) continue
    await deleteEntriesOf(tx.db, tenantId, domain)
    const observations = await tx.db
      .selectFrom('dns_observations')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('domain', '=', domain)
      .execute()
    const ids = observations.map(({ id }) => id)
    await emptyRows(tx, emptiedObservations, { of: 'dns_observations', ids })
    erased += ids.length
  }
  return erased
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

type Asked = { tenantId: string; domain: string; businessIds: readonly string[] }

/** Returns true if a record other than these uses the domain or has a candidate for it. */
async function isOfOthers(db: Db, { tenantId, domain, businessIds }: Asked): Promise<boolean> {
  const own = inList(businessIds)
  const { rows } = await sql`
    SELECT 1 FROM domain_uses WHERE tenant_id = ${tenantId} AND domain = ${domain} AND business_id NOT IN ${own}
    UNION ALL
    SELECT 1 FROM domain_candidate_states s JOIN domain_candidates c ON c.tenant_id = s.tenant_id AND c.id = s.candidate_id
    WHERE s.tenant_id = ${tenantId} AND s.domain = ${domain} AND c.business_id NOT IN ${own}
    LIMIT 1`.execute(db)
  return rows.length > 0
}
