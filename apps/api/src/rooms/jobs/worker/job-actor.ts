import type { Actor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isSystemActor } from '../../facts.ts'
import { memberActor, systemActor } from '../../identity/identity.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKind } from '../kinds/job-kind.ts'
import type { Runner } from './worker-options.ts'

/**
 * Returns the person who requested the job, with their current permissions and the access token of the request. Errors: `permission_denied` (the person has lost the kind's permission).
 */
export async function actorOf(runner: Pick<Runner, 'store'>, row: JobTable, kind: JobKind): Promise<Actor> {
  const { tenant_id: tenantId, actor: key, token_id: tokenId, correlation_id: correlationId } = row
  const actor = isSystemActor(key)
    ? systemActor(key, tenantId, correlationId)
    : await memberActor(runner.store.reader, { tenantId, userId: key }, correlationId)
  if (actor === undefined || !actor.permissions.has(kind.permission)) {
    throw new AppError(
      'permission_denied',
      `The person who requested this job no longer has the permission ${kind.permission}.`,
    )
  }
  return tokenId === null || actor.kind !== 'user' ? actor : { ...actor, tokenId }
}
