import { AppError, type ErrorCode } from '../../../lib/app-error.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import type { Client } from './request-origin.ts'
import { systemActor } from './tenants-and-users.ts'

/** Failures of accounts that do not exist which are kept; older ones go. */
const MAX_UNKNOWN_ATTEMPTS = 10_000

export type Failure = {
  action: 'session.fail' | 'mfa.fail' | 'password.fail' | 'link.fail'
  tenantId: string
  userId: string
  client: Client
  correlationId: string
  /** what was tried, never with what */
  by: string
}

/** Puts what went wrong at an account into the audit of its tenant. Nobody is signed in yet, so the actor is the sign-in itself. */
export async function recordFailure(store: Store, failure: Failure): Promise<void> {
  const { action, tenantId, userId, client, correlationId, by } = failure
  const actor = systemActor('sign-in', tenantId, correlationId)
  await change(store, actor, { permission: null, action }, (tx) =>
    tx.record({ subject: { type: 'user', id: userId }, after: { ...client, by } }),
  )
}

/**
 * An account or a link that does not exist belongs to no tenant: such failures are kept apart, bounded, and without what was typed, which may
 * be a password in the wrong field. One durable write like that of a known account, so that neither takes longer.
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

/** Runs `work` and, when it fails in this way, records that before the failure goes on. */
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
