import { type Insertable, type Kysely, sql } from 'kysely'
import type { Position } from '../../http/pagination.ts'
import type { Database } from '../../store/database.ts'
import { caseless, inList } from '../../store/engine/dialect.ts'
import type { Tenant as TenantRecord } from './identity.schema.ts'
import type { TenantTable, UserTable } from './identity.table.ts'
import type { Role } from './permissions.ts'

export type Tenant = { id: string; name: string; timeZone: string }
export type Person = { id: string; name: string }
/** The membership of a user in a tenant. */
export type Member = { tenantId: string; userId: string; role: Role }

/** Maximum number of tenants that a session shows. No person works in more. */
const MAX_TENANTS_OF_A_USER = 200

export function listTenantsOfUser(
  db: Kysely<Database>,
  userId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .select(['t.id', 't.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .where('m.status', '=', 'active')
    .orderBy('t.name')
    .orderBy('t.id')
    .limit(MAX_TENANTS_OF_A_USER)
    .execute()
}

export type Credentials = Pick<UserTable, 'id' | 'email' | 'status'> & {
  passwordHash: string
  hasSecondFactor: boolean
}

export function findCredentials(db: Kysely<Database>, email: string): Promise<Credentials | undefined> {
  return credentialsWhere(db, 'email', email)
}

export function findCredentialsOfUser(db: Kysely<Database>, userId: string): Promise<Credentials | undefined> {
  return credentialsWhere(db, 'id', userId)
}

async function credentialsWhere(
  db: Kysely<Database>,
  column: 'email' | 'id',
  value: string,
): Promise<Credentials | undefined> {
  const found = await db
    .selectFrom('users')
    .select(['id', 'email', 'status', 'password_hash as passwordHash', 'has_second_factor as hasFactor'])
    .where(column, '=', value)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { hasFactor, ...rest } = found
  return { ...rest, hasSecondFactor: hasFactor === 1 }
}

/** Returns the person of a session. The person must exist. */
export function getPerson(db: Kysely<Database>, userId: string): Promise<Person & { email: string }> {
  return db.selectFrom('users').select(['id', 'email', 'name']).where('id', '=', userId).executeTakeFirstOrThrow()
}

/** Returns the membership with whose tenant a person's session begins, which is the oldest one. */
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
  return db
    .selectFrom('memberships')
    .select(['tenant_id as tenantId', 'user_id as userId', 'role'])
    .where('status', '=', 'active')
}

/** True if this person is an active member of the tenant, so that work may be assigned to them. */
export async function isMember(db: Kysely<Database>, tenantId: string, userId: string): Promise<boolean> {
  const member = await activeMembers(db, tenantId).select('u.id').where('u.id', '=', userId).executeTakeFirst()
  return member !== undefined
}

/** Returns the names of these people, as far as they are or were members of the tenant, by id. */
export async function namesOfMembers(
  db: Kysely<Database>,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const people = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name'])
    .where('m.tenant_id', '=', tenantId)
    .where('m.user_id', 'in', inList(ids))
    .execute()
  return new Map(people.map(({ id, name }) => [id, name]))
}

/** Returns an active member with their role. */
export function findActiveMember(db: Kysely<Database>, tenantId: string, userId: string): Promise<Member | undefined> {
  return activeMembers(db, tenantId)
    .select(['m.tenant_id as tenantId', 'm.user_id as userId', 'm.role'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
}

/**
 * Lists active members by name, up to `limit` + 1, so that the caller can see whether there are more. A tenant has few members, so sorting them needs
 * no index.
 */
export function listActiveMembers(
  db: Kysely<Database>,
  tenantId: string,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<Person[]> {
  const [name = '', id = ''] = after ?? []
  return activeMembers(db, tenantId)
    .select(['u.id', 'u.name'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${caseless(sql.ref('u.name'))}, u.id) > (${name}, ${id})`),
    )
    .orderBy(caseless(sql.ref('u.name')))
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
    .where('m.status', '=', 'active')
}

export function listTenants(db: Kysely<Database>): Promise<Tenant[]> {
  return db.selectFrom('tenants').select(['id', 'name', 'time_zone as timeZone']).orderBy('number').execute()
}

/** Returns the tenant of a session. The tenant must exist. */
export async function getTenant(db: Kysely<Database>, tenantId: string): Promise<TenantRecord> {
  const { updatedAt, tokensAllowed, ...tenant } = await db
    .selectFrom('tenants')
    .select(['id', 'version', 'name', 'time_zone as timeZone', 'country', 'locale', 'tokens_allowed as tokensAllowed'])
    .select(['created_at as createdAt', 'updated_at as updatedAt'])
    .select('suppression_review_months as suppressionReviewMonths')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return { ...tenant, tokensAllowed: tokensAllowed === 1, updatedAt: updatedAt ?? tenant.createdAt }
}

export async function updateTenant(
  db: Kysely<Database>,
  tenant: Omit<TenantRecord, 'version' | 'createdAt' | 'updatedAt'> & { at: string },
): Promise<void> {
  await db
    .updateTable('tenants')
    .set(({ eb }) => ({
      name: tenant.name,
      time_zone: tenant.timeZone,
      country: tenant.country,
      locale: tenant.locale,
      suppression_review_months: tenant.suppressionReviewMonths,
      tokens_allowed: tenant.tokensAllowed ? 1 : 0,
      updated_at: tenant.at,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', tenant.id)
    .execute()
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

/** Inserts a tenant with the next number. Numbers are unique, because only one transaction writes at a time. */
export async function insertTenant(
  db: Kysely<Database>,
  tenant: Omit<Insertable<TenantTable>, 'number'>,
): Promise<void> {
  const next = db.selectFrom('tenants').select(sql<number>`coalesce(max(number), 0) + 1`.as('number'))
  await db
    .insertInto('tenants')
    .values({ ...tenant, number: next })
    .execute()
}

export async function insertUser(db: Kysely<Database>, user: Insertable<UserTable>): Promise<void> {
  await db.insertInto('users').values(user).execute()
}

/** Inserts a membership, or restores that of a removed person, who gets their history back. */
export async function insertMembership(db: Kysely<Database>, member: Member, at: string): Promise<void> {
  const { tenantId, userId, role } = member
  await db
    .insertInto('memberships')
    .values({ tenant_id: tenantId, user_id: userId, role, created_at: at, updated_at: at })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id']).doUpdateSet((now) => ({
        role,
        status: 'active',
        updated_at: at,
        version: now('memberships.version', '+', 1),
      })),
    )
    .execute()
}
