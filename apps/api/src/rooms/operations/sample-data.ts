import { AppError } from '../../lib/app-error.ts'
import { change, type Tx, type Unchanged } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import { blockBusiness, createBusiness, createBusinessSchema } from '../businesses/businesses.ts'
import { addEvidence, addEvidenceSchema } from '../evidence/evidence.ts'
import { systemActor, tenantExists } from '../identity/identity.ts'
import { addNote, addNoteSchema } from '../notes/notes.ts'
import { movePipeline, moveSchema } from '../pipeline/pipeline.ts'
import { generateSample } from './sample/generate-sample.ts'
import type { SamplePlan } from './sample/sample-plan.ts'

export const SAMPLE_BUSINESSES_DEFAULT = 500
/** A sample is for looking at; a benchmark fills its store another way. */
export const SAMPLE_BUSINESSES_MAX = 5_000

export type SampleResult = { businesses: number; evidence: number; notes: number; moves: number }

/**
 * Fills an empty tenant with believable prospects, through the same rooms and the same checks as a person would use, so every
 * step is audited. Refuses a tenant that has records: samples never mix with real work.
 * Errors: `conflict` when the tenant has prospects, `not_found` when there is no such tenant.
 */
export async function fillWithSampleData(
  store: Store,
  options: { tenantId: string; businesses: number; seed: number },
): Promise<SampleResult> {
  const { tenantId, businesses, seed } = options
  await requireEmptyTenant(store, tenantId)
  const members = await memberIds(store, tenantId)
  const result: SampleResult = { businesses: 0, evidence: 0, notes: 0, moves: 0 }
  for (const plan of generateSample({ seed, businesses, now: store.clock() })) {
    await carryOut(store, tenantId, members, plan)
    result.businesses += 1
    result.evidence += plan.evidence.length
    result.notes += plan.notes.length
    result.moves += plan.moves.length
  }
  return result
}

async function requireEmptyTenant(store: Store, tenantId: string): Promise<void> {
  if (!(await tenantExists(store.reader, tenantId))) throw new AppError('not_found', `There is no tenant ${tenantId}.`)
  const any = await store.reader
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .executeTakeFirst()
  if (any !== undefined) {
    throw new AppError('conflict', 'This tenant has prospects already; sample data goes into an empty tenant only.')
  }
}

async function memberIds(store: Store, tenantId: string): Promise<string[]> {
  const rows = await store.reader
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** One plan, step by step, each a change of its own, as a person would have made it. */
async function carryOut(store: Store, tenantId: string, members: readonly string[], plan: SamplePlan): Promise<void> {
  const actor = systemActor('sample data', tenantId)
  const step = <T>(action: string, work: (tx: Tx) => Promise<T | Unchanged<T>>) =>
    change(store, actor, { permission: null, action }, work)
  const assigneeId = plan.assignee === null ? null : (members[plan.assignee % members.length] ?? null)
  const create = createBusinessSchema.parse({ ...plan.create, assigneeId })
  const { id } = (await step('business.create', (tx) => createBusiness(tx, create))).value
  for (const body of plan.evidence)
    await step('evidence.add', (tx) => addEvidence(tx, id, addEvidenceSchema.parse(body)))
  for (const body of plan.notes) await step('note.add', (tx) => addNote(tx, id, addNoteSchema.parse(body)))
  for (const body of plan.moves) await step('pipeline.move', (tx) => movePipeline(tx, id, moveSchema.parse(body)))
  const { doNotContact } = plan
  if (doNotContact !== undefined) await step('business.block', (tx) => blockBusiness(tx, id, doNotContact.reason))
}
