import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import type { AppError } from '../../lib/app-error.ts'
import { type Background, createBackground } from './background.ts'
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

const HOME = 'home'
const one = sql<{ one: number }>`SELECT 1 AS one`
/** A query that takes some seconds on any machine. */
const endless = sql`WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000000) SELECT max(x) FROM n`

test('sees committed rows', async ({ expect }) => {
  const { connection, background } = setUp()
  connection.prepare('INSERT INTO words VALUES (?)').run('a')
  expect((await sql`SELECT word FROM words`.execute(background.of(HOME))).rows).toEqual([{ word: 'a' }])
})

test('writes nothing', async ({ expect }) => {
  const { connection, background } = setUp()
  await expect(sql`INSERT INTO words VALUES ('a') RETURNING word`.execute(background.of(HOME))).rejects.toMatchObject({
    code: 'SQLITE_READONLY',
  })
  await expect(
    background
      .of(HOME)
      .transaction()
      .execute(async () => {}),
  ).rejects.toThrow('single queries only')
  expect(connection.prepare('SELECT * FROM words').all()).toEqual([])
})

test('an invalid query fails alone', async ({ expect }) => {
  const { background } = setUp()
  const results = await Promise.allSettled([
    sql`SELECT word FROM nowhere`.execute(background.of(HOME)),
    one.execute(background.of(HOME)),
  ])
  expect(results).toMatchObject([{ reason: { message: 'no such table: nowhere' } }, { value: { rows: [{ one: 1 }] } }])
})

test('a slow query is abandoned, and the queries after it get results', async ({ expect }) => {
  const { background } = setUp({ maxQueryMs: 1_000 })
  await one.execute(background.of(HOME))
  const [slow, behind] = [endless.execute(background.of(HOME)), one.execute(background.of(HOME))]
  await expect(slow).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'query_too_slow' } })
  expect((await behind).rows).toEqual([{ one: 1 }])
  expect((await one.execute(background.of(HOME))).rows).toEqual([{ one: 1 }])
})

/** The outcomes of `count` queries of a tenant that are asked at once: `null` for an answer, otherwise the error. */
async function outcomes(background: Background, tenantId: string, count: number): Promise<(AppError | null)[]> {
  const asked = Array.from({ length: count }, () => one.execute(background.of(tenantId)))
  return (await Promise.allSettled(asked)).map((result) => (result.status === 'rejected' ? result.reason : null))
}

test('a tenant may hold a quarter of the places, and further queries of it are refused at once', async ({ expect }) => {
  const { background } = setUp()
  const [mine, theirs] = await Promise.all([outcomes(background, HOME, 260), outcomes(background, 'other', 50)])
  expect(theirs.filter((error) => error !== null)).toEqual([])
  const refused = mine.filter((error) => error !== null)
  expect(refused).toHaveLength(209)
  expect(refused[0]).toMatchObject({
    code: 'too_many_waiting',
    message: 'This workspace has 50 waiting searches; the limit is 50. Try again when some of them have ended.',
    details: { limit: 'waiting_searches', size: 50, max: 50, retryAfterSeconds: 2 },
  })
})

test('queries beyond all places are refused at once, except those of jobs', async ({ expect }) => {
  const { background } = setUp()
  const full = ['a', 'b', 'c', 'd'].map((tenantId) => outcomes(background, tenantId, 60))
  const [last, patient] = await Promise.all([
    outcomes(background, 'e', 1),
    one.execute(background.of('a', { isPatient: true })),
    ...full,
  ])
  expect(last).toMatchObject([{ code: 'unavailable', details: { reason: 'query_queue_full' } }])
  expect(patient.rows).toEqual([{ one: 1 }])
})

test('tenants are served in turn', async ({ expect }) => {
  const { background } = setUp()
  const served: string[] = []
  const ask = (tenantId: string) => one.execute(background.of(tenantId)).then(() => served.push(tenantId))
  await Promise.all([...Array.from({ length: 40 }, () => ask('a')), ask('b'), ask('b'), ask('c')])
  expect(served.slice(0, 6).join('')).toBe('abcaba')
})

test('a dead worker is replaced: waiting queries fail, later ones succeed', async ({ expect }) => {
  const folder = join(temporaryFolder(), 'not there yet')
  const file = join(folder, 'test.sqlite')
  const background = createBackground(file)
  onTestFinished(() => background.close())
  await expect(one.execute(background.of(HOME))).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: 'query_failed' },
  })
  mkdirSync(folder)
  openConnection(file).close()
  expect((await one.execute(background.of(HOME))).rows).toEqual([{ one: 1 }])
})

test('a closed reader refuses queries', async ({ expect }) => {
  const { background } = setUp()
  const waiting = one.execute(background.of(HOME))
  const outcome = Promise.allSettled([waiting])
  await background.close()
  expect(await outcome).toMatchObject([{ reason: { code: 'unavailable', details: { reason: 'stopping' } } }])
  await expect(one.execute(background.of(HOME))).rejects.toMatchObject({ code: 'unavailable' })
})

test('moves the write-ahead log into the file', async ({ expect }) => {
  const { connection, background } = setUp()
  await one.execute(background.of(HOME))
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
  await expect(one.execute(background.of(HOME))).rejects.toMatchObject({ code: 'unavailable' })
  expect(existsSync(file)).toBe(false)
})
