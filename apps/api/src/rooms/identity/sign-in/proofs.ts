import { AppError } from '../../../lib/app-error.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import { recordingFailures } from '../accounts/account-failures.ts'
import type { Assertion, RequestOptions } from '../accounts/passkeys.schema.ts'
import {
  findPasskey,
  findTotp,
  listCredentials,
  usePasskey,
  useRecoveryCode,
  useTotpStep,
} from '../factors/factors.queries.ts'
import { proofPurpose, requestOptions, verifyAssertion } from '../factors/passkeys.ts'
import { recoveryCodeHash } from '../factors/recovery-codes.ts'
import { acceptedStep, unsealTotpSecret } from '../factors/totp.ts'
import { findCredentialsOfUser } from '../identity.queries.ts'
import type { Proof } from '../identity.schema.ts'
import type { Accounts, Caller } from '../sessions/account-context.ts'
import { rotateToken } from '../sessions/sessions.ts'

export type ProofMethod = 'totp' | 'recovery_code' | 'passkey' | 'password'

/** Consumes a proof inside a change. The proof must still be valid there. Errors: `second_factor_invalid`. */
export type ConsumeProof = (tx: Tx) => Promise<ProofMethod>

/** Returns a function that consumes a code: a six-digit code of an app, or a recovery code, depending on its form. */
export function codeProof({ store }: Accounts, userId: string, typed: string): ConsumeProof {
  return /^[\d\s-]{6,9}$/.test(typed) ? totpProof(store, userId, typed) : recoveryProof(store, userId, typed)
}

function totpProof({ keys, clock }: Accounts['store'], userId: string, typed: string): ConsumeProof {
  return async (tx) => {
    const factor = await findTotp(tx.db, userId)
    const secret = factor === undefined ? undefined : unsealTotpSecret(keys, factor.secret, userId)
    const step =
      secret === undefined ? undefined : acceptedStep(secret, typed, { now: clock(), afterStep: factor?.lastStep ?? 0 })
    if (step === undefined || !(await useTotpStep(tx.db, userId, step))) throw proofInvalid()
    return 'totp'
  }
}

function recoveryProof({ keys }: Accounts['store'], userId: string, typed: string): ConsumeProof {
  return async (tx) => {
    if (!(await useRecoveryCode(tx.db, userId, recoveryCodeHash(keys, typed)))) throw proofInvalid()
    await tx.record({ action: 'mfa.use_recovery_code', subject: { type: 'user', id: userId } })
    return 'recovery_code'
  }
}

/**
 * Verifies a passkey's signature and returns a function that consumes it. Errors: `second_factor_invalid` (a passkey that is unknown, of another
 * person, or invalid here); `unavailable`.
 */
export async function passkeyProof(
  { store, challenges }: Accounts,
  options: { origin: string; purpose: string; assertion: Assertion; userId?: string; mustVerifyUser: boolean },
): Promise<ConsumeProof> {
  const { origin, purpose, assertion, userId, mustVerifyUser } = options
  const known = await findPasskey(store.reader, assertion.id)
  if (known === undefined || (userId !== undefined && known.userId !== userId)) throw proofInvalid()
  const passkey = { credentialId: assertion.id, publicKey: known.publicKey, counter: known.counter }
  const { counter } = await verifyAssertion(challenges, { origin, purpose, assertion, passkey, mustVerifyUser }).catch(
    (cause: unknown) => {
      throw cause instanceof AppError && cause.code === 'unavailable' ? cause : proofInvalid(cause)
    },
  )
  return async (tx) => {
    const used = { id: known.id, counter, seenCounter: known.counter, at: tx.at }
    if (!(await usePasskey(tx.db, used))) throw proofInvalid()
    return 'passkey'
  }
}

/** Returns a function that consumes the password. The password is accepted as a proof only while the account has no second factor. */
async function passwordProof(accounts: Accounts, userId: string, password: string): Promise<ConsumeProof> {
  const user = await findCredentialsOfUser(accounts.store.reader, userId)
  const isTheirs = await accounts.verifyPassword(user?.passwordHash, password)
  return async (tx) => {
    const now = await findCredentialsOfUser(tx.db, userId)
    if (!isTheirs || now?.hasSecondFactor !== false || now.passwordHash !== user?.passwordHash) throw proofInvalid()
    return 'password'
  }
}

async function consumerOf(accounts: Accounts, caller: Caller, proof: Proof, origin: string): Promise<ConsumeProof> {
  const { userId } = caller.actor
  if ('code' in proof) return totpProof(accounts.store, userId, proof.code)
  if ('recoveryCode' in proof) return recoveryProof(accounts.store, userId, proof.recoveryCode)
  if ('password' in proof) return passwordProof(accounts, userId, proof.password)
  const purpose = proofPurpose(caller.sessionId)
  const options = { origin, purpose, assertion: proof.passkey, userId, mustVerifyUser: false }
  return passkeyProof(accounts, options)
}

/**
 * Verifies a second factor, or the password if there is no second factor. It completes the second step of a sign-in, and permits dangerous actions
 * for a quarter of an hour. Returns the session's new token; the old one becomes invalid. Errors: `second_factor_invalid`, the same for wrong,
 * expired and used proofs and recorded in the audit; `rate_limited`.
 */
export async function stepUp(accounts: Accounts, caller: Caller, proof: Proof, origin: string): Promise<string> {
  const { store, proofLimits } = accounts
  const { actor, sessionId, client, device } = caller
  const attempt = { account: actor.userId, address: client.address ?? '', device }
  proofLimits.take(attempt)
  const { tenantId, userId, correlationId } = actor
  const by = Object.keys(proof).join()
  const failure = { action: 'mfa.fail' as const, tenantId, userId, client, correlationId, by }
  const show = async () => {
    const consume = await consumerOf(accounts, caller, proof, origin)
    const work = async (tx: Tx) => {
      const method = await consume(tx)
      const shown = method === 'password' ? { password_at: tx.at } : { second_factor_at: tx.at }
      const rotated = await rotateToken(tx, sessionId, shown)
      await tx.record({ subject: { type: 'session', id: sessionId }, after: { ...client, by: method } })
      return rotated
    }
    return change(store, actor, { permission: null, action: 'session.step_up' }, work)
  }
  const { value: token } = await recordingFailures(store, ['second_factor_invalid'], failure, () =>
    proofLimits.whileAvailable(attempt, show),
  )
  proofLimits.giveBack(attempt)
  return token
}

/** Returns the options with which the caller's browser signs a challenge by one of the caller's passkeys, for `stepUp`. */
export async function proofOptions(accounts: Accounts, caller: Caller, origin: string): Promise<RequestOptions> {
  const known = await listCredentials(accounts.store.reader, caller.actor.userId)
  const purpose = proofPurpose(caller.sessionId)
  return requestOptions(accounts.challenges, { origin, purpose, known, userVerification: 'preferred' })
}

export function proofInvalid(cause?: unknown): AppError {
  const message = 'This code is incorrect or was already used. Try the next code, or another method.'
  return new AppError('second_factor_invalid', message, { cause })
}
