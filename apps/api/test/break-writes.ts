import { sql } from 'kysely'
import type { TestApp } from './build-app.ts'
import { writerOf } from './writer-of.ts'

/** Makes writes to a table fail, as a broken store would: a trigger aborts them when the condition is met. */
export async function breakWrites(t: TestApp, table: string, when: string, event = 'INSERT'): Promise<void> {
  await sql
    .raw(`CREATE TRIGGER broken BEFORE ${event} ON ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'broken'); END`)
    .execute(await writerOf(t.store))
}
