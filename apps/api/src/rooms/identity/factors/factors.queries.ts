import type { Insertable } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { PasskeyTable } from '../identity.table.ts'
import type { Passkey } from './factors.schema.ts'

export function findTotp(db: Db, userId: string) {
  return db
    .selectFrom('totp_factors')
    .select(['secret', 'last_step as lastStep', 'enrolled_at as enrolledAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Marks a code as used, by its time step. Returns false if this or a newer code was used already. */
export async function useTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function saveTotp(
  db: Db,
  factor: { userId: string; secret: string; lastStep: number; at: string },
): Promise<void> {
  const { userId, secret, lastStep, at } = factor
  const columns = { secret, last_step: lastStep, enrolled_at: at }
  await db
    .insertInto('totp_factors')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

export async function saveEnrolment(
  db: Db,
  enrolment: { sessionId: string; secret: string; expiresAt: string },
): Promise<void> {
  const { sessionId, secret, expiresAt } = enrolment
  await db
    .insertInto('totp_enrolments')
    .values({ session_id: sessionId, secret, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ secret, expires_at: expiresAt }))
    .execute()
}

export function findEnrolment(db: Db, sessionId: string, now: string) {
  return db
    .selectFrom('totp_enrolments')
    .select('secret')
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function deleteEnrolment(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('totp_enrolments').where('session_id', '=', sessionId).execute()
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes a recovery code. Returns false if the person has no such code, for example because it was used. */
export async function useRecoveryCode(db: Db, userId: string, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function replaceRecoveryCodes(db: Db, userId: string, codeHashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (codeHashes.length === 0) return
  await db
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

export function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Returns the credential ids and transports of a person's passkeys, by which an authenticator finds its own passkey. */
export async function listCredentials(db: Db, userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ credential_id, transports }) => ({ id: credential_id, transports: readTexts(transports) }))
}

export function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'user_id as userId', 'public_key as publicKey', 'counter'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

export async function insertPasskey(db: Db, passkey: Insertable<PasskeyTable>): Promise<void> {
  await db.insertInto('passkeys').values(passkey).execute()
}

/**
 * Stores the counter that a passkey's response contained. Returns false if the passkey was removed, or if another response has changed the stored
 * counter since it was read (`seenCounter`). The library has already verified that the counter grew; authenticators without a counter always send 0.
 */
export async function usePasskey(
  db: Db,
  passkey: { id: string; counter: number; seenCounter: number; at: string },
): Promise<boolean> {
  const { id, counter, seenCounter, at } = passkey
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: at })
    .where('id', '=', id)
    .where('counter', '=', seenCounter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteTotp(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('totp_factors').where('user_id', '=', userId).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deletePasskeys(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** Stores in the person's row whether they have a second factor, because the query of every request reads it there. Returns the value. */
export async function noteSecondFactor(db: Db, userId: string): Promise<boolean> {
  const hasTotp = (await findTotp(db, userId)) !== undefined
  const hasSecondFactor = hasTotp || (await listPasskeys(db, userId)).length > 0
  await db
    .updateTable('users')
    .set({ has_second_factor: hasSecondFactor ? 1 : 0 })
    .where('id', '=', userId)
    .execute()
  return hasSecondFactor
}
