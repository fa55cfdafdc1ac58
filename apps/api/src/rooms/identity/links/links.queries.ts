import { sql } from 'kysely'
import type { Position } from '../../../http/pagination.ts'
import { actorKey, actorRef } from '../../../lib/actor.ts'
import { latestBeginning } from '../../../lib/clock.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import type { Invitation, Link } from '../accounts/users.schema.ts'
import type { Role } from '../permissions.ts'
import { newToken } from '../sessions/sessions.ts'

const HOUR_MS = 3_600_000
export const INVITATION_LIFE_MS = 72 * HOUR_MS
export const RESET_LIFE_MS = HOUR_MS
/** Maximum number of expired links that are deleted when a link is created. */
const MAX_PRUNED = 100

export type NewLink = Link & { id: string }

type Purpose =
  | { purpose: 'password_reset'; userId: string }
  | { purpose: 'invitation'; email: string; name: string; role: Role }

/** Creates a link. A person has at most one link per purpose, so an earlier one becomes invalid. The store contains only the hash of its token. */
export async function newLink(tx: Tx, { lifeMs, ...what }: Purpose & { lifeMs: number }): Promise<NewLink> {
  const { tenantId } = tx.actor
  const token = newToken()
  const id = newId()
  const expiresAt = new Date(Date.parse(tx.at) + lifeMs).toISOString()
  const isReset = what.purpose === 'password_reset'
  await pruneLinks(tx)
  await tx.db
    .deleteFrom('one_time_links')
    .where('tenant_id', '=', tenantId)
    .where('purpose', '=', what.purpose)
    .where(isReset ? 'user_id' : 'email', '=', isReset ? what.userId : what.email)
    .execute()
  await tx.db
    .insertInto('one_time_links')
    .values({
      tenant_id: tenantId,
      id,
      token_hash: sha256(token),
      purpose: what.purpose,
      user_id: isReset ? what.userId : null,
      email: isReset ? null : what.email,
      name: isReset ? null : what.name,
      role: isReset ? null : what.role,
      created_by: actorKey(tx.actor),
      created_at: tx.at,
      expires_at: expiresAt,
    })
    .execute()
  return { id, token, expiresAt }
}

async function pruneLinks(tx: Tx): Promise<void> {
  const expired = tx.db
    .selectFrom('one_time_links')
    .select('token_hash')
    .where('expires_at', '<=', tx.at)
    .limit(MAX_PRUNED)
  await tx.db.deleteFrom('one_time_links').where('token_hash', 'in', expired).execute()
}

/**
 * Returns the link of a token, with its account if there is one. Returns undefined if the link is unknown, used or expired. A link whose creation is
 * in the future counts as expired, because the clock was later set back, which would extend its life.
 */
export function findLink(db: Db, token: string, now: string) {
  return db
    .selectFrom('one_time_links as l')
    .innerJoin('tenants as t', 't.id', 'l.tenant_id')
    .leftJoin('users as u', (join) =>
      join.on(sql<boolean>`u.id = l.user_id OR (l.user_id IS NULL AND u.email = l.email)`),
    )
    .select([
      'l.tenant_id as tenantId',
      'l.id',
      'l.purpose',
      'l.role',
      'l.expires_at as expiresAt',
      'l.created_by as createdBy',
    ])
    .select(['l.email as invitedEmail', 'l.name as invitedName', 't.name as tenantName'])
    .select(['u.id as userId', 'u.email as userEmail', 'u.name as userName', 'u.password_hash as passwordHash'])
    .select('u.has_second_factor as hasSecondFactor')
    .where('l.token_hash', '=', sha256(token))
    .where('l.expires_at', '>', now)
    .where('l.created_at', '<=', latestBeginning(now))
    .executeTakeFirst()
}

export async function deleteLink(db: Db, tenantId: string, id: string): Promise<void> {
  await db.deleteFrom('one_time_links').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Deletes the links to a person and to their email address, because an invitation would let a removed person in again. */
export async function deleteLinksOfUser(
  db: Db,
  tenantId: string,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await db
    .deleteFrom('one_time_links')
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('user_id', '=', id), eb('email', '=', email)]))
    .execute()
}

/**
 * Revokes all links that a former administrator created. With an invitation to themselves, or a password reset of a colleague, they could otherwise
 * return. Each revoked invitation is recorded as `invitation.withdraw`.
 */
export async function withdrawLinksMadeBy(tx: Tx, userId: string, told: Record<string, unknown>): Promise<void> {
  const withdrawn = await tx.db
    .deleteFrom('one_time_links')
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('created_by', '=', userId)
    .returning(['id', 'purpose'])
    .execute()
  for (const { id, purpose } of withdrawn) {
    if (purpose !== 'invitation') continue
    await tx.record({ action: 'invitation.withdraw', subject: { type: 'invitation', id }, after: told })
  }
}

/** Deletes the reset links of a person in all tenants, because another person could use them to replace the password that was just set. */
export async function deleteResetsOf(db: Db, userId: string): Promise<void> {
  await sql`
    DELETE FROM one_time_links WHERE purpose = 'password_reset' AND coalesce(user_id, email) = ${userId}
      AND tenant_id IN (SELECT tenant_id FROM memberships WHERE user_id = ${userId})`.execute(db)
}

const openInvitations = (db: Db, tenantId: string, now: string) =>
  db
    .selectFrom('one_time_links as l')
    .leftJoin('users as u', 'u.id', 'l.created_by')
    .where('l.tenant_id', '=', tenantId)
    .where('l.purpose', '=', 'invitation')
    .where('l.expires_at', '>', now)
    .where('l.created_at', '<=', latestBeginning(now))

/** Lists open invitations, newest first, up to `limit` + 1, so that the caller can see whether there are more. */
export async function listInvitations(
  db: Db,
  tenantId: string,
  { now, after, limit }: { now: string; after: Position | undefined; limit: number },
): Promise<Invitation[]> {
  const rows = await openInvitations(db, tenantId, now)
    .select(['l.id', 'l.email', 'l.name', 'l.role', 'l.created_by', 'u.name as creator'])
    .select(['l.created_at as createdAt', 'l.expires_at as expiresAt'])
    .$if(after !== undefined, (query) => query.where('l.id', '<', String(after?.[0])))
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
    .execute()
  return rows.map(({ email, name, role, created_by, creator, ...rest }) => ({
    ...rest,
    email: email ?? '',
    name: name ?? '',
    role: role ?? 'viewer',
    createdBy: actorRef(created_by, creator),
  }))
}

export async function countInvitations(db: Db, tenantId: string, now: string): Promise<number> {
  const { count } = await openInvitations(db, tenantId, now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteInvitation(db: Db, tenantId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_links')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('purpose', '=', 'invitation')
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
