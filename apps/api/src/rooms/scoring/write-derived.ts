import type { Kysely } from 'kysely'
import type { ChangeStore } from '../../store/change/change-store.ts'
import type { Database } from '../../store/database.ts'

/**
 * The door for derived rows: scores, their order and how far they have followed changes. They can be computed again, and no person states them,
 * so they are written without an audit event.
 */
export async function writeDerived(
  { writes, writer }: Pick<ChangeStore, 'writes' | 'writer'>,
  work: (db: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await writes.write(async () => {
    await work(writer)
    return { keep: true, value: undefined }
  })
}
