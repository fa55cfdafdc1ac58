import type { Kysely } from 'kysely'
import type { ChangeStore } from '../../../store/change/change-store.ts'
import type { Database } from '../../../store/database.ts'

/** The door for what is derived from records and can be derived again: keys and positions, nothing that a person said. */
export async function keepDerived(
  { write }: Pick<ChangeStore, 'write'>,
  tenantId: string,
  work: (db: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await write({ tenantId }, async (db) => {
    await work(db)
    return { keep: true, value: undefined }
  })
}
