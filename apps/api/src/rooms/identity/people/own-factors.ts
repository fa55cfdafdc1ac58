import { AppError, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import { recordingFailures } from '../accounts/account-failures.ts'
import type { Attestation, CreationOptions } from '../accounts/passkeys.schema.ts'
import {
  countRecoveryCodes,
  deleteEnrolment,
  deletePasskey,
  deletePasskeys,
  deleteTotp,
  findEnrolment,
  findPasskey,
  findTotp,
  insertPasskey,
  listCredentials,
  listPasskeys,
  noteSecondFactor,
  replaceRecoveryCodes,
  saveEnrolment,
  saveTotp,
} from '../factors/factors.queries.ts'
import { passkeyQuota } from '../factors/factors.quota.ts'
import type { Enrolment, Factors, Passkey } from '../factors/factors.schema.ts'
import { creationOptions, verifyAttestation } from '../factors/passkeys.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../factors/recovery-codes.ts'
import { acceptedStep, newTotpSecret, sealTotpSecret, unsealTotpSecret } from '../factors/totp.ts'
import { findMembership, getPerson } from '../identity.queries.ts'
import type { Accounts, Caller } from '../sessions/account-context.ts'
import { endSessionsOf } from '../sessions/own-sessions.ts'
import { isSecondFactorRequired } from '../sessions/session-state.rules.ts'
import { rotateToken } from '../sessions/sessions.ts'

const ENROLMENT_LIFE_MS = 15 * 60_000

type Enrolled = { token: string; recoveryCodes: string[] | null }

export async function getFactors({ store, environment }: Accounts, { actor }: Caller): Promise<Factors> {
  const { userId } = actor
  const totp = await findTotp(store.reader, userId)
  const member = await findMembership(store.reader, actor.tenantId, userId)
  return {
    required: member !== undefined && isSecondFactorRequired(member.role, { environment }),
    totp: totp === undefined ? null : { enrolledAt: totp.enrolledAt },
    passkeys: await listPasskeys(store.reader, userId),
    recoveryCodesLeft: await countRecoveryCodes(store.reader, userId),
  }
}

/**
 * Starts the enrolment of an authenticator app. The enrolment is bound to this session and expires after a quarter of an hour. Another call replaces
 * it.
 */
export async function beginEnrolment({ store }: Accounts, { actor, sessionId, client }: Caller): Promise<Enrolment> {
  const { userId } = actor
  const { email } = await getPerson(store.reader, userId)
  const { secret, otpauthUri } = newTotpSecret(email)
  const { value: expiresAt } = await change(store, actor, { permission: null, action: 'mfa.begin' }, async (tx) => {
    const endsAt = new Date(Date.parse(tx.at) + ENROLMENT_LIFE_MS).toISOString()
    const sealed = sealTotpSecret(store.keys, secret, userId)
    await saveEnrolment(tx.db, { sessionId, secret: sealed, expiresAt: endsAt })
    await tx.record({ subject: { type: 'user', id: userId }, after: { ...client, factor: 'totp' } })
    return endsAt
  })
  return { secret, otpauthUri, expiresAt }
}

/**
 * Completes the enrolment of an app if the code is valid. This session then counts as verified by the app, and all other sessions end. With the first
 * factor the person gets ten recovery codes. Errors: `enrolment_expired` (this session has no open enrolment), `second_factor_invalid`.
 */
export async function confirmEnrolment(accounts: Accounts, caller: Caller, code: string): Promise<Enrolled> {
  const { store, proofLimits } = accounts
  const { actor, sessionId, client } = caller
  const { userId, tenantId, correlationId } = actor
  const attempt = { account: `enrol ${userId}`, address: client.address ?? '' }
  proofLimits.take(attempt)
  const failure = { action: 'mfa.fail' as const, tenantId, userId, client, correlationId, by: 'enrolment' }
  const codes = ['second_factor_invalid', 'enrolment_expired'] as const
  const enrolled = await recordingFailures(store, codes, failure, async () => {
    const work = async (tx: Tx) => {
      const begun = await findEnrolment(tx.db, sessionId, tx.at)
      if (begun === undefined) {
        throw new AppError(
          'enrolment_expired',
          'This set-up has expired, or was started in another window. Start again.',
        )
      }
      const secret = unsealTotpSecret(store.keys, begun.secret, userId)
      const step = acceptedStep(secret, code, { now: new Date(tx.at), afterStep: 0 })
      if (step === undefined) {
        throw new AppError(
          'second_factor_invalid',
          'This code is incorrect. Check the clock of the device and try the next code.',
        )
      }
      await saveTotp(tx.db, { userId, secret: begun.secret, lastStep: step, at: tx.at })
      await deleteEnrolment(tx.db, sessionId)
      return enrol(accounts, tx, caller, { factor: 'totp' })
    }
    const { value } = await proofLimits.whileAvailable(attempt, () =>
      change(store, actor, { permission: null, action: 'mfa.enrol' }, work),
    )
    return value
  })
  proofLimits.giveBack(attempt)
  return enrolled
}

export async function passkeyCreationOptions(
  accounts: Accounts,
  { actor, sessionId }: Caller,
  origin: string,
): Promise<CreationOptions> {
  const { reader } = accounts.store
  const user = await getPerson(reader, actor.userId)
  const known = await listCredentials(reader, actor.userId)
  return creationOptions(accounts.challenges, { origin, sessionId, user, known })
}

/** Registers a passkey. Errors: `passkey_invalid` (a response to another session's challenge, from another origin, or altered), `conflict` (enrolled already),
 * `limit_reached`. */
export async function addPasskey(
  accounts: Accounts,
  caller: Caller,
  { name, attestation, origin }: { name: string; attestation: Attestation; origin: string },
): Promise<Enrolled & { passkey: Passkey }> {
  const { store, challenges } = accounts
  const { actor, sessionId, client } = caller
  const { userId, tenantId, correlationId } = actor
  const failure = { action: 'mfa.fail' as const, tenantId, userId, client, correlationId, by: 'passkey enrolment' }
  const made = await recordingFailures(store, ['passkey_invalid'], failure, () =>
    verifyAttestation(challenges, { origin, sessionId, attestation }),
  )
  const { value } = await change(store, actor, { permission: null, action: 'mfa.enrol' }, async (tx) => {
    await requireRoom(tx, passkeyQuota)
    if ((await findPasskey(tx.db, made.credentialId)) !== undefined) {
      throw new AppError('conflict', 'This passkey is already set up.')
    }
    const passkey = { id: newId(), name, createdAt: tx.at, lastUsedAt: null }
    await insertPasskey(tx.db, {
      id: passkey.id,
      user_id: userId,
      credential_id: made.credentialId,
      public_key: made.publicKey,
      counter: made.counter,
      transports: JSON.stringify(made.transports),
      name,
      created_at: tx.at,
    })
    return { passkey, ...(await enrol(accounts, tx, caller, { factor: 'passkey', passkeyId: passkey.id })) }
  })
  return value
}

/**
 * Applies the effects that every new factor has: recovery codes with the first factor, a new token, the end of the other sessions, and an audit
 * event.
 */
async function enrol(
  accounts: Accounts,
  tx: Tx,
  { actor, sessionId, client }: Caller,
  what: Record<string, unknown>,
): Promise<Enrolled> {
  const { userId } = actor
  await noteSecondFactor(tx.db, userId)
  const isFirst = (await countRecoveryCodes(tx.db, userId)) === 0
  const recoveryCodes = isFirst ? await renewCodes(accounts, tx, userId) : null
  await tx.record({ subject: { type: 'user', id: userId }, after: { ...client, ...what } })
  await endSessionsOf(tx, userId, { except: sessionId, after: { ...client } })
  return { token: await rotateToken(tx, sessionId, { second_factor_at: tx.at }), recoveryCodes }
}

async function renewCodes({ store }: Accounts, tx: Tx, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  const hashes = codes.map((code) => recoveryCodeHash(store.keys, code))
  await replaceRecoveryCodes(tx.db, userId, hashes)
  return codes
}

/** Replaces a person's recovery codes by ten new ones. Errors: `conflict` without a second factor. */
export async function renewRecoveryCodes(accounts: Accounts, { actor, client }: Caller): Promise<string[]> {
  const { userId } = actor
  const options = { permission: null, action: 'mfa.renew_recovery_codes' } as const
  const { value } = await change(accounts.store, actor, options, async (tx) => {
    if (!(await noteSecondFactor(tx.db, userId))) {
      throw new AppError('conflict', 'Recovery codes replace a second factor. Set up a second factor first.')
    }
    const codes = await renewCodes(accounts, tx, userId)
    await tx.record({ subject: { type: 'user', id: userId }, after: { ...client } })
    return codes
  })
  return value
}

/** Removes the authenticator app of the caller. Errors: `not_found`. */
export function removeTotp(accounts: Accounts, caller: Caller): Promise<void> {
  return remove(accounts, caller, { factor: 'totp' }, (tx) => deleteTotp(tx.db, caller.actor.userId))
}

/** Removes a passkey of the caller. Errors: `not_found`, also for another person's passkey. */
export function removePasskey(accounts: Accounts, caller: Caller, id: string): Promise<void> {
  const what = { factor: 'passkey', passkeyId: id }
  return remove(accounts, caller, what, (tx) => deletePasskey(tx.db, caller.actor.userId, id))
}

async function remove(
  { store }: Accounts,
  { actor, sessionId, client }: Caller,
  what: Record<string, unknown>,
  deleteFactor: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const { userId } = actor
  await change(store, actor, { permission: null, action: 'mfa.remove' }, async (tx) => {
    if (!(await deleteFactor(tx))) throw notFound()
    if (!(await noteSecondFactor(tx.db, userId))) await replaceRecoveryCodes(tx.db, userId, [])
    await tx.record({ subject: { type: 'user', id: userId }, after: { ...client, ...what } })
    await endSessionsOf(tx, userId, { except: sessionId, after: { ...client } })
  })
}

/** Removes every factor of a person who has lost them. The caller must record the change with its reason. */
export async function clearFactors(tx: Tx, userId: string): Promise<void> {
  await deleteTotp(tx.db, userId)
  await deletePasskeys(tx.db, userId)
  await replaceRecoveryCodes(tx.db, userId, [])
  await noteSecondFactor(tx.db, userId)
}
