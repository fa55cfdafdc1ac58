import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'

/** Returns the actions of the stored audit events about a run. */
export async function findRecordedSteps(db: Kysely<Database>, tenantId: string, runId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select('action')
    .where('tenant_id', '=', tenantId)
    .where('subject_id', '=', runId)
    .where('subject_type', '=', 'scoring_run')
    .orderBy('sequence')
    .limit(100)
    .execute()
  return rows.map(({ action }) => action)
}
