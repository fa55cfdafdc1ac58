import type { Kysely } from 'kysely'
import { type PipelineState, pipelineStates } from '../../../lib/pipeline-state.ts'
import type { Database } from '../../../store/database.ts'
import type { Count } from '../../../store/engine/count-up-to.ts'
import type { Store } from '../../../store/store.ts'
import type { Filter } from './business-filter.ts'

/** Filters that the stored counts support, in any combination. */
export type CubeFilter = Pick<Filter, 'tenantId' | 'state' | 'assigneeId' | 'province' | 'doNotContact' | 'hasEvidence'>

/** Returns the exact number of matching active businesses from the stored counts. */
export async function countInCube(db: Kysely<Database>, filter: CubeFilter): Promise<number> {
  const { tenantId, state, assigneeId, province, doNotContact, hasEvidence } = filter
  const row = await db
    .selectFrom('business_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('tenant_id', '=', tenantId)
    .$if(state !== undefined, (query) => query.where('pipeline_state', '=', state ?? 'new'))
    .$if(province !== undefined, (query) => query.where('province_code', '=', province ?? ''))
    .$if(assigneeId !== undefined, (query) => query.where('assignee_id', '=', assigneeId ?? ''))
    .$if(doNotContact !== undefined, (query) => query.where('do_not_contact', '=', doNotContact ? 1 : 0))
    .$if(hasEvidence !== undefined, (query) => query.where('has_evidence', '=', hasEvidence ? 1 : 0))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function countWithTag(db: Kysely<Database>, tenantId: string, tagKey: string): Promise<number> {
  const row = await db
    .selectFrom('business_tag_counts')
    .select('count')
    .where('tenant_id', '=', tenantId)
    .where('tag_key', '=', tagKey)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Counts active businesses by state. States without businesses are included with 0. */
export async function countByState(db: Kysely<Database>, tenantId: string): Promise<Record<PipelineState, number>> {
  const rows = await db
    .selectFrom('business_counts')
    .select((eb) => ['pipeline_state', eb.fn.sum<number>('count').as('count')])
    .where('tenant_id', '=', tenantId)
    .groupBy('pipeline_state')
    .execute()
  const counts = new Map(rows.map((row) => [row.pipeline_state, row.count]))
  return Object.fromEntries(pipelineStates.map((state) => [state, counts.get(state) ?? 0])) as Record<
    PipelineState,
    number
  >
}

/** Maximum age of a cached count. It limits the delay until changes of other processes are visible; changes of this process are visible at once. */
const MAX_AGE_MS = 1_000
const MAX_KEPT = 500

export type CountMemory = (key: string, count: () => Promise<Count>) => Promise<Count & { at: Date }>

type Kept = { counting: Promise<Count & { at: Date }>; commits: number; at: Date }

/**
 * Returns a cache of counts that is valid until the next commit, so that a repeated list is not counted again. Requests for the same list share a count that
 * has not ended.
 */
export function createCountMemory(store: Store): CountMemory {
  const kept = new Map<string, Kept>()
  return (key, count) => {
    const at = store.clock()
    const commits = store.writes.commits()
    const known = kept.get(key)
    if (known !== undefined && known.commits === commits && at.getTime() - known.at.getTime() < MAX_AGE_MS)
      return known.counting
    if (kept.size >= MAX_KEPT) kept.clear()
    const fresh = { counting: count().then((found) => ({ ...found, at })), commits, at }
    kept.set(key, fresh)
    fresh.counting.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key)
    })
    return fresh.counting
  }
}
