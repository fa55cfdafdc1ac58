import type { Logger } from 'pino'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { RULES_VERSION } from '../../contact-gate/contact-gate.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { createJob } from '../../jobs/jobs.ts'
import { suppressionReevaluation } from '../suppression.jobs.ts'
import { evaluationState, saveEvaluation } from './evaluation.queries.ts'

/**
 * For a tenant that was just created: whatever it comes to hold is keyed by the rules of this build, so the next start has nothing to
 * evaluate. A tenant that holds something already is left as it is.
 */
export async function markEvaluatedWhenEmpty(store: Store, tenantId: string): Promise<void> {
  if ((await evaluationState(store.reader, tenantId, RULES_VERSION)) === 'blank')
    await settle(store, tenantId, RULES_VERSION)
}

/** Past `change()`: nobody did anything, and what is written can be found out again. */
async function settle(store: Store, tenantId: string, rulesVersion: string): Promise<void> {
  await store.writes.write(async () => {
    await saveEvaluation(store.writer, tenantId, rulesVersion, store.clock().toISOString())
    return { keep: true, value: undefined }
  })
}

/**
 * Asks for a re-evaluation of every tenant whose records were keyed by other rules than those of this build, at its start: until the job
 * has run, what the old rules matched stays matched, and nothing of it lifts anything. A tenant that fails is told in the log and tried at
 * the next start; the others go on.
 */
export async function queueReevaluations(
  store: Store,
  logger: Pick<Logger, 'info' | 'error'>,
  rulesVersion: string = RULES_VERSION,
): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    const standing = await evaluationState(store.reader, tenantId, rulesVersion)
    if (standing === 'blank') await settle(store, tenantId, rulesVersion)
    if (standing !== 'outdated') return
    const actor = systemActor('suppression', tenantId, newId())
    const options = { permission: 'suppression.add', action: 'job.create' }
    await change(store, actor, options, (tx) => createJob(tx, { kind: suppressionReevaluation, input: {} }))
    logger.info({ tenant: tenantId, rulesVersion }, 'suppressions are evaluated again')
  }).catch((error: unknown) => {
    if (!(error instanceof AggregateError)) throw error
    logger.error({ err: error }, 'a re-evaluation of suppressions was not queued')
  })
}
