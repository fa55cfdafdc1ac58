import type { Db } from '../../../store/database.ts'

export type LinkedIdentity = { id: string; issuer: string; linkedAt: string; lastUsedAt: string | null }

/** Lists the linked identities of a person, which are at most one for each issuer that the operator has configured so far. */
export function listIdentities(db: Db, userId: string): Promise<LinkedIdentity[]> {
  return db
    .selectFrom('company_identities')
    .select(['id', 'issuer', 'linked_at as linkedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

export function findIdentity(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<{ id: string; userId: string } | undefined> {
  return db
    .selectFrom('company_identities')
    .select(['id', 'user_id as userId'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function insertIdentity(
  db: Db,
  identity: { id: string; userId: string; issuer: string; subject: string; at: string },
): Promise<void> {
  const { id, userId, issuer, subject, at } = identity
  await db
    .insertInto('company_identities')
    .values({ id, user_id: userId, issuer, subject, linked_at: at, last_used_at: null })
    .execute()
}

/** Records the use of an identity. Returns false if it is no longer linked to this person. */
export async function useIdentity(
  db: Db,
  { id, userId, at }: { id: string; userId: string; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('company_identities')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteIdentity(db: Db, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('company_identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteIdentitiesOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('company_identities').where('user_id', '=', userId).execute()
}
