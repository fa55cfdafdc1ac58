import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { memberActor } from '../../src/rooms/identity/identity.ts'
import type { Job } from '../../src/rooms/jobs/jobs.schema.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import { sourceQuery } from '../../src/rooms/sources/sources.jobs.ts'
import { untilJob, work } from '../job-world.ts'
import { compiledBefore } from '../run-node.ts'
import { queryOf, type SourceWorld, sourceWorld } from '../source-world.ts'
import { upkeepOf } from '../upkeep.ts'
import type { SourceTask } from './source-process.ts'

function start(
  world: SourceWorld,
  task: Pick<SourceTask, 'sourceId' | 'times' | 'isAnswered'> & Partial<SourceTask>,
): { child: ChildProcess; sent: () => number } {
  const { store, clock, tenants } = world.t
  const { id: tenantId, users } = tenants.home
  const about = {
    dataDir: store.dataDir,
    now: clock().toISOString(),
    tenantId,
    userId: users.manager.id,
    businessId: world.businessId,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'source-process.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...compiledBefore(), PATH: process.env.PATH, TASK: JSON.stringify({ ...about, ...task }) },
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child)
  })
  let text = ''
  child.stdout?.on('data', (data: Buffer) => {
    text += data.toString()
  })
  return { child, sent: () => text.split('sent').length - 1 }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('a process killed between permit and response has used its permit; the lease frees its place, and nothing is sent again', {
  timeout: 60_000,
}, async () => {
  const world = await sourceWorld()
  const { store, clock } = world.t
  const { id } = await world.enabled({ concurrency: 1, rate: { perMinute: 10, perDay: 2 } })
  const { child } = start(world, { sourceId: id, times: 1, isAnswered: false })
  if (child.stdout !== null) await once(child.stdout, 'data')
  await kill(child)
  const [permit] = await store.reader.selectFrom('source_permits').selectAll().execute()
  expect(permit).toMatchObject({ ended_at: null, taken_at: clock().toISOString() })
  expect(await world.ask(id)).toMatchObject({ outcome: 'deferred', reason: 'concurrency', until: permit?.lease_until })
  await upkeepOf('sources', store, world.adapters)
  const outcome = async () => {
    const queries = await store.reader.selectFrom('source_queries').select(['id', 'outcome']).execute()
    return queries.find(({ id }) => id === permit?.query_id)?.outcome
  }
  expect(await outcome()).toBeNull()

  clock.advance(Date.parse(permit?.lease_until ?? '') - clock().getTime())
  expect(await world.ask(id)).toMatchObject({ outcome: 'answered' })
  // Two requests of the day's budget are used: one by the killed process and one by this process.
  expect(await world.ask(id)).toMatchObject({ outcome: 'deferred', reason: 'budget_day' })
  await upkeepOf('sources', store, world.adapters)
  expect(await outcome()).toBe('{"outcome":"unavailable","reason":"interrupted"}')
  expect(world.fixture.requests).toHaveLength(1)
})

test('a job resumed after the permit of a dead process does not send its request again', {
  timeout: 60_000,
}, async () => {
  const world = await sourceWorld()
  const { store, tenants } = world.t
  const { id } = await world.enabled()
  const body = { purpose: 'business_records', query: queryOf(world.businessId) }
  const accepted = await world.author.post<Job>(`/sources/${id}/queries`, body, { 'idempotency-key': newId() })
  const [query] = await store.reader
    .selectFrom('source_queries')
    .select('id')
    .where('job_id', '=', accepted.body.id)
    .execute()
  const { child } = start(world, { sourceId: id, times: 1, isAnswered: false, queryId: query?.id ?? '' })
  if (child.stdout !== null) await once(child.stdout, 'data')
  await kill(child)
  expect(
    await memberActor(store.reader, { tenantId: tenants.home.id, userId: tenants.home.users.manager.id }, newId()),
  ).toBeDefined()
  work({ store, kinds: jobKindsOf([sourceQuery]), adapters: world.adapters })
  const job = await untilJob(store, accepted.body.id, ({ ended_at }) => ended_at !== null)
  expect(JSON.parse(job.result_json ?? 'null')).toMatchObject({ outcome: 'unavailable', reason: 'interrupted' })
  expect(world.fixture.requests).toHaveLength(0)
})

test('two processes that compete for the last permits send no more than the contract allows', {
  timeout: 60_000,
}, async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled({ concurrency: 8, rate: { perMinute: 5, perDay: 100 } })
  const both = [1, 2].map(() => start(world, { sourceId: id, times: 6, isAnswered: true }))
  await Promise.all(both.map(({ child }) => once(child, 'exit')))
  expect(both.reduce((sum, { sent }) => sum + sent(), 0)).toBe(5)
  const queries = await world.t.store.reader.selectFrom('source_queries').select('outcome').execute()
  expect(queries.filter(({ outcome }) => outcome?.includes('budget_minute'))).toHaveLength(7)
})
