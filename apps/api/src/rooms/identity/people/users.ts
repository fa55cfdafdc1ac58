import { requireVersion } from '../../../http/conditional.ts'
import { type Cursors, type Page, toPage } from '../../../http/pagination.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import {
  countMembers,
  findUser,
  hasOtherAdministrator,
  listUsers,
  pseudonymizeUser,
  setName,
  updateMembership,
  voidPassword,
} from '../accounts/users.queries.ts'
import type { EditUser, User } from '../accounts/users.schema.ts'
import { deleteIdentitiesOfUser } from '../company/company-identities.queries.ts'
import { deleteLinksOfUser, type NewLink, newLink, RESET_LIFE_MS, withdrawLinksMadeBy } from '../links/links.queries.ts'
import type { Caller } from '../sessions/account-context.ts'
import { endSessionsHere, endSessionsOf } from '../sessions/own-sessions.ts'
import { clearFactors } from './own-factors.ts'

const permission = 'users.manage'

/** Returns a member of the tenant. Errors: `not_found` (a person of another tenant, or a removed one). */
export async function getUser(db: Store['reader'], tenantId: string, userId: string): Promise<User> {
  const user = await findUser(db, tenantId, userId)
  if (user === undefined) throw notFound()
  return user
}

export async function pageOfUsers(
  store: Store,
  cursors: Cursors,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<User>> {
  const binding = [tenantId, 'users']
  const after = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  return toPage({
    rows: await listUsers(store.reader, tenantId, { after, limit }),
    limit,
    toItem: (user) => user,
    cursorAfter: ({ name, id }) => cursors.encode(binding, [name, id]),
    total: {
      value: await countMembers(store.reader, tenantId),
      counts: 'matching_set',
      asOf: store.clock().toISOString(),
    },
  })
}

/**
 * Changes name, role or status of a member. A new role, or disabling the member, ends their sessions in this tenant and revokes the links that they
 * created as an administrator. Errors: `version_conflict`, `own_account` (the caller's own role or status), `last_administrator`, `account_shared`
 * (the name of a person who belongs to other tenants too).
 */
export async function editUser(
  store: Store,
  { actor, client }: Caller,
  { userId, version, edit }: { userId: string; version: number; edit: EditUser },
): Promise<User> {
  const { tenantId } = actor
  const { value } = await change(store, actor, { permission, action: 'user.edit' }, async (tx) => {
    const user = await getUser(tx.db, tenantId, userId)
    requireVersion(version, user.version)
    const { name = user.name, role = user.role, status = user.status } = edit
    const changes = { name: name !== user.name, role: role !== user.role, status: status !== user.status }
    if (!changes.name && !changes.role && !changes.status) return unchanged(user)
    if (changes.name)
      refuseShared(user, 'This person also belongs to other workspaces, so only the person can change the name.')
    if (changes.role || changes.status) refuseOwn(actor.userId, userId, 'You cannot change your own role or status.')
    const isAdministering = user.role === 'administrator' && user.status === 'active'
    const isLeaving = isAdministering && (role !== 'administrator' || status !== 'active')
    if (isLeaving) await requireOtherAdministrator(tx, userId)
    const subject = { type: 'user', id: userId } as const
    if (changes.name) {
      await setName(tx.db, userId, name)
      await tx.record({ action: 'user.edit', subject, after: { ...client, changed: ['name'] } })
    }
    await updateMembership(tx.db, { tenantId, userId }, { role, status, at: tx.at })
    if (changes.role) {
      const events = { before: { role: user.role }, after: { ...client, role } }
      await tx.record({ action: 'user.change_role', subject, ...events })
    }
    if (changes.status) {
      const action = status === 'active' ? 'user.enable' : 'user.disable'
      await tx.record({ action, subject, before: { status: user.status }, after: { ...client, status } })
    }
    if (isLeaving) await withdrawLinksMadeBy(tx, userId, { ...client })
    if (changes.role || (changes.status && status === 'disabled')) await endSessionsHere(tx, userId)
    return getUser(tx.db, tenantId, userId)
  })
  return value
}

/**
 * Removes a member, and the links that they created. The member's history stays. An account that belongs to no other tenant is deleted, and the
 * history then shows a pseudonym. Errors: `own_account`, `last_administrator`.
 */
export async function removeUser(store: Store, { actor, client }: Caller, userId: string): Promise<void> {
  const { tenantId } = actor
  await change(store, actor, { permission, action: 'user.remove' }, async (tx) => {
    const user = await getUser(tx.db, tenantId, userId)
    refuseOwn(actor.userId, userId, 'You cannot remove yourself.')
    if (user.role === 'administrator' && user.status === 'active') await requireOtherAdministrator(tx, userId)
    await updateMembership(tx.db, { tenantId, userId }, { status: 'removed', at: tx.at })
    await deleteLinksOfUser(tx.db, tenantId, user)
    await withdrawLinksMadeBy(tx, userId, { ...client })
    await tx.record({
      subject: { type: 'user', id: userId },
      before: { role: user.role, status: user.status },
      after: { ...client, account: user.isShared ? 'kept by other tenants' : 'deleted' },
    })
    await endSessionsHere(tx, userId)
    if (user.isShared) return
    await clearFactors(tx, userId)
    await deleteIdentitiesOfUser(tx.db, userId)
    await pseudonymizeUser(tx.db, userId, `Former user ${userId.slice(-4)}`)
  })
}

/**
 * Ends all sessions of a member in the tenant and returns their number. For a person who belongs to other tenants too, an event is written in any
 * case, so that the result does not reveal whether they have sessions there.
 */
export async function revokeSessionsOf(store: Store, { actor, client }: Caller, userId: string): Promise<number> {
  const { value } = await change(store, actor, { permission, action: 'session.revoke' }, async (tx) => {
    const { isShared } = await getUser(tx.db, actor.tenantId, userId)
    const ended = await endSessionsHere(tx, userId, { after: { ...client }, always: isShared })
    return ended === 0 && !isShared ? unchanged(0) : ended
  })
  return value
}

/**
 * Creates a link with which a person sets a new password. The administrator passes it on. The person's sessions end and the old password becomes
 * invalid, so that another person who knows the old password cannot use it first. Errors: `own_account`; `account_shared`, because a person who can
 * set that password could enter the other tenants.
 */
export async function resetPassword(store: Store, { actor, client }: Caller, userId: string): Promise<NewLink> {
  const { tenantId } = actor
  const { value } = await change(store, actor, { permission, action: 'user.reset_password' }, async (tx) => {
    const user = await getUser(tx.db, tenantId, userId)
    refuseOwn(actor.userId, userId, 'Change your own password on your account page.')
    refuseShared(user, 'This person also belongs to other workspaces. Ask the server operator to reset the password.')
    const link = await newLink(tx, { purpose: 'password_reset', userId, lifeMs: RESET_LIFE_MS })
    await voidPassword(tx.db, userId)
    await tx.record({ subject: { type: 'user', id: userId }, after: { ...client, expiresAt: link.expiresAt } })
    await endSessionsOf(tx, userId)
    return link
  })
  return value
}

/** Removes the factors of a member who has lost them, so that they can enrol new ones. Errors: `own_account`, `account_shared`. */
export async function resetFactors(store: Store, { actor, client }: Caller, userId: string): Promise<void> {
  await change(store, actor, { permission, action: 'mfa.reset' }, async (tx) => {
    const user = await getUser(tx.db, actor.tenantId, userId)
    refuseOwn(actor.userId, userId, 'Remove your own second factors on your account page.')
    refuseShared(
      user,
      'This person also belongs to other workspaces. Ask the server operator to reset the second factor.',
    )
    await clearFactors(tx, userId)
    await tx.record({ subject: { type: 'user', id: userId }, after: { ...client } })
    await endSessionsOf(tx, userId)
  })
}

function refuseOwn(ownId: string, userId: string, message: string): void {
  if (userId === ownId) throw new AppError('own_account', message)
}

function refuseShared({ isShared }: User, message: string): void {
  if (isShared) throw new AppError('account_shared', message)
}

async function requireOtherAdministrator(tx: Tx, userId: string): Promise<void> {
  if (await hasOtherAdministrator(tx.db, tx.actor.tenantId, userId)) return
  throw new AppError(
    'last_administrator',
    'This person is the last administrator of the workspace. Make another person administrator first.',
  )
}
