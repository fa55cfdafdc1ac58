import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { prepared } from './prepared.ts'

const readVersion = prepared<Record<never, never>>()(() => sql<{ data_version: number }>`PRAGMA data_version`)

/**
 * Returns SQLite's `data_version`, which changes after every commit of another connection, in this process or another. For a connection that only
 * reads.
 */
export async function dataVersion(db: Kysely<Database>): Promise<number> {
  const [row] = await readVersion(db, {})
  return row?.data_version ?? -1
}
