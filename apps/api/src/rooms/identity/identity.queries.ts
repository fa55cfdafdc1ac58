import { type Kysely, sql } from 'kysely'
import type { Position } from '../../http/pagination.ts'
import type { Database } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import type { TenantTable, UserTable } from './identity.table.ts'
import type { Role } from './permissions.ts'

export type Tenant = { id: string; name: string; timeZone: string }
export type Person = { id: string; name: string }
/** One user in one tenant. */
export type Member = { tenantId: string; userId: string; role: Role }

/** Tenants that a session shows at most; nobody works in more. */
const MAX_TENANTS_OF_A_USER = 200

/** Where each request begins: three rows by primary key, the text built once. */
const selectLiveSession = prepared<{ tokenHash: string; now: string }>()((db, param) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.user_id', '=', 's.user_id'),
    )
    .select([
      's.user_id as userId',
      's.tenant_id as tenantId',
      's.seen_at as seenAt',
      's.idle_expires_at as idleExpiresAt',
    ])
    .select('m.role')
    .where('s.token_hash', '=', param('tokenHash'))
    .where('s.idle_expires_at', '>', param('now'))
    .where('s.expires_at', '>', param('now'))
    .where('u.status', '=', 'active'),
)

export type LiveSession = Member & { seenAt: string; idleExpiresAt: string }

/** The session of a cookie, unless it has expired or its user was disabled. */
export async function findLiveSession(
  db: Kysely<Database>,
  tokenHash: string,
  now: string,
): Promise<LiveSession | undefined> {
  const [session] = await selectLiveSession(db, { tokenHash, now })
  return session
}

/** What a person sees of their session; undefined when it ended a moment ago. */
export function findSessionDetails(db: Kysely<Database>, tokenHash: string) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('tenants as t', 't.id', 's.tenant_id')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.user_id', '=', 's.user_id'),
    )
    .select(['m.role', 's.assurance', 's.idle_expires_at as idleExpiresAt', 's.expires_at as expiresAt'])
    .select(['u.id as userId', 'u.email', 'u.name as userName'])
    .select(['t.id as tenantId', 't.name as tenantName', 't.time_zone as timeZone'])
    .where('s.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

export function listTenantsOfUser(
  db: Kysely<Database>,
  userId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .select(['t.id', 't.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('t.name')
    .orderBy('t.id')
    .limit(MAX_TENANTS_OF_A_USER)
    .execute()
}

export type Credentials = Pick<UserTable, 'id' | 'status'> & { passwordHash: string }

export function findCredentials(db: Kysely<Database>, email: string): Promise<Credentials | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'status', 'password_hash as passwordHash'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/** The tenant that a person enters first: the one that they have belonged to for longest. */
export function findFirstMembership(db: Kysely<Database>, userId: string): Promise<Member | undefined> {
  return memberships(db)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst()
}

export function findMembership(db: Kysely<Database>, tenantId: string, userId: string): Promise<Member | undefined> {
  return memberships(db).where('tenant_id', '=', tenantId).where('user_id', '=', userId).executeTakeFirst()
}

function memberships(db: Kysely<Database>) {
  return db.selectFrom('memberships').select(['tenant_id as tenantId', 'user_id as userId', 'role'])
}

/** Whether this person belongs to the tenant and may still sign in, and so may be given its work. */
export async function isMember(db: Kysely<Database>, tenantId: string, userId: string): Promise<boolean> {
  const member = await activeMembers(db, tenantId).select('u.id').where('u.id', '=', userId).executeTakeFirst()
  return member !== undefined
}

/** Members by name, one more than `limit` when there are more. The members of a tenant are few: a sort of them needs no index. */
export function listActiveMembers(
  db: Kysely<Database>,
  tenantId: string,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<Person[]> {
  const [name = '', id = ''] = after ?? []
  return activeMembers(db, tenantId)
    .select(['u.id', 'u.name'])
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(u.name COLLATE NOCASE, u.id) > (${name}, ${id})`))
    .orderBy('u.name', (order) => order.collate('nocase').asc())
    .orderBy('u.id')
    .limit(limit + 1)
    .execute()
}

export async function countActiveMembers(db: Kysely<Database>, tenantId: string): Promise<number> {
  const { count } = await activeMembers(db, tenantId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function activeMembers(db: Kysely<Database>, tenantId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenantId)
    .where('u.status', '=', 'active')
}

export function listTenants(db: Kysely<Database>): Promise<Tenant[]> {
  return db.selectFrom('tenants').select(['id', 'name', 'time_zone as timeZone']).orderBy('number').execute()
}

export async function tenantExists(db: Kysely<Database>, tenantId: string): Promise<boolean> {
  return (await db.selectFrom('tenants').select('id').where('id', '=', tenantId).executeTakeFirst()) !== undefined
}

export async function countUsers(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Gives the tenant the next number, in the one transaction that anybody can hold. */
export async function insertTenant(db: Kysely<Database>, tenant: Omit<TenantTable, 'number'>): Promise<void> {
  const next = db.selectFrom('tenants').select(sql<number>`coalesce(max(number), 0) + 1`.as('number'))
  await db
    .insertInto('tenants')
    .values({ ...tenant, number: next })
    .execute()
}

export async function insertUser(db: Kysely<Database>, user: UserTable): Promise<void> {
  await db.insertInto('users').values(user).execute()
}

export async function insertMembership(db: Kysely<Database>, member: Member, at: string): Promise<void> {
  const { tenantId, userId, role } = member
  await db.insertInto('memberships').values({ tenant_id: tenantId, user_id: userId, role, created_at: at }).execute()
}
