import { type Kysely, sql } from 'kysely'
import type { SystemActorName } from '../../../lib/declared.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { JobKind } from '../kinds/job-kind.ts'
import { createJob } from './create-job.ts'

/** Returns the newest job of this kind that is queued or running. */
export async function findOpenJob(
  db: Kysely<Database>,
  tenantId: string,
  kind: string,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('jobs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('status', 'in', [sql.lit('queued' as const), sql.lit('running' as const)])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Queues a job of a kind without input, in the name of a part of the system, unless one is queued or running. Returns true if a job was queued.
 * Errors: `queue_full`.
 */
export async function ensureJob(
  store: Store,
  kind: JobKind<Record<string, never>>,
  { tenantId, by }: { tenantId: string; by: SystemActorName },
): Promise<boolean> {
  // Look first without a transaction, because upkeep loops call this function in every round.
  if ((await findOpenJob(store.reader, tenantId, kind.kind)) !== undefined) return false
  const { value } = await change(
    store,
    systemActor(by, tenantId),
    { permission: null, action: 'job.create' },
    async (tx) => {
      if ((await findOpenJob(tx.db, tenantId, kind.kind)) !== undefined) return unchanged(false)
      await createJob(tx, { kind, input: {} })
      return true
    },
  )
  return value
}
