import { AppError } from '../../../lib/app-error.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { recordFailure, recordUnknownAttempt } from '../accounts/account-failures.ts'
import { canonicalEmail } from '../accounts/email.ts'
import type { Assertion, RequestOptions } from '../accounts/passkeys.schema.ts'
import type { Client } from '../accounts/request-origin.ts'
import { systemActor } from '../accounts/tenants-and-users.ts'
import { setPasswordHash } from '../accounts/users.queries.ts'
import { findPasskey } from '../factors/factors.queries.ts'
import { requestOptions, SIGN_IN_PURPOSE } from '../factors/passkeys.ts'
import {
  type Credentials,
  findCredentials,
  findCredentialsOfUser,
  findFirstMembership,
  isMember,
  type Member,
} from '../identity.queries.ts'
import type { Attempt, SignInLimits } from '../limits/sign-in-limits.ts'
import { hashPassword, isMadeAtOtherCost } from '../passwords/passwords.ts'
import type { Accounts } from '../sessions/account-context.ts'
import { startSession } from '../sessions/sessions.ts'
import { type ConsumeProof, codeProof, passkeyProof, proofInvalid } from './proofs.ts'
import { refusingOnTheBeat } from './refusing-on-the-beat.ts'

/** The sender of the attempt. The device cookie is not yet verified. */
export type Visitor = { client: Client; correlationId: string; deviceCookie: string | undefined }

/**
 * Signs in with a password, and with a code if one is sent. Returns the token of the session. An unknown account, a disabled user, a user without a
 * tenant, a wrong password and a wrong code get the same response after the same work, so that nothing reveals which accounts exist. Errors:
 * `invalid_credentials`, `rate_limited`.
 */
export async function signIn(
  accounts: Accounts,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
  visitor: Visitor,
): Promise<string> {
  return refusingOnTheBeat(() => trySignIn(accounts, { email, password, code }, visitor))
}

async function trySignIn(
  accounts: Accounts,
  { email, password, code }: { email: string; password: string; code: string | undefined },
  visitor: Visitor,
): Promise<string> {
  const { store, signInLimits, proofLimits, devices } = accounts
  const account = canonicalEmail(email)
  const { client, deviceCookie } = visitor
  const user = await findCredentials(store.reader, account)
  const device = devices.recognise(user ?? { email: account, hasSecondFactor: false }, deviceCookie)
  const attempt = { account, address: client.address ?? '', device }
  signInLimits.take(attempt)
  const member = await findFirstMembership(store.reader, user?.id ?? '')
  const isTheirs = await accounts.verifyPassword(user?.passwordHash, password)
  if (!isTheirs || user?.status !== 'active' || member === undefined) {
    await recordFailedSignIn(accounts, member, visitor, 'password')
    throw invalidCredentials()
  }
  const useCode = code === undefined || !user.hasSecondFactor ? undefined : codeProof(accounts, user.id, code)
  const consume: ConsumeProof = async (tx) => {
    // Checks the password hash again in the transaction. The password can be changed during the slow verification, and that change ends only the
    // sessions that exist then.
    const now = await findCredentialsOfUser(tx.db, user.id)
    if (now?.passwordHash !== user.passwordHash) throw proofInvalid()
    return useCode === undefined ? 'password' : useCode(tx)
  }
  const by = useCode === undefined ? 'password' : 'password and second factor'
  const start = () => begin(accounts, member, visitor, attempt, consume, by)
  const token = await (useCode === undefined
    ? start()
    : countedAsProof(proofLimits, { ...attempt, account: user.id }, start))
  signInLimits.giveBack(attempt)
  await renewHash(accounts, user, member, password, visitor)
  return token
}

/**
 * Runs `work` and counts its code together with the codes that are sent after sign-in. A successful sign-in without a code must not reset the count
 * of codes.
 */
async function countedAsProof<T>(limits: SignInLimits, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  limits.take(attempt)
  const done = await limits.whileAvailable(attempt, work)
  limits.giveBack(attempt)
  return done
}

