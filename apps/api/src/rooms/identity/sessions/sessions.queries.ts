import { type RawBuilder, sql } from 'kysely'
import type { Position } from '../../../http/pagination.ts'
import { latestBeginning } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { Member } from '../identity.queries.ts'
import type { Session } from '../identity.schema.ts'
import type { Lifespan, SessionState } from './session-state.rules.ts'

/** Maximum number of the oldest sessions that one sign-in ends. It is more than a sign-in adds, so they cannot accumulate. */
const MAX_ENDED = 100

/** The query that every request runs. It reads three rows by primary key, and its text is built once. */
const selectSession = prepared<{ tokenHash: string }>()((db, param) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.user_id', '=', 's.user_id'),
    )
    .select([
      's.id as sessionId',
      's.user_id as userId',
      's.tenant_id as tenantId',
      's.seen_at as seenAt',
      's.created_at as createdAt',
      's.idle_expires_at as idleExpiresAt',
      's.expires_at as expiresAt',
      's.password_at as passwordAt',
      's.second_factor_at as secondFactorAt',
      's.company_factor_at as companyFactorAt',
    ])
    .select(['m.role', 'u.must_change_password as mustChange', 'u.has_second_factor as hasFactor'])
    .where('s.token_hash', '=', param('tokenHash'))
    .where('u.status', '=', 'active')
    .where('m.status', '=', 'active')
    .where(isValidIn('m')),
)

/** SQL condition that session `s` began after the tenant last ended this member's sessions. The ids of sessions ascend, so it compares ids. */
function isValidIn(membership: string): RawBuilder<boolean> {
  const from = sql.ref(`${membership}.sessions_valid_from`)
  return sql<boolean>`(${from} IS NULL OR s.id > ${from})`
}

export type StoredSession = Member & SessionState & Lifespan & { sessionId: string; seenAt: string }

/**
 * Returns the session of a cookie. Returns undefined if its user or membership was disabled, or the tenant ended it. The session can be expired; see
 * `hasExpired`.
 */
export async function findSession(db: Db, tokenHash: string): Promise<StoredSession | undefined> {
  const [session] = await selectSession(db, { tokenHash })
  if (session === undefined) return undefined
  const { mustChange, hasFactor, ...rest } = session
  return { ...rest, mustChangePassword: mustChange === 1, hasSecondFactor: hasFactor === 1 }
}

/** Returns the session of a cookie, and whether it may switch to the tenant of this membership. Returns undefined if the session has ended. */
export async function findSessionAtDoor(
  db: Db,
  tokenHash: string,
  { tenantId, userId }: Member,
): Promise<{ id: string; tenantId: string; isValidThere: boolean } | undefined> {
  const session = await db
    .selectFrom('sessions as s')
    .innerJoin('memberships as there', (join) =>
      join.on('there.tenant_id', '=', tenantId).on('there.user_id', '=', userId),
    )
    .select(['s.id', 's.tenant_id as tenantId', isValidIn('there').as('isValid')])
    .where('s.token_hash', '=', tokenHash)
    .executeTakeFirst()
  return session && { id: session.id, tenantId: session.tenantId, isValidThere: Boolean(session.isValid) }
}

/** Returns the session with everything that its person may see; undefined if it has just ended. */
export async function findSessionDetails(db: Db, tokenHash: string) {
  const details = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('tenants as t', 't.id', 's.tenant_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.user_id', '=', 's.user_id'),
    )
    .select(['m.role', 's.id as sessionId', 's.password_at as passwordAt', 's.second_factor_at as secondFactorAt'])
    .select(['s.company_at as companyAt', 's.company_factor_at as companyFactorAt'])
    .select(['s.idle_expires_at as idleExpiresAt', 's.expires_at as expiresAt'])
    .select(['u.id as userId', 'u.email', 'u.name as userName'])
    .select(['u.must_change_password as mustChange', 'u.has_second_factor as hasFactor'])
    .select(['t.id as tenantId', 't.name as tenantName', 't.time_zone as timeZone', 't.country', 't.locale'])
    .where('s.token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (details === undefined) return undefined
  const { mustChange, hasFactor, ...rest } = details
  return { ...rest, mustChangePassword: mustChange === 1, hasSecondFactor: hasFactor === 1 }
}

/** Returns the kinds of second factor that a person has. */
export async function listMethods(db: Db, userId: string): Promise<Session['secondFactor']['methods']> {
  const { totp, passkey, recovery } = await db
    .selectNoFrom((select) => [
      select.exists(select.selectFrom('totp_factors').select('user_id').where('user_id', '=', userId)).as('totp'),
      select.exists(select.selectFrom('passkeys').select('id').where('user_id', '=', userId)).as('passkey'),
      select.exists(select.selectFrom('recovery_codes').select('user_id').where('user_id', '=', userId)).as('recovery'),
    ])
    .executeTakeFirstOrThrow()
  const methods = [
    ['totp', totp],
    ['passkey', passkey],
    ['recovery_code', recovery],
  ] as const
  return methods.filter(([, isThere]) => Boolean(isThere)).map(([method]) => method)
}

/** SQL form of `hasExpired` for a row of `sessions as s`. */
export function hasExpiredBy(now: string): RawBuilder<boolean> {
  return sql`(s.idle_expires_at <= ${now} OR s.expires_at <= ${now} OR s.created_at > ${latestBeginning(now)})`
}

const liveSessionsOf = (db: Db, userId: string, now: string) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('tenants as t', 't.id', 's.tenant_id')
    .where('s.user_id', '=', userId)
    .where(({ not }) => not(hasExpiredBy(now)))

/** Lists the active sessions of a person, newest first, up to `limit` + 1, so that the caller can see whether there are more. */
export function listSessionsOfUser(
  db: Db,
  userId: string,
  { now, after, limit }: { now: string; after: Position | undefined; limit: number },
) {
  const [createdAt = '', id = ''] = after ?? []
  return liveSessionsOf(db, userId, now)
    .select(['s.id', 's.address', 's.agent', 's.second_factor_at as secondFactorAt', 's.company_at as companyAt'])
    .select(['s.created_at as createdAt', 's.seen_at as seenAt', 's.expires_at as expiresAt'])
    .select(['t.id as tenantId', 't.name as tenantName'])
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(s.created_at, s.id) < (${createdAt}, ${id})`))
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countSessionsOfUser(db: Db, userId: string, now: string): Promise<number> {
  const { count } = await liveSessionsOf(db, userId, now)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Ends the oldest active sessions of a person in every tenant, so that `most` remain. Returns the ids of the ended sessions. */
export async function deleteOldestSessions(
  db: Db,
  { userId, now, most }: { userId: string; now: string; most: number },
): Promise<string[]> {
  const beyond = liveSessionsOf(db, userId, now)
    .select('s.id')
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    // SQLite has no OFFSET without a LIMIT.
    .limit(MAX_ENDED)
    .offset(most)
  const deleted = await db.deleteFrom('sessions').where('id', 'in', beyond).returning('id').execute()
  return deleted.map(({ id }) => id)
}

/** Ends the sessions of a person in every tenant, except `except`. Returns the tenant of each ended session. */
export async function deleteSessionsOfUser(db: Db, userId: string, except?: string): Promise<string[]> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .returning('tenant_id as tenantId')
    .execute()
  return deleted.map(({ tenantId }) => tenantId)
}

/** Ends the sessions of a member in this tenant, and prevents their other sessions from switching to it. Returns the number of ended sessions. */
export async function deleteSessionsOfMember(
  db: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<number> {
  await db
    .updateTable('memberships')
    .set({ sessions_valid_from: newId() })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
