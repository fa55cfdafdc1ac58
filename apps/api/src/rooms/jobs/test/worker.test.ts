import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { crashKind } from '../../../../test/crash/crash-kind.ts'
import { cancel, gate } from '../../../../test/job-traces.ts'
import { createJobOf, jobWorld, quickTimes, testKind, untilJob, work } from '../../../../test/job-world.ts'
import { copyTemplateStore } from '../../../../test/template-store.ts'
import { systemClock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import { openStore } from '../../../store/store.ts'
import { memberActor } from '../../identity/identity.ts'
import { migrations } from '../../migrations.ts'
import type { Job } from '../jobs.schema.ts'
import { createJob, type JobContext, JobInterrupted, jobKindsOf } from '../jobs.ts'
import { insertJob, requeueLeased } from '../queue/job-writes.ts'
import { MAX_RUNNING, MAX_RUNNING_PER_TENANT } from '../worker/worker-options.ts'

/** Times with a lease that is longer than any pause of the machine, so that no lease of a live worker expires. */
const unhurried = { ...quickTimes, leaseMs: 60_000 }

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type)

test('a lost worker can no longer write; another one continues its job and repeats no effect', async () => {
  const interrupted: unknown[] = []
  const runs: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const trace = ({ effect }: JobContext, step: string, by: string) =>
    effect(step, { action: 'test.trace' }, async (tx) => {
      await tx.record({ subject: { type: 'test.trace', id: step } })
      return { by }
    })
  const run = (by: string) => async (context: JobContext) => {
    runs.push(by)
    const first = await trace(context, 'one', by)
    if (by === 'slow') {
      await released
      await trace(context, 'two', by).catch((error: unknown) => {
        interrupted.push(error)
        throw error
      })
    }
    const second = await trace(context, 'two', by)
    return { first: first.by, second: second.by }
  }
  const world = await jobWorld([testKind(run('slow'))])
  const { id } = await world.create()
  // This worker sends no heartbeat and sees no changes, as in a suspended process.
  work({
    store: world.t.store,
    kinds: jobKindsOf([testKind(run('slow'))]),
    times: { ...quickTimes, beatMs: 1e8, lookMs: 1e8 },
  })
  await world.until(id, ({ status }) => status === 'running')
  const second = openStore({ migrations, dataDir: world.t.store.dataDir, clock: world.t.clock })
  onTestFinished(() => second.close())
  work({ store: second, kinds: jobKindsOf([testKind(run('other'))]) })
  await untilJob(second, id, ({ ended_at }) => ended_at !== null)
  release()
  await expect.poll(() => interrupted).toEqual([expect.any(JobInterrupted)])
  const job = await world.until(id, ({ ended_at }) => ended_at !== null)
  expect(job).toMatchObject({
    status: 'succeeded',
    claim: 2,
    reclaims: 1,
    result_json: '{"first":"slow","second":"other"}',
  })
  expect(runs).toEqual(['slow', 'other'])
  expect(types(await world.events(id))).toEqual(['created', 'started', 'reclaimed', 'started', 'succeeded'])
})

test('a worker that was declared lost keeps its claims under a new name, also when it learns of it in the same commit', async () => {
  const run = async ({ checkpoint, signal }: JobContext, { name }: { name: string }) => {
    if (name === 'old') await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await checkpoint({ at: 1 })
    return undefined
  }
  const world = await jobWorld([testKind(run)])
  const { store } = world.t
  const old = await world.create({ name: 'old' })
  world.work({ times: { ...unhurried, lookMs: 60_000 } })
  const row = await world.until(old.id, ({ status }) => status === 'running')
  const id = newId()
  const next = { ...row, id, lineage_id: id, status: 'queued', owner: null, claim: 0, idempotency_key: null } as const
  const bothWait = gate()
  const written = store.write('upkeep', async (db) => {
    await db.deleteFrom('job_workers').execute()
    await insertJob(db, { ...next, input_json: '{"name":"next"}' })
    await bothWait.opened
    return { keep: true, value: undefined }
  })
  store.signals.emit('jobQueued')
  await delay(3 * unhurried.beatMs)
  bothWait.open()
  await written
  expect(await world.ended(id)).toMatchObject({ status: 'succeeded', claim: 1, reclaims: 0 })
})

