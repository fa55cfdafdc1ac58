import { expect, test } from 'vitest'
import { seedTenant, temporaryStore } from '../../test/temporary-store.ts'
import { loopContext } from '../../test/upkeep.ts'
import type { Upkeep } from './room.ts'
import { runUpkeep, startUpkeep } from './run-upkeep.ts'

type Logged = { task: string; err: Error }

function setUp(dataDir?: string) {
  const store = temporaryStore(dataDir === undefined ? {} : { dataDir })
  const logged: Logged[] = []
  const context = loopContext(store)
  Object.assign(context.log, { error: (one: Logged) => logged.push(one) })
  return { store, context, logged }
}

const task = (name: string, forTenant: (tenantId: string) => Promise<unknown>, everyMs = 1_000): Upkeep => ({
  name,
  everyMs,
  limit: 1,
  forTenant: ({ tenantId }) => forTenant(tenantId),
})

test('a tenant that fails is logged and stops neither the other tenants nor the other tasks', async () => {
  const { store, context, logged } = setUp()
  const [failing, working] = [await seedTenant(store), await seedTenant(store)]
  const done: string[] = []
  const upkeep = startUpkeep(context, [
    task('fails', async (tenantId) => {
      if (tenantId === failing) throw new Error('broken row')
      done.push(tenantId)
    }),
    task('works', async (tenantId) => void done.push(tenantId)),
  ])
  await expect.poll(() => done.length).toBe(3)
  await upkeep.stop()
  expect(done.toSorted()).toEqual([working, failing, working].toSorted())
  expect(logged.map(({ task: name }) => name)).toEqual(['fails'])
  expect(logged[0]?.err).toMatchObject({ errors: [{ message: expect.stringContaining(failing) }] })
})

test('each task runs at the start and at its own interval, never twice at once, and a long one delays no other', async () => {
  const { store, context } = setUp()
  await seedTenant(store)
  let longRuns = 0
  let shortRuns = 0
  const count = (runs: number) => {
    shortRuns += runs
  }
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const upkeep = startUpkeep(context, [
    task(
      'long',
      () => {
        longRuns += 1
        return ended
      },
      1,
    ),
    task('short', async () => count(1), 1),
    task('rare', async () => count(100), 3_600_000),
  ])
  await expect.poll(() => shortRuns, { timeout: 20_000 }).toBeGreaterThanOrEqual(102)
  expect([longRuns, shortRuns < 200]).toEqual([1, true])
  let isStopped = false
  const stopping = Promise.resolve(upkeep.stop()).then(() => {
    isStopped = true
  })
  expect(isStopped).toBe(false)
  end()
  await stopping
})

test('of two processes with the store open one runs the tasks, and a stop lets the other one take over', async () => {
  const one = setUp()
  const two = setUp(one.store.dataDir)
  await seedTenant(one.store)
  const ran: string[] = []
  const first = startUpkeep(one.context, [task('one', async () => void ran.push('first'))])
  await expect.poll(() => ran).toEqual(['first'])
  const second = startUpkeep(two.context, [task('one', async () => void ran.push('second'))])
  await second.stop()
  expect(new Set(ran)).toEqual(new Set(['first']))
  await first.stop()
  const next = startUpkeep(two.context, [task('one', async () => void ran.push('next'))])
  await expect.poll(() => ran.at(-1)).toBe('next')
  await next.stop()
})

test('a task learns that the upkeep stops, and the stop waits for its end', async () => {
  const { store, context } = setUp()
  await seedTenant(store)
  let wasStopped = false
  let hasBegun = false
  const upkeep = startUpkeep(context, [
    {
      name: 'waits',
      everyMs: 1,
      limit: 1,
      forStore: async ({ isStopped }) => {
        hasBegun = true
        while (!isStopped()) await new Promise((resolve) => setTimeout(resolve, 1))
        wasStopped = true
      },
    },
  ])
  await expect.poll(() => hasBegun).toBe(true)
  await upkeep.stop()
  expect(wasStopped).toBe(true)
})

test('a run of all tasks stops at the first task that fails, after that task has run for all tenants', async () => {
  const { store, context } = setUp()
  await seedTenant(store)
  await seedTenant(store)
  const ran: string[] = []
  const failing = task('fails', async () => {
    ran.push('fails')
    throw new Error('broken')
  })
  const never = task('later', async () => void ran.push('later'))
  await expect(runUpkeep(context, [failing, never])).rejects.toThrow(AggregateError)
  expect(ran).toEqual(['fails', 'fails'])
})