/** Signs in with a passkey that verifies its owner. It replaces the password and the second factor. Errors: `invalid_credentials`, `rate_limited`. */
export async function signInWithPasskey(
  accounts: Accounts,
  { assertion, origin }: { assertion: Assertion; origin: string },
  visitor: Visitor,
): Promise<string> {
  const { store, signInLimits } = accounts
  const attempt = { account: `passkey ${assertion.id}`, address: visitor.client.address ?? '' }
  signInLimits.take(attempt)
  const owner = await findPasskey(store.reader, assertion.id)
  const user = owner === undefined ? undefined : await findCredentialsOfUser(store.reader, owner.userId)
  const member = await findFirstMembership(store.reader, user?.id ?? '')
  const proof = { origin, purpose: SIGN_IN_PURPOSE, assertion, mustVerifyUser: true }
  const consume = await signInLimits
    .whileAvailable(attempt, () => passkeyProof(accounts, proof))
    .catch((cause: unknown) => {
      if (cause instanceof AppError && cause.code === 'second_factor_invalid') return undefined
      throw cause
    })
  if (consume === undefined || user?.status !== 'active' || member === undefined) {
    await recordFailedSignIn(accounts, member, visitor, 'passkey')
    throw invalidCredentials()
  }
  const token = await begin(accounts, member, visitor, attempt, consume, 'passkey')
  signInLimits.giveBack(attempt)
  return token
}

/**
 * Returns the options with which a browser signs a challenge by any passkey that it stores for this host. They name no passkey, so they reveal
 * nothing about accounts.
 */
export function signInOptions({ challenges }: Accounts, origin: string): RequestOptions {
  return requestOptions(challenges, { origin, purpose: SIGN_IN_PURPOSE, known: [], userVerification: 'required' })
}

async function begin(
  accounts: Accounts,
  member: Member,
  visitor: Visitor,
  attempt: Attempt,
  consume: ConsumeProof,
  by: 'password' | 'password and second factor' | 'passkey',
): Promise<string> {
  const { client, correlationId } = visitor
  const { store, lifetime, signInLimits } = accounts
  const { tenantId, userId } = member
  const session = {
    lifetime,
    correlationId,
    client,
    by,
    consume: async (tx: Tx) => {
      // Checks the membership again in the transaction. A person disabled in the meantime would otherwise get a session, which would be valid once
      // they are enabled again.
      if (!(await isMember(tx.db, tenantId, userId))) throw proofInvalid()
      return consume(tx)
    },
  }
  try {
    return await signInLimits.whileAvailable(attempt, () => startSession(store, member, session))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'second_factor_invalid')) throw error
    await recordFailedSignIn(accounts, member, visitor, by)
    throw invalidCredentials(error)
  }
}

async function recordFailedSignIn(
  { store }: Accounts,
  member: Member | undefined,
  { client, correlationId }: Visitor,
  by: string,
): Promise<void> {
  if (member === undefined) return recordUnknownAttempt(store, by, client)
  const { tenantId, userId } = member
  await recordFailure(store, { action: 'session.fail', tenantId, userId, client, correlationId, by })
}

/** Replaces a hash whose cost is not the current one. This happens at sign-in, because only then the password is known. */
async function renewHash(
  { store, passwordCost }: Accounts,
  user: Credentials,
  member: Member,
  password: string,
  { correlationId }: Visitor,
): Promise<void> {
  if (!isMadeAtOtherCost(user.passwordHash, passwordCost)) return
  const passwordHash = await hashPassword(password, passwordCost)
  const actor = systemActor('sign-in', member.tenantId, correlationId)
  await change(store, actor, { permission: null, action: 'password.rehash' }, async (tx) => {
    // Does nothing if the password was changed, or another sign-in replaced the hash first.
    if (!(await setPasswordHash(tx.db, user.id, { passwordHash, was: user.passwordHash }))) return unchanged(undefined)
    await tx.record({ subject: { type: 'user', id: user.id } })
    return undefined
  })
}

function invalidCredentials(cause?: unknown): AppError {
  return new AppError('invalid_credentials', 'The email address or the password is incorrect.', { cause })
}
