import type { z } from 'zod'
import { invalidRequest } from '../../../http/validation.ts'
import type { Actor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { SystemActorName } from '../../../lib/declared.ts'
import { newId } from '../../../lib/ids.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { findCredentials, insertMembership, insertTenant, insertUser, tenantExists } from '../identity.queries.ts'
import {
  DEFAULT_COUNTRY,
  localeOfCountry,
  type NewTenant,
  type NewUser,
  newTenantSchema,
  newUserSchema,
} from '../identity.schema.ts'
import { hashPassword, refuseWeakPassword } from '../passwords/passwords.ts'
import { allPermissions, type Role } from '../permissions.ts'
import { canonicalEmail } from './email.ts'
import { findUser } from './users.queries.ts'

/** Returns the actor for a part of the system that works in a tenant. It has every permission, and the audit shows it under its own name. */
export function systemActor(name: SystemActorName, tenantId: string, correlationId = newId()): Actor {
  return { kind: 'system', name, tenantId, correlationId, permissions: allPermissions }
}

/** Creates a tenant and returns its id. Its audit chain begins with its creation. Errors: `invalid_request`. */
export async function createTenant(store: Store, by: SystemActorName, input: NewTenant): Promise<string> {
  const actor = systemActor(by, newId())
  await change(store, actor, { permission: null, action: 'tenant.create' }, (tx) => addTenant(tx, input))
  return actor.tenantId
}

/**
 * Creates a user in the tenant of `input` and returns the user's id. Errors: `invalid_request` (with the path, also for a weak password),
 * `not_found`, `conflict`.
 */
export async function createUser(
  store: Store,
  by: SystemActorName,
  { tenantId, password, ...input }: NewUser & { tenantId: string; password: string },
): Promise<string> {
  await requireTenant(store, tenantId)
  requireValidUser({ ...input, password })
  const passwordHash = await hashPassword(password)
  const { value } = await change(store, systemActor(by, tenantId), { permission: null, action: 'user.create' }, (tx) =>
    addUser(tx, { ...input, passwordHash }),
  )
  return value
}

/** Adds an existing user to another tenant. Errors: `not_found`, `conflict`. */
export async function addMembership(
  store: Store,
  by: SystemActorName,
  { tenantId, userId, role }: { tenantId: string; userId: string; role: Role },
): Promise<void> {
  await requireTenant(store, tenantId)
  await change(store, systemActor(by, tenantId), { permission: null, action: 'membership.create' }, async (tx) => {
    if ((await findUser(tx.db, tenantId, userId)) !== undefined) {
      throw new AppError('conflict', 'This user already belongs to the tenant.')
    }
    await insertMembership(tx.db, { tenantId, userId, role }, tx.at)
    await tx.record({ subject: { type: 'user', id: userId }, after: { role } })
  })
}

/** Returns the id of the user with this email address, or undefined. */
export async function findUserId(store: Store, email: string): Promise<string | undefined> {
  return (await findCredentials(store.reader, canonicalEmail(email)))?.id
}

/** Inserts the tenant of the change and records its creation. */
export async function addTenant(tx: Tx, input: NewTenant): Promise<void> {
  const { name, timeZone, country = DEFAULT_COUNTRY, locale = localeOfCountry(country) } = parse(newTenantSchema, input)
  const { tenantId } = tx.actor
  await insertTenant(tx.db, { id: tenantId, name, time_zone: timeZone, country, locale, created_at: tx.at })
  const after = { name, timeZone, country, locale }
  await tx.record({ action: 'tenant.create', subject: { type: 'tenant', id: tenantId }, after })
}

/** Inserts a user, and the user's first membership, in the tenant of the change. */
export async function addUser(
  tx: Tx,
  {
    passwordHash,
    mustChangePassword = false,
    ...input
  }: NewUser & { passwordHash: string; mustChangePassword?: boolean },
): Promise<string> {
  const { email, name, role } = parse(newUserSchema, input)
  if ((await findCredentials(tx.db, email)) !== undefined) {
    throw new AppError('conflict', 'A user with this email address already exists.')
  }
  const id = newId()
  await insertUser(tx.db, {
    id,
    email,
    name,
    password_hash: passwordHash,
    status: 'active',
    created_at: tx.at,
    must_change_password: mustChangePassword ? 1 : 0,
  })
  await insertMembership(tx.db, { tenantId: tx.actor.tenantId, userId: id, role }, tx.at)
  // The event contains neither name nor email address, because the chain is permanent and an account can be deleted.
  await tx.record({ action: 'user.create', subject: { type: 'user', id }, after: { role } })
  return id
}

/** Throws for invalid input or a weak password. Call it before hashing, which takes time. */
export function requireValidUser({ password, ...input }: NewUser & { password: string }): void {
  const { email } = parse(newUserSchema, input)
  refuseWeakPassword('password', password, email)
}

async function requireTenant(store: Store, tenantId: string): Promise<void> {
  if (!(await tenantExists(store.reader, tenantId))) throw new AppError('not_found', 'There is no tenant with this id.')
}

function parse<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}
