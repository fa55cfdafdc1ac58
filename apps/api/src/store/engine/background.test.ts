import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { createBackground } from './background.ts'
import { openConnection } from './connection.ts'

function setUp(options: { maxQueryMs?: number } = {}) {
  const folder = join(temporaryFolder(), 'store')
  mkdirSync(folder)
  const file = join(folder, 'test.sqlite')
  const connection = openConnection(file)
  connection.exec('CREATE TABLE words (word TEXT NOT NULL) STRICT')
  const background = createBackground(file, options)
  onTestFinished(async () => {
    await background.close()
    connection.close()
  })
  return { connection, background }
}

const one = sql<{ one: number }>`SELECT 1 AS one`
/** A query that takes some seconds on any machine. */
const endless = sql`WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000000) SELECT max(x) FROM n`

test('sees committed rows', async ({ expect }) => {
  const { connection, background } = setUp()
  connection.prepare('INSERT INTO words VALUES (?)').run('a')
  expect((await sql`SELECT word FROM words`.execute(background.db)).rows).toEqual([{ word: 'a' }])
})

test('writes nothing', async ({ expect }) => {
  const { connection, background } = setUp()
  await expect(sql`INSERT INTO words VALUES ('a') RETURNING word`.execute(background.db)).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  })
  await expect(background.db.transaction().execute(async () => {})).rejects.toThrow('single queries only')
  expect(connection.prepare('SELECT * FROM words').all()).toEqual([])
})

test('an invalid query fails alone', async ({ expect }) => {
  const { background } = setUp()
  const results = await Promise.allSettled([
    sql`SELECT word FROM nowhere`.execute(background.db),
    one.execute(background.db),
  ])
  expect(results).toMatchObject([{ reason: { message: 'no such table: nowhere' } }, { value: { rows: [{ one: 1 }] } }])
})

test('a slow query is abandoned, and the queries after it get results', async ({ expect }) => {
  const { background } = setUp({ maxQueryMs: 1_000 })
  await one.execute(background.db)
  const [slow, behind] = [endless.execute(background.db), one.execute(background.db)]
  await expect(slow).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'query_too_slow' } })
  expect((await behind).rows).toEqual([{ one: 1 }])
  expect((await one.execute(background.db)).rows).toEqual([{ one: 1 }])
})

test('queries beyond the queue limit are refused at once', async ({ expect }) => {
  const { background } = setUp()
  const results = await Promise.allSettled(Array.from({ length: 250 }, () => one.execute(background.db)))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(50)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', details: { reason: 'query_queue_full' } } })
})

test('a dead worker is replaced: waiting queries fail, later ones succeed', async ({ expect }) => {
  const folder = join(temporaryFolder(), 'not there yet')
  const file = join(folder, 'test.sqlite')
  const background = createBackground(file)
  onTestFinished(() => background.close())
  await expect(one.execute(background.db)).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: 'query_failed' },
  })
  mkdirSync(folder)
  openConnection(file).close()
  expect((await one.execute(background.db)).rows).toEqual([{ one: 1 }])
})

test('a closed reader refuses queries', async ({ expect }) => {
  const { background } = setUp()
  const waiting = one.execute(background.db)
  const outcome = Promise.allSettled([waiting])
  await background.close()
  expect(await outcome).toMatchObject([{ reason: { code: 'unavailable', details: { reason: 'stopping' } } }])
  await expect(one.execute(background.db)).rejects.toMatchObject({ code: 'unavailable' })
})

test('moves the write-ahead log into the file', async ({ expect }) => {
  const { connection, background } = setUp()
  await one.execute(background.db)
  connection.prepare('INSERT INTO words VALUES (?)').run('a')
  const isMoved = () => {
    const [row] = connection.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
    return row !== undefined && row.log === row.checkpointed
  }
  await expect.poll(isMoved).toBe(true)
})

test('creates no store when the files were moved', async ({ expect }) => {
  const file = join(temporaryFolder(), 'moved.sqlite')
  const background = createBackground(file)
  onTestFinished(() => background.close())
  await expect(one.execute(background.db)).rejects.toMatchObject({ code: 'unavailable' })
  expect(existsSync(file)).toBe(false)
})
