import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex, elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import type { Band } from '../domains.table.ts'
import { rejectionLimits } from './rejections.schema.ts'

type OfDomain = { tenantId: string; domain: string }

/** Counts the newest open candidates of a domain by band. */
export async function countOpenOf(db: Db, { tenantId, domain }: OfDomain) {
  const { rows } = await sql<{ band: Band; count: number; newest: string }>`
    SELECT band, count(*) AS count, max(candidate_id) AS newest FROM (
      SELECT band, candidate_id FROM domain_candidate_states ${alongIndex('domain_candidate_states_by_domain')}
      WHERE tenant_id = ${tenantId} AND domain = ${domain} AND state = 'open'
      ORDER BY candidate_id DESC LIMIT ${rejectionLimits.counted + 1}) AS counted
    GROUP BY band`.execute(db)
  return rows
}

export type OpenCandidate = { id: string; businessId: string; band: Band; fingerprint: string }

/**
 * Returns open candidates of a domain that are not newer than `through`, of active records, in these bands. Reads as many candidates as the preview
 * counts, so that many of other bands do not make the query slow.
 */
export async function selectRejectable(
  db: Db,
  { tenantId, domain, through, bands, limit }: OfDomain & { through: string; bands: readonly Band[]; limit: number },
): Promise<OpenCandidate[]> {
  const listed = sql`domain_candidate_states s ${alongIndex('domain_candidate_states_by_domain')}`
  const isOpen = sql`s.tenant_id = ${tenantId} AND s.domain = ${domain} AND s.state = 'open' AND s.candidate_id <= ${through}`
  const { rows } = await sql<OpenCandidate>`
    SELECT s.candidate_id AS id, c.business_id AS "businessId", s.band, s.fingerprint
    FROM ${listed}
    ${thenJoin} domain_candidates c ON c.tenant_id = s.tenant_id AND c.id = s.candidate_id
    ${thenJoin} businesses b ON b.tenant_id = c.tenant_id AND b.id = c.business_id AND b.status = 'active'
    WHERE ${isOpen} AND s.band IN (SELECT value FROM ${elementsOf(bands, 'wanted')})
      AND s.candidate_id >= coalesce((SELECT s.candidate_id FROM ${listed} WHERE ${isOpen}
        ORDER BY s.candidate_id DESC LIMIT 1 OFFSET ${rejectionLimits.counted - 1}), '')
    ORDER BY s.candidate_id DESC
    LIMIT ${limit}`.execute(db)
  return rows
}

export async function rejectStates(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  { at, by, reason }: { at: string; by: string; reason: string },
): Promise<void> {
  await db
    .updateTable('domain_candidate_states')
    .set({ state: 'rejected', decided_at: at, decided_by: by, decision_reason: reason })
    .where('tenant_id', '=', tenantId)
    .where('candidate_id', 'in', inList(ids))
    .execute()
}
