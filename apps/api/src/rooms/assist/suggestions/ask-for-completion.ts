import { completionSchema, completionTraceSchema } from '@prospect/adapter-contract/prompt'
import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { definePurpose, type Outcome } from '../../sources/sources.ts'
import type { AssistPurpose } from '../assist.table.ts'

const completion = { permission: 'assist.request', record: completionSchema, trace: completionTraceSchema } as const

/** The purposes of `askSource` for one completion. */
export const completionPurposes = {
  prospect_summary: definePurpose({ name: 'prospect_summary', ...completion }),
  draft_text: definePurpose({ name: 'draft_text', ...completion }),
} satisfies Record<AssistPurpose, unknown>

/** True if a permit was taken for the query. A permit is taken before the call, so nothing was sent without one. */
export async function wasPermitted(
  db: Kysely<Database>,
  tenantId: string,
  { queryId }: Outcome<unknown, unknown>,
): Promise<boolean> {
  const permit = await db
    .selectFrom('source_permits')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('query_id', '=', queryId)
    .executeTakeFirst()
  return permit !== undefined
}
