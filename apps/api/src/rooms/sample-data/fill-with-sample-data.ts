import { AppError } from '../../lib/app-error.ts'
import type { LoadedAdapters } from '../../load-adapters.ts'
import { change } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { blockBusiness, createBusiness, createBusinessSchema } from '../businesses/businesses.ts'
import { addEvidence, addEvidenceSchema } from '../evidence/evidence.ts'
import { systemActor, tenantExists } from '../identity/identity.ts'
import type { JobContext } from '../jobs/jobs.ts'
import { addNote, addNoteSchema } from '../notes/notes.ts'
import { movePipeline, moveSchema } from '../pipeline/pipeline.ts'
import type { Room } from '../room.ts'
import type { SampleProspect } from '../sample-desk.ts'
import { markEvaluatedWhenEmpty } from '../suppression/suppression.ts'
import { generateSample } from './generate-sample.ts'
import { addColleagues, addSampleDay } from './sample-day.ts'
import type { SamplePlan } from './sample-plan.ts'
import { addSampleScores, administratorOf, type Step } from './sample-scores.ts'

export const SAMPLE_BUSINESSES_DEFAULT = 500
/** Maximum number of sample businesses. Benchmarks fill their stores in another way. */
export const SAMPLE_BUSINESSES_MAX = 5_000

/** Number of businesses between two checks for cancellation. */
const PROSPECTS_PER_CHECKPOINT = 5

export type SampleResult = { businesses: number; evidence: number; notes: number; moves: number }

/**
 * Fills an empty tenant with realistic prospects, three colleagues and their work of three months, and an approved rule set. It uses the same functions and checks as people's
 * requests, so every step is audited. A tenant that has records is rejected, because samples must never mix with real work. Errors: `conflict` (the
 * tenant has prospects), `not_found` (no such tenant).
 */
export async function fillWithSampleData(
  store: Store,
  options: { tenantId: string; businesses: number; seed: number; rooms: readonly Room[]; adapters: LoadedAdapters },
): Promise<SampleResult> {
  const { tenantId, businesses, seed, rooms, adapters } = options
  await requireEmptyTenant(store, tenantId)
  await markEvaluatedWhenEmpty(store, tenantId)
  const administratorId = await administratorOf({ store, tenantId })
  await addColleagues(store, tenantId)
  const members = await memberIds(store, tenantId)
  const actor = systemActor('sample data', tenantId)
  const step: Step = async (_name, action, work) =>
    (await change(store, actor, { permission: null, action }, work)).value
  const result = { businesses: 0, evidence: 0, notes: 0, moves: 0 }
  const prospects: SampleProspect[] = []
  for (const plan of generateSample({ seed, businesses, now: store.clock() })) {
    const id = await carryOut(step, members, plan, result.businesses)
    if (plan.doNotContact === undefined) prospects.push(prospectOf(id, plan))
    count(result, plan)
  }
  await addSampleDay({ store, tenantId, adapters, rooms, administratorId, prospects })
  await addSampleScores({ store, tenantId, signal: new AbortController().signal, progress: () => undefined }, step)
  return result
}

/** State with which a sample job resumes. `now`: time of its plans, so that the same plans are generated. `done`: number of finished plans. */
type Resume = { now: string; done: number }

/**
 * Fills the tenant in a job. A retry resumes, and each step is done only once, however often the job restarts. Errors: `conflict` (the tenant has
 * prospects that are not of this sample).
 */
export async function fillAsJob(
  context: JobContext,
  { businesses, seed }: { businesses: number; seed: number },
): Promise<SampleResult> {
  const { store, tenantId, progress, checkpoint, effect } = context
  let resume = resumeOf(context)
  if (resume === undefined) {
    await requireEmptyTenant(store, tenantId)
    resume = { now: store.clock().toISOString(), done: 0 }
    await checkpoint(resume)
  }
  const { now, done } = resume
  const members = await memberIds(store, tenantId)
  const step: Step = (name, action, work) => effect(name, { action }, work)
  const result = { businesses: 0, evidence: 0, notes: 0, moves: 0 }
  for (const plan of generateSample({ seed, businesses, now: Date.parse(now) })) {
    if (result.businesses >= done) await carryOut(step, members, plan, result.businesses)
    count(result, plan)
    if (result.businesses <= done) continue
    progress({ done: result.businesses, total: businesses, unit: 'prospects' })
    if (result.businesses % PROSPECTS_PER_CHECKPOINT === 0) await checkpoint({ now, done: result.businesses })
  }
  await addSampleScores(context, step)
  return result
}

function resumeOf({ resume }: JobContext): Resume | undefined {
  return typeof resume?.now === 'string' && typeof resume.done === 'number'
    ? { now: resume.now, done: resume.done }
    : undefined
}

function count(result: SampleResult, plan: SamplePlan): void {
  result.businesses += 1
  result.evidence += plan.evidence.length
  result.notes += plan.notes.length
  result.moves += plan.moves.length
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
    throw new AppError('conflict', 'This workspace already has prospects. Sample data needs an empty workspace.')
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

function prospectOf(id: string, { create, moves }: SamplePlan): SampleProspect {
  const { name, emails = [], phones = [], domains = [] } = create
  return {
    id,
    name,
    email: emails[0]?.value ?? null,
    phone: phones[0]?.value ?? null,
    phoneRegion: phones[0]?.region ?? null,
    domain: domains[0]?.value ?? null,
    isWorked: moves.length > 0,
  }
}

/** Runs one plan, step by step. Returns the id of the business. */
async function carryOut(step: Step, members: readonly string[], plan: SamplePlan, number: number): Promise<string> {
  const assigneeId = plan.assignee === null ? null : (members[plan.assignee % members.length] ?? null)
  const create = createBusinessSchema.parse({ ...plan.create, assigneeId })
  const { id } = await step(`${number}.create`, 'business.create', async (tx) => {
    const { id } = await createBusiness(tx, create)
    return { id }
  })
  for (const [index, body] of plan.evidence.entries())
    await step(`${number}.evidence.${index}`, 'evidence.add', async (tx) => {
      await addEvidence(tx, id, addEvidenceSchema.parse(body))
    })
  for (const [index, body] of plan.notes.entries())
    await step(`${number}.note.${index}`, 'note.add', (tx) => addNote(tx, id, addNoteSchema.parse(body)))
  for (const [index, body] of plan.moves.entries())
    await step(`${number}.move.${index}`, 'pipeline.move', async (tx) => {
      await movePipeline(tx, id, moveSchema.parse(body))
    })
  const { doNotContact } = plan
  if (doNotContact !== undefined)
    await step(`${number}.block`, 'business.block', async (tx) => {
      await blockBusiness(tx, id, doNotContact.reason)
    })
  return id
}
