import { type SelectQueryBuilder, sql } from 'kysely'
import type { Position } from '../../../http/pagination.ts'
import { newId } from '../../../lib/ids.ts'
import type { Db } from '../../../store/database.ts'
import { caseless } from '../../../store/engine/dialect.ts'
import type { MembershipTable } from '../identity.table.ts'
import type { Role } from '../permissions.ts'
import type { User } from './users.schema.ts'

type MemberRow = { role: Role; status: MembershipStatus; version: number }
export type MembershipStatus = 'active' | 'disabled' | 'removed'

/** All members of the tenant, active or disabled. */
const membersOf = (db: Db, tenantId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenantId)
    .where('m.status', '<>', 'removed')

type Members = ReturnType<typeof membersOf>

function asUsers(members: Members) {
  return members
    .select(['u.id', 'u.email', 'u.name', 'm.version', 'm.role', 'm.status'])
    .select(['u.must_change_password as mustChange', 'm.last_sign_in_at as lastSignInAt'])
    .select(['m.created_at as createdAt', 'm.updated_at as updatedAt'])
    .select((select) => [
      select
        .exists(select.selectFrom('totp_factors as f').select('f.user_id').whereRef('f.user_id', '=', 'u.id'))
        .as('totp'),
      select
        .selectFrom('passkeys as p')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('p.user_id', '=', 'u.id')
        .as('passkeys'),
      select
        .exists(select.selectFrom('company_identities as c').select('c.id').whereRef('c.user_id', '=', 'u.id'))
        .as('company'),
      select
        .exists(
          select
            .selectFrom('memberships as o')
            .select('o.tenant_id')
            .whereRef('o.user_id', '=', 'u.id')
            .whereRef('o.tenant_id', '<>', 'm.tenant_id')
            .where('o.status', '<>', 'removed'),
        )
        .as('isShared'),
    ])
}

type UserRow = ReturnType<typeof asUsers> extends SelectQueryBuilder<infer _D, infer _T, infer Row> ? Row : never

function toUser({ totp, passkeys, company, mustChange, isShared, updatedAt, status, ...rest }: UserRow): User {
  return {
    ...rest,
    status: status === 'active' ? 'active' : 'disabled',
    secondFactors: { totp: Boolean(totp), passkeys: passkeys ?? 0 },
    hasCompanyAccount: Boolean(company),
    mustChangePassword: mustChange === 1,
    isShared: Boolean(isShared),
    updatedAt: updatedAt ?? rest.createdAt,
  }
}

export async function findUser(db: Db, tenantId: string, userId: string): Promise<User | undefined> {
  const row = await asUsers(membersOf(db, tenantId)).where('u.id', '=', userId).executeTakeFirst()
  return row === undefined ? undefined : toUser(row)
}

/**
 * Lists users by name, up to `limit` + 1, so that the caller can see whether there are more. A tenant has few members, so sorting them needs no
 * index.
 */
export async function listUsers(
  db: Db,
  tenantId: string,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<User[]> {
  const [name = '', id = ''] = after ?? []
  const rows = await asUsers(membersOf(db, tenantId))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${caseless(sql.ref('u.name'))}, u.id) > (${name}, ${id})`),
    )
    .orderBy(caseless(sql.ref('u.name')))
    .orderBy('u.id')
    .limit(limit + 1)
    .execute()
  return rows.map(toUser)
}

export async function countMembers(db: Db, tenantId: string): Promise<number> {
  const { count } = await membersOf(db, tenantId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** True if the tenant has an active administrator other than this user. */
export async function hasOtherAdministrator(db: Db, tenantId: string, userId: string): Promise<boolean> {
  const other = await membersOf(db, tenantId)
    .select('u.id')
    .where('m.role', '=', 'administrator')
    .where('m.status', '=', 'active')
    .where('u.status', '=', 'active')
    .where('u.id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export async function updateMembership(
  db: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
  changed: Partial<MemberRow> & { at: string },
): Promise<void> {
  const { at, ...columns } = changed
  await db
    .updateTable('memberships')
    .set(
      ({ eb }) =>
        ({
          ...columns,
          ...(columns.status === undefined || columns.status === 'active' ? {} : { tokens_valid_from: newId() }),
          updated_at: at,
          version: eb('version', '+', 1),
        }) satisfies Partial<Record<keyof MembershipTable, unknown>>,
    )
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
}

export async function setName(db: Db, userId: string, name: string): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', userId).execute()
}

/** Sets the password hash. With `was`, sets it only if the current hash equals `was`. Returns false if nothing was updated. */
export async function setPasswordHash(
  db: Db,
  userId: string,
  { passwordHash, was, mustChange }: { passwordHash: string; was?: string; mustChange?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      ...(mustChange === undefined ? {} : { must_change_password: mustChange ? 1 : 0 }),
    })
    .where('id', '=', userId)
    .$if(was !== undefined, (query) => query.where('password_hash', '=', was ?? ''))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Sets an empty hash, which no password matches. After that, only a link can give the account a new password. */
export async function voidPassword(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: '', must_change_password: 1 }).where('id', '=', userId).execute()
}

/**
 * Removes the personal data of an account. Only its id and a pseudonym remain, so nobody can sign in with it, and its email address can be used
 * again.
 */
export async function pseudonymizeUser(db: Db, userId: string, pseudonym: string): Promise<void> {
  await db
    .updateTable('users')
    .set({
      email: `${userId}@former.invalid`,
      name: pseudonym,
      password_hash: '',
      status: 'disabled',
      must_change_password: 0,
    })
    .where('id', '=', userId)
    .execute()
}
