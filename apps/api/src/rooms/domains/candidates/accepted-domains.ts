import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { familyOf } from '../../businesses/businesses.ts'

/** Maximum number of accepted domains that are read per record, oldest first. */
const MAX_ACCEPTED = 100

type AcceptedDomain = { candidateId: string; domain: string }

/** Returns the domains that were accepted for a record, or for a record merged into it, without withdrawn ones. At most 100, oldest first. */
export async function acceptedDomainsOf(
  db: Kysely<Database>,
  tenantId: string,
  businessId: string,
): Promise<AcceptedDomain[]> {
  const family = await familyOf(db, tenantId, businessId)
  return db
    .selectFrom('domain_associations as a')
    .innerJoin('domain_candidate_states as s', (join) =>
      join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.candidate_id', '=', 'a.candidate_id'),
    )
    .select(['a.candidate_id as candidateId', 'a.domain'])
    .where('a.tenant_id', '=', tenantId)
    .where('a.business_id', 'in', family)
    .where('s.state', '=', 'accepted')
    .where('a.domain', '<>', '')
    .orderBy('a.id')
    .limit(MAX_ACCEPTED)
    .execute()
}
