import { AppError, type ErrorCode } from '../../../lib/app-error.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import type { Client } from './request-origin.ts'
import { systemActor } from './tenants-and-users.ts'

/** Maximum number of stored failures of unknown accounts. Older ones are deleted. */
const MAX_UNKNOWN_ATTEMPTS = 10_000

export type Failure = {
  action: 'session.fail' | 'mfa.fail' | 'password.fail' | 'link.fail' | 'company.fail'
  tenantId: string
  userId: string
  client: Client
  correlationId: string
  /** the kind of attempt, such as a password or a code; never the value that was entered */
  by: string
  /** why the attempt failed, if there is more than one possible cause */
  reason?: string
}

/** Records a failure of an account in the audit of its tenant. The actor is the system part `sign-in`, because no person is signed in yet. */
export async function recordFailure(store: Store, failure: Failure): Promise<void> {
  const { action, tenantId, userId, client, correlationId, by, reason } = failure
  const actor = systemActor('sign-in', tenantId, correlationId)
  await change(store, actor, { permission: null, action }, (tx) =>
    tx.record({
      subject: { type: 'user', id: userId },
      after: { ...client, by, ...(reason === undefined ? {} : { reason }) },
    }),
  )
}

/**
 * Records a failure of an unknown account or link. It belongs to no tenant, so it is stored in a separate table of limited size, without the entered
 * value, which can be a password typed into the wrong field. It takes one durable write, as the failure of a known account does, so that both take
 * the same time.
 */
export async function recordUnknownAttempt(store: Store, tried: string, { address, agent }: Client): Promise<void> {
  await store.write('accounts', async (db) => {
    const at = store.clock().toISOString()
    const { id } = await db
      .insertInto('unknown_attempts')
      .values({ at, tried, address, agent })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .deleteFrom('unknown_attempts')
      .where('id', '<=', id - MAX_UNKNOWN_ATTEMPTS)
      .execute()
    return { keep: true, value: undefined }
  })
}

/** Runs `work`. If it throws an error with one of these codes, records the failure and throws the error again. */
export async function recordingFailures<T>(
  store: Store,
  codes: readonly ErrorCode[],
  failure: Failure,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) await recordFailure(store, failure)
    throw error
  }
}
