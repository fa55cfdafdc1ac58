import type { Logger } from 'pino'
import { inOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { RULES_VERSION } from '../../contact-gate/contact-gate.ts'
import { forEachTenant } from '../../identity/identity.ts'
import { ensureJob } from '../../jobs/jobs.ts'
import { suppressionReevaluation } from '../suppression.jobs.ts'
import { evaluationState, saveEvaluation } from './evaluation.queries.ts'

/**
 * Records for a new tenant that its keys are those of the present rules, so that the next start of the API queues no re-evaluation. Does nothing for
 * a tenant with records or entries.
 */
export async function markEvaluatedWhenEmpty(store: Store, tenantId: string): Promise<void> {
  if ((await evaluationState(store.reader, tenantId, RULES_VERSION)) === 'blank')
    await markEvaluated(store, tenantId, RULES_VERSION)
}

/** Records the rules by which a tenant was evaluated. It does not use `change()`, because no person acted and the row can be derived again. */
async function markEvaluated(store: Store, tenantId: string, rulesVersion: string): Promise<void> {
  await store.write({ tenantId }, async (db) => {
    await saveEvaluation(db, tenantId, rulesVersion, store.clock().toISOString())
    return { keep: true, value: undefined }
  })
}

/**
 * Queues a re-evaluation for each tenant whose keys were computed by another version of the rules, at the start of the API. The job removes no match
 * and no block. A failure for one tenant is logged and retried at the next start; the other tenants are still queued.
 */
export async function queueReevaluations(
  store: Store,
  logger: Pick<Logger, 'info' | 'error'>,
  rulesVersion: string = RULES_VERSION,
): Promise<void> {
  await inOneProcess(store, 'suppression re-evaluation', () => queueWhereOutdated(store, logger, rulesVersion))
}

async function queueWhereOutdated(
  store: Store,
  logger: Pick<Logger, 'info' | 'error'>,
  rulesVersion: string,
): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    const state = await evaluationState(store.reader, tenantId, rulesVersion)
    if (state === 'blank') await markEvaluated(store, tenantId, rulesVersion)
    if (state !== 'outdated') return
    await ensureJob(store, suppressionReevaluation, { tenantId, by: 'suppression' })
    logger.info({ tenant: tenantId, rulesVersion }, 'suppressions are being re-evaluated')
  }).catch((error: unknown) => {
    if (!(error instanceof AggregateError)) throw error
    logger.error({ err: error }, 'a re-evaluation of suppressions was not queued')
  })
}