test('a job that was taken over and claimed again by the same worker is not taken over again when its former run ends', async () => {
  const mayEnd = [gate(), gate()]
  let runs = 0
  const world = await jobWorld([
    testKind(async () => {
      await mayEnd[runs++]?.opened
      return undefined
    }),
  ])
  const { store } = world.t
  const { id } = await world.create()
  world.work({ times: unhurried })
  const { tenant_id: tenantId, owner, claim } = await world.until(id, ({ status }) => status === 'running')
  await store.write('upkeep', async (db) => {
    const lease = { tenantId, jobId: id, owner: owner ?? '', claim }
    return { keep: true, value: await requeueLeased(db, lease, { isLost: true, progress: null }) }
  })
  store.signals.emit('jobQueued')
  await world.until(id, (job) => job.claim === 2)
  mayEnd[0]?.open()
  // Each look compares the claims of the store with those of the worker.
  await delay(5 * unhurried.lookMs)
  mayEnd[1]?.open()
  expect(await world.ended(id)).toMatchObject({ status: 'succeeded', claim: 2, reclaims: 1 })
  expect(runs).toBe(2)
})

test('a stopping worker lets a job reach its checkpoint or releases its lease, and the next one continues from there', async () => {
  const world = await jobWorld([
    testKind(async ({ resume, checkpoint, progress, signal }, { name }) => {
      if (resume !== null) return { resumed: resume.at ?? null }
      progress({ done: 1, total: 2, unit: 'steps' })
      await checkpoint({ at: 7 })
      if (name === 'deaf') await new Promise(() => {})
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await checkpoint({ at: 8 })
      return undefined
    }),
  ])
  const [polite, deaf] = [await world.create(), await world.create({ name: 'deaf' })]
  const first = world.work()
  for (const { id } of [polite, deaf]) await world.until(id, ({ checkpoint_json }) => checkpoint_json !== null)
  await first.stop()
  for (const { id } of [polite, deaf])
    expect(await world.until(id, () => true)).toMatchObject({ status: 'queued', owner: null, reclaims: 0 })
  world.work()
  expect(await world.ended(polite.id)).toMatchObject({ status: 'succeeded', result_json: '{"resumed":8}' })
  expect(await world.ended(deaf.id)).toMatchObject({ status: 'succeeded', result_json: '{"resumed":7}' })
  expect(types(await world.events(polite.id)).filter((type) => type !== 'progress')).toEqual([
    'created',
    'started',
    'checkpoint',
    'checkpoint',
    'handed_back',
    'started',
    'succeeded',
  ])
})

test('tenants take turns: a job of one tenant does not wait for a hundred of another', async () => {
  const order: string[] = []
  const world = await jobWorld([
    testKind(async ({ tenantId }) => {
      order.push(tenantId)
      return undefined
    }),
  ])
  const other = await world.t.as('operator', 'other')
  for (let n = 0; n < 100; n++) await world.create()
  const { id } = await createJobOf(other, 'test')
  world.work()
  await world.ended(id)
  expect(order.indexOf(world.t.tenants.other.id)).toBeLessThan(10)
})

test('a tenant has a limit of running jobs, however many slots are free', async () => {
  const goOn = gate()
  let [running, most] = [0, 0]
  const world = await jobWorld([
    testKind(async ({ tenantId }) => {
      if (tenantId !== world.t.tenants.home.id) return undefined
      running += 1
      most = Math.max(most, running)
      await goOn.opened
      running -= 1
      return undefined
    }),
  ])
  const other = await world.t.as('operator', 'other')
  const jobs: Job[] = []
  for (let n = 0; n < MAX_RUNNING; n++) jobs.push(await world.create())
  world.work()
  await expect.poll(() => running).toBe(MAX_RUNNING_PER_TENANT)
  for (let n = 0; n < 2; n++) await world.ended((await createJobOf(other, 'test')).id)
  expect(running).toBe(MAX_RUNNING_PER_TENANT)
  goOn.open()
  for (const { id } of jobs) expect((await world.ended(id)).status).toBe('succeeded')
  expect(most).toBe(MAX_RUNNING_PER_TENANT)
})

