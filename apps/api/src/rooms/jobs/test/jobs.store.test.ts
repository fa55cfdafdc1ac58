import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type JobWorld, jobWorld, testKind } from '../../../../test/job-world.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import type { Job } from '../jobs.schema.ts'

/** The query that the tests themselves run on their small store; its plan is not checked. */
const askedByTests = 'select * from "jobs" where "id" = +?'

/** Creates one job that has used every feature, and a second job that is queued. */
async function furnished(): Promise<JobWorld & { done: string; waiting: string }> {
  const world = await jobWorld([
    testKind(async ({ checkpoint, progress, effect, attempt }, { name }) => {
      if (name === 'waits') await new Promise(() => {})
      progress({ done: 1, total: 2, unit: 'steps' })
      await effect('one', { action: 'test.trace' }, (tx) => tx.record({ subject: { type: 'test.trace', id: 'one' } }))
      await checkpoint({ at: 1 })
      if (attempt === 1) throw new Error('once')
      return { done: true }
    }),
  ])
  const first = await world.create()
  const worker = world.work()
  await world.ended(first.id)
  const { body: second } = await world.operator.post<Job>(`/jobs/${first.id}/retry`, {}, { 'idempotency-key': 'again' })
  await world.ended(second.id)
  await worker.stop()
  const { id: waiting } = await world.create({ name: 'waits' })
  return { ...world, done: second.id, waiting }
}

const write = (world: JobWorld, statement: ReturnType<typeof sql>) =>
  world.t.store.write('upkeep', async (db) => {
    await statement.execute(db)
    return { keep: true, value: undefined }
  })

test('the database itself keeps an ended job unchanged, and deletes no job, no event and no effect', async () => {
  const world = await furnished()
  for (const table of ['job_events', 'job_effects']) {
    for (const statement of [
      sql`UPDATE ${sql.table(table)} SET tenant_id = tenant_id`,
      sql`DELETE FROM ${sql.table(table)}`,
      sql`REPLACE INTO ${sql.table(table)} SELECT * FROM ${sql.table(table)}`,
    ])
      await expect(write(world, statement)).rejects.toThrow(`${table} is append-only`)
  }
  await expect(write(world, sql`UPDATE jobs SET result_json = NULL WHERE id = ${world.done}`)).rejects.toThrow(
    'stays as it ended',
  )
  await expect(write(world, sql`DELETE FROM jobs`)).rejects.toThrow('never deleted')
  await expect(write(world, sql`UPDATE jobs SET status = 'running' WHERE id = ${world.waiting}`)).rejects.toThrow(
    'CHECK',
  )
  await expect(write(world, sql`UPDATE jobs SET status = 'paused' WHERE id = ${world.waiting}`)).rejects.toThrow(
    'CHECK',
  )
  const other = world.t.tenants.other.id
  await expect(
    write(world, sql`INSERT INTO job_events VALUES (${other}, ${world.done}, 99, 'progress', '', '{}')`),
  ).rejects.toThrow('FOREIGN KEY')
})

test('no statement about jobs scans a table or a tenant, and none sorts', async () => {
  const statements = new Set<string>()
  const prepare = BetterSqlite3.prototype.prepare
  vi.spyOn(BetterSqlite3.prototype, 'prepare').mockImplementation(function (
    this: BetterSqlite3.Database,
    text: string,
  ) {
    if (/\bjob(s|_events|_effects)\b/.test(text) && text !== askedByTests) statements.add(text)
    return prepare.call(this, text)
  })
  const world = await furnished()
  const { operator, done, waiting } = world
  for (const query of ['', '?limit=1', '?kind=test', '?status=queued', '?kind=test&status=failed&limit=1']) {
    const { nextCursor } = (await operator.get<{ page: { nextCursor: string | null } }>(`/jobs${query}`)).body.page
    if (nextCursor !== null) await operator.get(`/jobs${query}&cursor=${nextCursor}`)
  }
  await operator.get(`/jobs/${done}`)
  await operator.get(`/jobs/${done}/events?after=1`)
  world.work()
  await world.until(waiting, ({ status }) => status === 'running')
  await operator.post(`/jobs/${waiting}/cancellation`, {})
  await world.ended(waiting)
  vi.restoreAllMocks()

  expect(statements.size).toBeGreaterThan(20)
  const connection = openConnection(join(world.t.store.dataDir, STORE_FILE), { readonly: true })
  const slow = [...statements].flatMap((text) => {
    const parameters = Array.from({ length: text.split('?').length - 1 }, () => null)
    const plan = connection
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
      .all(...parameters)
      .map(({ detail }) => detail)
    const walks = plan.some((step) =>
      /^SCAN (?!CONSTANT ROW|counted$|json_each |jobs USING COVERING INDEX jobs_(running|queued))/.test(step),
    )
    const walksTenant =
      !/^\s*INSERT/i.test(text) && !/\blimit\b/i.test(text) && plan.some((step) => step.endsWith('(tenant_id=?)'))
    return walks || walksTenant || plan.some((step) => step.includes('TEMP B-TREE')) ? [{ text, plan }] : []
  })
  connection.close()
  expect(slow).toEqual([])
})
