import { actorRef } from '../../lib/actor.ts'
import type { Db } from '../../store/database.ts'
import type { Configuration } from './pipeline.rules.ts'
import type { Transition } from './pipeline.schema.ts'
import type { PipelineTransitionTable } from './pipeline.table.ts'

export async function insertTransition(db: Db, row: PipelineTransitionTable): Promise<void> {
  await db.insertInto('pipeline_transitions').values(row).execute()
}

function transitionsWithActor(db: Db) {
  return db
    .selectFrom('pipeline_transitions as t')
    .leftJoin('users as u', 'u.id', 't.actor')
    .selectAll('t')
    .select('u.name as actor_name')
}

export async function getTransition(
  db: Db,
  { tenantId, businessId, id }: { tenantId: string; businessId: string; id: string },
): Promise<Transition> {
  const row = await transitionsWithActor(db)
    .where('t.tenant_id', '=', tenantId)
    .where('t.business_id', '=', businessId)
    .where('t.id', '=', id)
    .executeTakeFirstOrThrow()
  return toTransition(row)
}

export async function selectTransitions(
  db: Db,
  wanted: { tenantId: string; businessId: string; before: string | undefined; limit: number },
): Promise<Transition[]> {
  const { tenantId, businessId, before, limit } = wanted
  const rows = await transitionsWithActor(db)
    .where('t.tenant_id', '=', tenantId)
    .where('t.business_id', '=', businessId)
    .$if(before !== undefined, (query) => query.where('t.id', '<', before ?? ''))
    .orderBy('t.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toTransition)
}

function toTransition(row: PipelineTransitionTable & { actor_name: string | null }): Transition {
  return {
    id: row.id,
    businessId: row.business_id,
    from: row.from_state,
    to: row.to_state,
    reason: row.reason,
    at: row.at,
    actor: actorRef(row.actor, row.actor_name),
    correlationId: row.correlation_id,
    idempotencyKey: row.idempotency_key,
    mergeId: row.merge_id,
  }
}

/** Returns the configuration of the pipeline. The default, version 1, enables both optional states. */
export async function getConfiguration(db: Db, tenantId: string): Promise<Configuration & { version: number }> {
  const row = await db
    .selectFrom('pipeline_configurations')
    .select(['version', 'paused_enabled', 'disqualified_enabled'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return {
    version: row?.version ?? 1,
    pausedEnabled: row === undefined || row.paused_enabled === 1,
    disqualifiedEnabled: row === undefined || row.disqualified_enabled === 1,
  }
}

export async function saveConfiguration(
  db: Db,
  tenantId: string,
  configuration: Configuration & { version: number },
  at: string,
): Promise<void> {
  const columns = {
    version: configuration.version,
    paused_enabled: configuration.pausedEnabled ? (1 as const) : (0 as const),
    disqualified_enabled: configuration.disqualifiedEnabled ? (1 as const) : (0 as const),
    updated_at: at,
  }
  await db
    .insertInto('pipeline_configurations')
    .values({ tenant_id: tenantId, ...columns })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
    .execute()
}