test('two workers on one store run each job once', async () => {
  const ran: string[] = []
  const kind = testKind(async ({ jobId }) => {
    ran.push(jobId)
    return undefined
  })
  const world = await jobWorld([kind])
  const ids: string[] = []
  for (let n = 0; n < 60; n++) ids.push((await world.create()).id)
  const second = openStore({ migrations, dataDir: world.t.store.dataDir, clock: world.t.clock })
  onTestFinished(() => second.close())
  world.work({ times: unhurried })
  work({ store: second, kinds: jobKindsOf([kind]), times: unhurried })
  const left = () => world.t.store.reader.selectFrom('jobs').select('id').where('ended_at', 'is', null).execute()
  await expect.poll(left).toEqual([])
  expect(ran.toSorted()).toEqual(ids.toSorted())
})

test('a job is cancelled also when another process than its worker receives the request', async () => {
  const kind = testKind(async ({ signal }) => {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    return undefined
  })
  const world = await jobWorld([kind])
  const second = openStore({ migrations, dataDir: world.t.store.dataDir, clock: world.t.clock })
  onTestFinished(() => second.close())
  work({ store: second, kinds: jobKindsOf([kind]), times: unhurried })
  const { id } = await world.create()
  await untilJob(second, id, ({ status }) => status === 'running')
  expect(await cancel(world, id)).toMatchObject({ body: { outcome: 'requested' } })
  expect((await untilJob(second, id, ({ ended_at }) => ended_at !== null)).status).toBe('cancelled')
})

test('the jobs of a killed process are resumed at once, long before its lease expires; those of a live one stay', async () => {
  const { dataDir, tenants } = await copyTemplateStore()
  const store = openStore({ migrations, dataDir, clock: systemClock })
  onTestFinished(() => store.close())
  const { id: tenantId, users } = tenants.home
  const actor = await memberActor(store.reader, { tenantId, userId: users.operator.id }, newId())
  if (actor === undefined) throw new Error('The operator is a member.')
  const kind = crashKind(async () => {})
  const { value: job } = await change(store, actor, { permission: null, action: 'job.create' }, (tx) =>
    createJob(tx, { kind, input: { pauseMs: 1e6, fails: false } }),
  )
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../../test/crash/job-worker-process.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const read = () => store.reader.selectFrom('jobs').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow()
  await expect.poll(async () => (await read()).status).toBe('running')

  // No lease can expire in this test, so a worker counts as lost only because the system reports that its process is dead.
  const times = { ...quickTimes, leaseMs: 1e9 }
  const warned: string[] = []
  const log = { info: () => {}, error: () => {}, warn: (_: unknown, told?: string) => void warned.push(told ?? '') }
  work({ store, kinds: jobKindsOf([kind]), times, log })
  const { value: second } = await change(store, actor, { permission: null, action: 'job.create' }, (tx) =>
    createJob(tx, { kind, input: { pauseMs: 1, fails: false } }),
  )
  await untilJob(store, second.id, ({ ended_at }) => ended_at !== null)
  expect((await read()).reclaims).toBe(0)

  child.kill('SIGKILL')
  expect(await untilJob(store, job.id, ({ ended_at }) => ended_at !== null)).toMatchObject({
    status: 'succeeded',
    reclaims: 1,
    claim: 2,
  })
  expect(warned).toEqual(['a job of a lost worker was resumed'])
})

test('a clock that jumps a year ahead and back during a job neither loses nor doubles its lease', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const kind = testKind(async ({ checkpoint }) => {
    await released
    await checkpoint({ at: 1 })
    return undefined
  })
  const world = await jobWorld([kind])
  const { id } = await world.create()
  world.work({ times: unhurried })
  await world.until(id, ({ status }) => status === 'running')
  const second = openStore({ migrations, dataDir: world.t.store.dataDir, clock: world.t.clock })
  onTestFinished(() => second.close())
  work({ store: second, kinds: jobKindsOf([kind]), times: unhurried })
  const YEAR_MS = 31_536_000_000
  const beat = async () => (await second.reader.selectFrom('job_workers').select('beat').executeTakeFirst())?.beat ?? 0
  for (const jump of [YEAR_MS, -2 * YEAR_MS, YEAR_MS]) {
    world.t.clock.advance(jump)
    const before = await beat()
    await expect.poll(beat).toBeGreaterThan(before + 1)
  }
  release()
  expect(await world.ended(id)).toMatchObject({ status: 'succeeded', claim: 1, reclaims: 0 })
})
