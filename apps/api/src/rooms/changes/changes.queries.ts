import type { Db } from '../../store/database.ts'
import { inList } from '../../store/engine/dialect.ts'
import { prepared } from '../../store/engine/prepared.ts'

/** One audit event, reduced to its subject. */
export type ChangeRow = {
  sequence: number
  kind: string
  id: string
  businessId: string | null
  version: number | null
}
export type JobHead = { tenantId: string; id: string; kind: string; lastSequence: number }

/** Returns the events of a tenant's audit chain after a sequence, in order. */
export const selectChanges = prepared<{ tenantId: string; after: number; limit: number }>()((db, param) =>
  db
    .selectFrom('audit_events as e')
    .leftJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'e.tenant_id').onRef('b.id', '=', 'e.business_id'),
    )
    .select(['e.sequence', 'e.subject_type as kind', 'e.subject_id as id', 'e.business_id as businessId', 'b.version'])
    .where('e.tenant_id', '=', param('tenantId'))
    .where('e.sequence', '>', param('after'))
    .orderBy('e.sequence')
    .limit(param('limit')),
)

/** One audit event of the feed, reduced to its subject and its author. */
export type FeedRow = ChangeRow & {
  eventId: string
  at: string
  actor: string
  actorName: string | null
  tokenId: string | null
  tokenName: string | null
}

/** Returns the events of a tenant's audit chain after a sequence, in order, with their authors. */
export const selectFeed = prepared<{ tenantId: string; after: number; limit: number }>()((db, param) =>
  db
    .selectFrom('audit_events as e')
    .leftJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'e.tenant_id').onRef('b.id', '=', 'e.business_id'),
    )
    .leftJoin('users as u', 'u.id', 'e.actor')
    .leftJoin('access_tokens as k', (join) =>
      join.onRef('k.tenant_id', '=', 'e.tenant_id').onRef('k.id', '=', 'e.token_id'),
    )
    .select(['e.sequence', 'e.subject_type as kind', 'e.subject_id as id', 'e.business_id as businessId', 'b.version'])
    .select([
      'e.id as eventId',
      'e.at',
      'e.actor',
      'u.name as actorName',
      'e.token_id as tokenId',
      'k.name as tokenName',
    ])
    .where('e.tenant_id', '=', param('tenantId'))
    .where('e.sequence', '>', param('after'))
    .orderBy('e.sequence')
    .limit(param('limit')),
)

const eventAt = prepared<{ tenantId: string; sequence: number }>()((db, param) =>
  db
    .selectFrom('audit_events')
    .select(['id', 'at', 'sequence'])
    .where('tenant_id', '=', param('tenantId'))
    .where('sequence', '=', param('sequence')),
)

/** Returns the id and the time of the event with this sequence; undefined if there is none. */
export async function findEventAt(
  db: Db,
  tenantId: string,
  sequence: number,
): Promise<{ id: string; at: string; sequence: number } | undefined> {
  const [event] = await eventAt(db, { tenantId, sequence })
  return event
}

// This query reads the jobs of all tenants, because the index of running jobs is small and contains all tenants.
const running = prepared<Record<string, never>>()((db) =>
  db
    .selectFrom('jobs')
    .select(['tenant_id as tenantId', 'id', 'kind', 'last_sequence as lastSequence'])
    .where('status', '=', 'running'),
)

/** Returns the running jobs of all tenants. There are at most as many as the workers run concurrently. */
export function selectRunningJobs(db: Db): Promise<JobHead[]> {
  return running(db, {})
}

/** Returns these jobs with their kind and the number of their last event. */
export function selectJobHeads(db: Db, tenantId: string, ids: readonly string[]): Promise<JobHead[]> {
  return db
    .selectFrom('jobs')
    .select(['tenant_id as tenantId', 'id', 'kind', 'last_sequence as lastSequence'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', inList(ids))
    .execute()
}
