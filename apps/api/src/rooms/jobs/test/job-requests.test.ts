import { expect, test, vi } from 'vitest'
import { cancel, gate, retry, traces } from '../../../../test/job-traces.ts'
import { createJobOf, jobWorld, quickTimes, testKind } from '../../../../test/job-world.ts'
import type { ListPage } from '../../../../test/prospects.ts'
import { AppError } from '../../../lib/app-error.ts'
import { openStore } from '../../../store/store.ts'
import { migrations } from '../../migrations.ts'
import type { JobSummary } from '../jobs.schema.ts'
import { ensureJob, type JobKind, jobKindsOf, shortfallOf, watchJob } from '../jobs.ts'
import { endLeftOpen } from '../worker/end-left-open.ts'
import { reclaimJob } from '../worker/worker-leases.ts'
import { workerTimes } from '../worker/worker-options.ts'

/** Records the end of a request as an audit event, once per lineage, as a room does. */
const onEnd: JobKind['onEnd'] = async (tx, { name }, { status, lineageId }) => {
  const id = `${name} ${status}`
  const known = await tx.db
    .selectFrom('audit_events')
    .select('id')
    .where('action', '=', 'test.trace')
    .where('correlation_id', '=', tx.actor.correlationId)
    .where('subject_id', 'like', `${name} %`)
    .executeTakeFirst()
  if (known === undefined && lineageId !== '')
    await tx.record({ action: 'test.trace', subject: { type: 'test.trace', id } })
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

test('the request of a job ends in the transaction that ends the last attempt, however that is', async () => {
  const [reached, goOn] = [gate(), gate()]
  const run: Parameters<typeof testKind>[0] = async (context, { name }) => {
    if (name === 'refused') throw new AppError('conflict', 'No.')
    if (name === 'flaky') throw new AppError('unavailable', 'Not now.')
    if (name === 'stopped') {
      reached.open()
      await goOn.opened
      await context.checkpoint({})
    }
    return {}
  }
  const world = await jobWorld([testKind(run, { onEnd, maxAttempts: 2 })])
  const queued = await world.create({ name: 'queued' })
  expect((await cancel(world, queued.id)).body.outcome).toBe('cancelled')
  expect(await traces(world)).toEqual(['queued cancelled'])

  const [good, refused, flaky, stopped] = [
    await world.create({ name: 'good' }),
    await world.create({ name: 'refused' }),
    await world.create({ name: 'flaky' }),
    await world.create({ name: 'stopped' }),
  ]
  world.work()
  await reached.opened
  expect((await cancel(world, stopped.id)).body.outcome).toBe('requested')
  goOn.open()
  for (const { id } of [good, refused, flaky, stopped]) await world.ended(id)
  await expect.poll(() => traces(world)).toHaveLength(5)
  expect((await traces(world)).toSorted()).toEqual([
    'flaky failed',
    'good succeeded',
    'queued cancelled',
    'refused failed',
    'stopped cancelled',
  ])
  // The end of the request is the event after the end of the job that has no attempt after it.
  const events = await world.t.store.reader
    .selectFrom('audit_events')
    .select(['action', 'subject_id', 'at'])
    .orderBy('sequence')
    .execute()
  const at = events.findIndex(({ subject_id }) => subject_id === 'flaky failed')
  const second = (await world.operator.get<{ attempts: { id: string }[] }>(`/jobs/${flaky.id}`)).body.attempts[1]
  expect(events[at - 1]).toMatchObject({ action: 'job.end', subject_id: second?.id })
})

test('a job whose worker was lost too often ends with its request', async () => {
  const world = await jobWorld([testKind(async () => ({}), { onEnd })])
  const { id } = await world.create({ name: 'lost' })
  const { store } = world.t
  await store.write('upkeep', async (db) => {
    await db.insertInto('job_workers').values({ id: 'gone', beat: 0, started_at: '' }).execute()
    const running = { status: 'running', owner: 'gone', claim: 6, reclaims: 5 } as const
    await db.updateTable('jobs').set(running).where('id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  const row = await world.until(id, ({ status }) => status === 'running')
  const kinds = jobKindsOf([testKind(async () => ({}), { onEnd })])
  const runner = { store, kinds, adapters: { file: null, items: [] }, rooms: [], log: quiet, times: workerTimes }
  await reclaimJob(runner, row)
  expect(await world.ended(id)).toMatchObject({ status: 'failed', error_code: 'worker_lost' })
  expect(await traces(world)).toEqual(['lost failed'])
})

test('a retry of a job whose request has ended does not end the request again', async () => {
  const world = await jobWorld([testKind(async () => ({}), { onEnd })])
  const { id } = await world.create({ name: 'once' })
  await cancel(world, id)
  const { body: attempt } = await retry(world, id)
  const seen: unknown[] = []
  world.work({
    kinds: jobKindsOf([
      testKind(async () => ({}), {
        onEnd: async (_tx, { name }, end) => {
          seen.push([name, end])
        },
      }),
    ]),
  })
  await world.ended(attempt.id)
  expect(seen).toEqual([['once', { status: 'succeeded', lineageId: id }]])
  expect(await traces(world)).toEqual(['once cancelled'])
})

test('a job and its request end together or not at all: a failing end is repeated, and other jobs continue', async () => {
  let failures = 0
  const world = await jobWorld([
    testKind(async (_context, { name }) => ({ name }), {
      onEnd: async (tx, input, end) => {
        await onEnd(tx, input, end)
        if (input.name === 'bad' && failures++ < 3) throw new Error('a fault in a room')
      },
    }),
  ])
  const logged: unknown[] = []
  const bad = await world.create({ name: 'bad' })
  world.work({ log: { ...quiet, error: (details: unknown) => logged.push(details) } })
  const other = await world.create({ name: 'other' })
  await world.ended(other.id)
  await world.ended(bad.id)
  expect((await traces(world)).toSorted()).toEqual(['bad succeeded', 'other succeeded'])
  expect(failures).toBe(4)
  expect(logged).toHaveLength(3)
})

test('the cancellation of a queued job changes nothing if its request cannot be ended', async () => {
  const world = await jobWorld([
    testKind(async () => ({}), {
      onEnd: async () => {
        throw new AppError('conflict', 'Not now.')
      },
    }),
  ])
  const { id } = await world.create()
  const changes = await world.t.changes(async () => {
    expect((await cancel(world, id)).status).toBe(409)
  })
  expect(changes).toEqual({})
})

test('the start ends a request that an older version left open after its job, and no other, once', async () => {
  const world = await jobWorld([testKind(async () => ({}))])
  const [left, open, done] = [
    await world.create({ name: 'left' }),
    await world.create({ name: 'open' }),
    await world.create({ name: 'done' }),
  ]
  await cancel(world, left.id)
  await cancel(world, done.id)
  const unended = new Set([left.id, open.id])
  const kind = testKind(async () => ({}), {
    openRequests: async (_db, tenantId) => (tenantId === world.t.tenants.home.id ? [...unended] : []),
    onEnd: async (tx, input, end) => {
      await onEnd(tx, input, end)
      unended.delete(end.lineageId)
    },
  })
  for (let starts = 0; starts < 2; starts++) await endLeftOpen(world.t.store, jobKindsOf([kind]), quiet)
  expect([...unended]).toEqual([open.id])
  expect(await traces(world)).toEqual(['left cancelled'])
})

test('a failure of a room while requests are ended at the start is logged and does not stop the start', async () => {
  const world = await jobWorld([testKind(async () => ({}))])
  const kind = testKind(async () => ({}), { openRequests: () => Promise.reject(new Error('no such table')) })
  const logged: unknown[] = []
  await endLeftOpen(world.t.store, jobKindsOf([kind]), { error: (details: unknown) => logged.push(details) })
  expect(logged).toHaveLength(1)
})

test('upkeep queues a job of a kind once while one is open, also if two processes look at the same time', async () => {
  const kind = testKind(async () => ({}))
  const world = await jobWorld([kind])
  const { store, tenants } = world.t
  const ensure = () => ensureJob(store, kind, { tenantId: tenants.home.id, by: 'matching' })
  const both = await Promise.all([ensure(), ensure()])
  expect(both.toSorted()).toEqual([false, true])
  const changes = await world.t.changes(async () => {
    expect(await ensure()).toBe(false)
  })
  expect(changes).toEqual({})
  const { items } = (await world.operator.get<ListPage<JobSummary>>('/jobs')).body
  expect(items).toMatchObject([{ status: 'queued', requestedBy: { kind: 'system', name: 'matching' } }])
  await cancel(world, items[0]?.id ?? '')
  expect(await ensure()).toBe(true)
})

test('the list states what a job that succeeded did not answer', async () => {
  const world = await jobWorld([
    testKind(async (_context, { name }) => ({ outcome: name, reasons: ['budget_day', 'other'] }), {
      shortfallIn: ({ outcome, reasons }) => shortfallOf(outcome, reasons),
    }),
  ])
  world.work()
  for (const name of ['answered', 'deferred', 'unavailable']) await world.ended((await world.create({ name })).id)
  const { items } = (await world.operator.get<ListPage<JobSummary>>('/jobs')).body
  expect(items.map(({ status, shortfall }) => [status, shortfall])).toEqual([
    ['succeeded', { state: 'unavailable', reason: 'budget_day' }],
    ['succeeded', { state: 'deferred', reason: 'budget_day' }],
    ['succeeded', null],
  ])
  const { body } = await world.operator.get<JobSummary>(`/jobs/${items[1]?.id}`)
  expect(body.shortfall).toEqual({ state: 'deferred', reason: 'budget_day' })
})

test('all watched jobs share one timer and one query per poll, and each end is reported once', async () => {
  const world = await jobWorld([testKind(async () => ({}))])
  const { store, tenants } = world.t
  const jobs = [await world.create(), await world.create(), await world.create()]
  const foreign = await createJobOf(await world.t.as('operator', 'other'), 'test')
  // Another process commits without a signal in this one.
  const elsewhere = openStore({ migrations, dataDir: store.dataDir, clock: world.t.clock })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const told: unknown[] = []
    const watch = ({ id }: { id: string }, tenantId = tenants.home.id) =>
      watchJob(store, { tenantId, jobId: id }, ({ status }) => told.push([id, status]))
    const watches = [...jobs.map((job) => watch(job)), watch(foreign, tenants.other.id)]
    expect(vi.getTimerCount()).toBe(1)
    watches[2]?.stop()
    const ids = [...jobs, foreign].map(({ id }) => id)
    await elsewhere.write('upkeep', async (db) => {
      const end = { status: 'cancelled', ended_at: '2026-01-01T00:00:00.000Z' } as const
      await db.updateTable('jobs').set(end).where('id', 'in', ids).execute()
      return { keep: true, value: undefined }
    })
    expect(told).toEqual([])
    vi.advanceTimersByTime(5_000)
    await expect.poll(() => told.length).toBe(3)
    expect(told.toSorted()).toEqual([ids[0], ids[1], ids[3]].map((id) => [id, 'cancelled']).toSorted())
    expect(vi.getTimerCount()).toBe(0)
    store.signals.emit('jobEvent', ids[0] ?? '')
    expect(told).toHaveLength(3)
  } finally {
    vi.useRealTimers()
    await elsewhere.close()
  }
})

test('a job is taken over although another one cannot be', async () => {
  const world = await jobWorld([testKind(async () => ({}))])
  const [stuck, waiting] = [await world.create({ name: 'stuck' }), await world.create({ name: 'waiting' })]
  await world.t.store.write('upkeep', async (db) => {
    for (const [id, reclaims] of [
      [stuck.id, 5],
      [waiting.id, 0],
    ] as const)
      await db
        .updateTable('jobs')
        .set({ status: 'running', owner: 'gone', claim: 1, reclaims })
        .where('id', '=', id)
        .execute()
    return { keep: true, value: undefined }
  })
  world.work({
    times: quickTimes,
    kinds: jobKindsOf([
      testKind(async () => ({}), {
        onEnd: async (_tx, { name }) => {
          if (name === 'stuck') throw new Error('a fault in a room')
        },
      }),
    ]),
  })
  expect(await world.ended(waiting.id)).toMatchObject({ status: 'succeeded', reclaims: 1 })
  expect(await world.until(stuck.id, () => true)).toMatchObject({ status: 'running' })
})
