import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { familiesOf } from '../../businesses/businesses.ts'

/** Maximum number of accepted domains that are read per record, oldest first. */
const MAX_ACCEPTED = 100

export type AcceptedDomain = { candidateId: string; domain: string }

const acceptedOf = prepared<{ tenantId: string; ids: readonly string[] }>()(
  (_db, param) => sql<AcceptedDomain & { id: string; businessId: string }>`
    SELECT a.id, a.business_id AS "businessId", a.candidate_id AS "candidateId", a.domain
    FROM ${elementsOf(param('ids'), 'wanted')}
      ${thenJoin} domain_associations a ON a.tenant_id = ${param('tenantId')} AND a.id IN (
        SELECT x.id FROM domain_associations x ${thenJoin} domain_candidate_states s
          ON s.tenant_id = x.tenant_id AND s.candidate_id = x.candidate_id AND s.state = 'accepted'
        WHERE x.tenant_id = ${param('tenantId')} AND x.business_id = wanted.value AND x.domain <> ''
        ORDER BY x.id LIMIT ${MAX_ACCEPTED})
    ORDER BY a.id`,
)

/** Returns the domains that were accepted for a record, or for a record merged into it, without withdrawn ones. At most 100, oldest first. */
export async function acceptedDomainsOf(
  db: Kysely<Database>,
  tenantId: string,
  businessId: string,
): Promise<AcceptedDomain[]> {
  const families = await familiesOf(db, tenantId, [businessId])
  return (await acceptedDomainsOfEach(db, tenantId, families)).get(businessId) ?? []
}

/** `acceptedDomainsOf` for the records of a page, with their families. */
export async function acceptedDomainsOfEach(
  db: Kysely<Database>,
  tenantId: string,
  families: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, AcceptedDomain[]>> {
  const rows = await acceptedOf(db, { tenantId, ids: [...new Set([...families.values()].flat())] })
  return new Map(
    [...families].map(([id, family]) => {
      const ofFamily = rows.filter(({ businessId }) => family.includes(businessId)).slice(0, MAX_ACCEPTED)
      return [id, ofFamily.map(({ candidateId, domain }) => ({ candidateId, domain }))]
    }),
  )
}
