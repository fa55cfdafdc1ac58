import type { Kysely } from 'kysely'
import { type PipelineState, pipelineStates } from '../../../lib/pipeline-state.ts'
import type { Database } from '../../../store/database.ts'
import type { BusinessTable } from '../businesses.table.ts'

/** Filters that the stored counts support, in any combination. */
export type CubeFilter = {
  tenantId: string
  state?: PipelineState
  assigneeId?: string | null
  province?: BusinessTable['province_code']
  doNotContact?: boolean
  hasEvidence?: boolean
}

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
