import type { Kysely } from 'kysely'
import { fingerprint } from '../../lib/hashing.ts'
import type { Database } from '../../store/database.ts'
import type { Business } from '../businesses/businesses.ts'

type Db = Kysely<Database>

/**
 * Of both records with all that hangs on them: whoever decides shows with it what they saw. Children are written once and never
 * changed, so how many there are and which is the newest says all of them.
 */
export async function pairFingerprint(db: Db, tenantId: string, pair: readonly Business[]): Promise<string> {
  const graphs: unknown[] = []
  for (const business of pair) {
    graphs.push({
      id: business.id,
      version: business.version,
      status: business.status,
      doNotContact: business.doNotContact?.at ?? null,
      evidence: await children(db, 'evidence', tenantId, business.id),
      notes: await children(db, 'notes', tenantId, business.id),
      transitions: await children(db, 'pipeline_transitions', tenantId, business.id),
    })
  }
  return fingerprint(graphs)
}

async function children(
  db: Db,
  table: 'evidence' | 'notes' | 'pipeline_transitions',
  tenantId: string,
  businessId: string,
) {
  const { newest, count } = await db
    .selectFrom(table)
    .select(({ fn }) => [fn.max('id').as('newest'), fn.countAll<number>().as('count')])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow()
  return { newest, count }
}
