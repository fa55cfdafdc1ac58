import type { Logger } from 'pino'
import { newId } from '../../lib/ids.ts'
import { change } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import { listTenants, systemActor } from '../identity/identity.ts'
import { createJob } from '../jobs/jobs.ts'
import { needsReevaluation } from './evaluation.queries.ts'
import { RULES_VERSION } from './match-keys.rules.ts'
import { suppressionReevaluation } from './suppression.jobs.ts'

/**
 * Asks for a re-evaluation of every tenant whose records were keyed by other rules than those of this build, at its start: until the job
 * has run, what the old rules matched stays matched, and nothing of it lifts anything. A tenant that fails is told in the log and tried at
 * the next start; the others go on.
 */
export async function reevaluateWhereRulesChanged(
  store: Store,
  logger: Pick<Logger, 'info' | 'error'>,
  rulesVersion: string = RULES_VERSION,
): Promise<void> {
  for (const { id: tenantId } of await listTenants(store.reader)) {
    try {
      if (!(await needsReevaluation(store.reader, tenantId, rulesVersion))) continue
      const actor = systemActor('suppression', tenantId, newId())
      const options = { permission: 'suppression.add', action: 'job.create' }
      await change(store, actor, options, (tx) => createJob(tx, { kind: suppressionReevaluation, input: {} }))
      logger.info({ tenant: tenantId, rulesVersion }, 'suppressions are evaluated again')
    } catch (error) {
      logger.error({ err: error, tenant: tenantId }, 'a re-evaluation of suppressions was not queued')
    }
  }
}
