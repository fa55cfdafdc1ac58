import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { Coverage } from '../proof.rules.ts'

/**
 * Returns which part of a chain its checkpoints cover. The caller must read `recordedTo` before the file, because the file is never older than the
 * record.
 */
export async function readCoverage(
  db: Kysely<Database>,
  tenantId: string,
  { coveredTo, recordedTo }: Pick<Coverage, 'coveredTo' | 'recordedTo'>,
): Promise<Coverage> {
  const events = db.selectFrom('audit_events').select(['sequence', 'at']).where('tenant_id', '=', tenantId).limit(1)
  const newest = await events.orderBy('sequence', 'desc').executeTakeFirst()
  const uncovered = await events.where('sequence', '>', coveredTo).orderBy('sequence').executeTakeFirst()
  return { newest: newest ?? null, coveredTo, recordedTo, uncovered: uncovered ?? null }
}
