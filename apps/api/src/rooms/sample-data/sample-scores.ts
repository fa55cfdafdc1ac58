import { AppError } from '../../lib/app-error.ts'
import type { AuditAction } from '../../lib/declared.ts'
import { change, type Tx, type Unchanged } from '../../store/change/change.ts'
import { systemActor } from '../identity/identity.ts'
import type { JobContext } from '../jobs/jobs.ts'
import {
  approveVersion,
  createRuleSet,
  editVersion,
  getVersion,
  requestPreview,
  requestRun,
  runPreview,
  submitVersion,
} from '../scoring/scoring.ts'

/** Runs `work` as a change of its own, once per `name`. */
export type Step = <T>(name: string, action: AuditAction, work: (tx: Tx) => Promise<T | Unchanged<T>>) => Promise<T>

type Context = Pick<JobContext, 'store' | 'tenantId' | 'signal' | 'progress'>

/**
 * Creates one approved rule set from a template, by the same steps that people would take, and requests a recalculation that activates its scores
 * once a worker has run it. A second system actor approves the rule set, because its author must not.
 */
export async function addSampleScores(context: Context, step: Step): Promise<void> {
  const { store, tenantId } = context
  const ownerId = await administratorOf(context)
  const { id: ruleSetId } = await step('scoring.create', 'scoring_rule_set.create', async (tx) => {
    const { id } = await createRuleSet(tx, {
      name: 'Reachable first',
      template: 'reachable',
      ownerId,
      description: 'Sample rules: prospects with current contact details and a clear identity come first.',
    })
    return { id }
  })
  const key = { tenantId, ruleSetId, number: 1 }
  await step('scoring.plan', 'scoring_version.edit', async (tx) => {
    await editVersion(tx, key, { edit: 1, input: { rollbackPlan: 'Activate the run before, or retire this version.' } })
    return null
  })
  const { id: previewId } = await step('scoring.preview', 'scoring_preview.request', async (tx) => {
    const { id } = await requestPreview(tx, key, { against: 'active' })
    return { id }
  })
  const effect: JobContext['effect'] = (name, { action }, work) => step(`scoring.preview.${name}`, action, work)
  await runPreview({ ...context, effect }, previewId)
  await step('scoring.submit', 'scoring_version.submit', async (tx) => {
    await submitVersion(tx, key)
    return null
  })
  const { state, contentHash } = await getVersion(store.reader, key, store.clock().toISOString())
  if (state === 'submitted')
    await change(
      store,
      systemActor('sample approval', tenantId),
      { permission: null, action: 'scoring_version.approve' },
      (tx) => approveVersion(tx, key, { contentHash, previewId, reason: 'Sample rules.' }),
    )
  await step('scoring.run', 'scoring_run.create', async (tx) => {
    const { id } = await requestRun(tx, {
      ruleSetId,
      version: 1,
      reason: 'The first scores of the sample.',
      activate: 'when_complete',
    })
    return { id }
  })
}

export async function administratorOf({ store, tenantId }: Pick<Context, 'store' | 'tenantId'>): Promise<string> {
  const row = await store.reader
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active')
    .orderBy('role')
    .orderBy('user_id')
    .executeTakeFirst()
  if (row === undefined) throw new AppError('conflict', 'This workspace has no member who could own the sample rules.')
  return row.user_id
}
