import { type Cursors, type Page, toPage } from '../../../http/pagination.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { isSystemActor } from '../../facts.ts'
import { recordFailure, recordUnknownAttempt } from '../accounts/account-failures.ts'
import { canonicalEmail } from '../accounts/email.ts'
import type { Client } from '../accounts/request-origin.ts'
import { addUser, systemActor } from '../accounts/tenants-and-users.ts'
import { findUser, setPasswordHash } from '../accounts/users.queries.ts'
import type { CheckedLink, Invitation } from '../accounts/users.schema.ts'
import { findCredentials, findFirstMembership, insertMembership } from '../identity.queries.ts'
import type { NewUser } from '../identity.schema.ts'
import { hashPassword, refuseWeakPassword } from '../passwords/passwords.ts'
import type { Accounts, Caller } from '../sessions/account-context.ts'
import { endSessionsOf } from '../sessions/own-sessions.ts'
import { reportSpentToken } from '../sessions/spent-tokens.ts'
import type { Visitor } from '../sign-in/sign-in.ts'
import {
  countInvitations,
  deleteInvitation,
  deleteLink,
  deleteResetsOf,
  findLink,
  INVITATION_LIFE_MS,
  listInvitations,
  type NewLink,
  newLink,
} from './links.queries.ts'

const permission = 'users.manage'

/**
 * Creates a link that invites a person. The inviter passes it on, because the platform sends no mail. The response does not reveal whether the email
 * address has an account in another tenant; only the person who opens the link learns it (`checkLink`, docs/decisions/tenants-own-memberships.md). A
 * second invitation replaces the link. Errors: `conflict` (already a member of this tenant).
 */
export async function inviteUser(
  store: Store,
  { actor, client }: Caller,
  input: NewUser,
): Promise<{ invitation: Invitation; link: NewLink }> {
  const { name, role } = input
  const email = canonicalEmail(input.email)
  const { tenantId } = actor
  const { value } = await change(store, actor, { permission, action: 'user.invite' }, async (tx) => {
    const known = await findCredentials(tx.db, email)
    if (known !== undefined && (await findUser(tx.db, tenantId, known.id)) !== undefined) {
      throw new AppError('conflict', 'This person already belongs to the workspace.')
    }
    const link = await newLink(tx, { purpose: 'invitation', email, name, role, lifeMs: INVITATION_LIFE_MS })
    const { id, expiresAt } = link
    await tx.record({ subject: { type: 'invitation', id }, after: { ...client, role, expiresAt } })
    const [invitation] = await listInvitations(tx.db, tenantId, { now: tx.at, after: undefined, limit: 1 })
    if (invitation?.id !== id) throw new Error('The invitation that was just written is not the newest.')
    return { invitation, link }
  })
  return value
}

export async function pageOfInvitations(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Invitation>> {
  const binding = [tenantId, 'invitations']
  const after = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const now = store.clock().toISOString()
  return toPage({
    rows: await listInvitations(store.reader, tenantId, { now, after, limit }),
    limit,
    toItem: (invitation) => invitation,
    cursorAfter: ({ id }) => cursors.encode(binding, [id]),
    total: { value: await countInvitations(store.reader, tenantId, now), counts: 'matching_set', asOf: now },
  })
}

/** Withdraws an invitation, so that its link becomes invalid. Errors: `not_found`. */
export async function withdrawInvitation(store: Store, { actor, client }: Caller, id: string): Promise<void> {
  await change(store, actor, { permission, action: 'invitation.withdraw' }, async (tx) => {
    if (!(await deleteInvitation(tx.db, actor.tenantId, id))) throw notFound()
    await tx.record({ subject: { type: 'invitation', id }, after: { ...client } })
  })
}

export type LinkVisitor = { client: Client; correlationId: string }

/** Returns the purpose of a link and the account whose password it asks for. Errors: `link_invalid`, the same for unknown, used and expired links. */
export async function checkLink({ store }: Accounts, token: string, visitor: LinkVisitor): Promise<CheckedLink> {
  const { link, email, name, isJoining } = await getLink(store, token, visitor)
  return {
    purpose: link.purpose,
    email,
    name,
    tenantName: link.tenantName,
    needs: isJoining ? 'own_password' : 'new_password',
    expiresAt: link.expiresAt,
  }
}

/**
 * Uses a link. For a reset, sets the new password. For an invitation, creates the account, or adds an existing account to the tenant after checking
 * its password. Errors: `link_invalid`; `password_incorrect` for an existing account; `invalid_request` with `weak_password`; `rate_limited`. The
 * link stays valid if the password was refused.
 */
export async function useLink(
  accounts: Accounts,
  { token, password }: { token: string; password: string },
  visitor: Visitor,
): Promise<void> {
  const { store, signInLimits, devices } = accounts
  const { client, correlationId, deviceCookie } = visitor
  const { link, email, isJoining } = await getLink(store, token, visitor)
  const { tenantId, id, userId, passwordHash } = link
  const actor = systemActor('sign-in', tenantId, correlationId)
  if (isJoining && userId !== null) {
    const device = devices.recognise({ email, hasSecondFactor: link.hasSecondFactor === 1 }, deviceCookie)
    const attempt = { account: email, address: client.address ?? '', device }
    signInLimits.take(attempt)
    if (!(await accounts.verifyPassword(passwordHash ?? undefined, password))) {
      // Records the failure in the inviter's tenant and in the account's own tenant, because it may be an attempt to guess the password of the
      // account.
      const home = await findFirstMembership(store.reader, userId)
      for (const told of home === undefined ? [tenantId] : [tenantId, home.tenantId])
        await recordFailure(store, {
          action: 'link.fail',
          tenantId: told,
          userId,
          client,
          correlationId,
          by: 'password',
        })
      throw passwordIncorrect()
    }
    signInLimits.giveBack(attempt)
  } else refuseWeakPassword('password', password, email)
  const newHash = isJoining ? '' : await hashPassword(password, accounts.passwordCost)
  await change(store, actor, { permission: null, action: 'link.use' }, async (tx) => {
    const now = await findLink(tx.db, token, tx.at)
    if (now === undefined || now.userId !== userId) throw linkInvalid()
    // Throws if the password was changed during the verification, because the typed password is then the old one.
    if (isJoining && now.passwordHash !== passwordHash) throw passwordIncorrect()
    await deleteLink(tx.db, tenantId, id)
    if (link.purpose === 'password_reset') return applyReset(tx, link, newHash, client)
    return join(tx, { link, email, newHash, client })
  })
}

function passwordIncorrect(): AppError {
  return new AppError('password_incorrect', 'This password does not belong to the account with this email address.')
}

/**
 * Applies a password reset. Refuses the link if the person joined another tenant after an administrator created the link, because that administrator
 * may no longer reset the person's password.
 */
async function applyReset(
  tx: Tx,
  { tenantId, userId, createdBy }: FoundLink,
  passwordHash: string,
  client: Client,
): Promise<void> {
  const user = await findUser(tx.db, tenantId, userId ?? '')
  if (user === undefined || (user.isShared && !isSystemActor(createdBy))) throw linkInvalid()
  await setPasswordHash(tx.db, user.id, { passwordHash, mustChange: false })
  await deleteResetsOf(tx.db, user.id)
  await tx.record({
    action: 'password.change',
    subject: { type: 'user', id: user.id },
    after: { ...client, by: 'link' },
  })
  await endSessionsOf(tx, user.id)
}

async function join(
  tx: Tx,
  { link, email, newHash, client }: { link: FoundLink; email: string; newHash: string; client: Client },
): Promise<void> {
  const { userId, role, invitedName, tenantId } = link
  if (role === null) throw new Error('An invitation holds a role.')
  if (userId === null) {
    await addUser(tx, { email, name: invitedName ?? '', role, passwordHash: newHash })
    return
  }
  if ((await findUser(tx.db, tenantId, userId)) !== undefined) throw linkInvalid()
  await insertMembership(tx.db, { tenantId, userId, role }, tx.at)
  await tx.record({ action: 'user.join', subject: { type: 'user', id: userId }, after: { ...client, role } })
}

type FoundLink = NonNullable<Awaited<ReturnType<typeof findLink>>>

async function getLink(
  store: Store,
  token: string,
  { client, correlationId }: LinkVisitor,
): Promise<{ link: FoundLink; email: string; name: string; isJoining: boolean }> {
  const link = await findLink(store.reader, token, store.clock().toISOString())
  if (link === undefined) {
    const isReported = await reportSpentToken(store, { kind: 'link', token, client, correlationId })
    if (!isReported) await recordUnknownAttempt(store, 'link', client)
    throw linkInvalid()
  }
  const isReset = link.purpose === 'password_reset'
  const email = (isReset ? link.userEmail : link.invitedEmail) ?? ''
  const name = (isReset ? link.userName : link.invitedName) ?? ''
  return { link, email, name, isJoining: !isReset && link.userId !== null }
}

function linkInvalid(): AppError {
  return new AppError(
    'link_invalid',
    'This link is no longer valid, because it was used or has expired. Ask for a new link.',
  )
}
