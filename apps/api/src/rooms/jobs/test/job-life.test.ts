import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cancel, gate, retry, trace, traces } from '../../../../test/job-traces.ts'
import { createJobOf, jobWorld, quickTimes, testKind } from '../../../../test/job-world.ts'
import { lastEvent } from '../../../../test/person.ts'
import type { Problem } from '../../../../test/prospects.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Permission } from '../../../lib/declared.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import type { Job } from '../jobs.schema.ts'
import { createJob } from '../jobs.ts'
import { queuedJobQuota } from '../queue/create-job.ts'
import { MAX_CHECKPOINT_BYTES } from '../worker/job-context.ts'
import { MAX_RESULT_BYTES } from '../worker/run-job.ts'

const types = (events: readonly { type: string }[]) => events.map(({ type }) => type)

test('a job is queued, started and ended with its result, each as an event without a gap, and its creation and end are audited', async () => {
  const world = await jobWorld([testKind(async () => ({ counted: 3 }))])
  const job = await world.create()
  expect(job).toMatchObject({
    status: 'queued',
    attempt: 1,
    lineageId: job.id,
    retryOf: null,
    requestedBy: { kind: 'user', name: 'Home operator' },
    input: { name: 'a job' },
    result: null,
    permitted: { cancel: true, retry: false },
  })
  expect(await lastEvent(world.t, 'job.create')).toMatchObject({
    subject_id: job.id,
    actor: world.t.tenants.home.users.operator.id,
  })
  world.work()
  await world.ended(job.id)
  const { body } = await world.operator.get<Job>(`/jobs/${job.id}`)
  expect(body).toMatchObject({ status: 'succeeded', result: { counted: 3 }, error: null })
  expect(body.permitted).toEqual({ cancel: false, retry: false })
  const events = await world.events(job.id)
  expect(types(events)).toEqual(['created', 'started', 'succeeded'])
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  expect(await lastEvent(world.t, 'job.end')).toMatchObject({
    subject_id: job.id,
    actor: 'job worker',
    before_json: '{"status":"running"}',
    after_json: '{"kind":"test","attempt":1,"status":"succeeded"}',
  })
})

test('a queued job that is cancelled ends at once and never starts', async () => {
  const started: string[] = []
  const world = await jobWorld([
    testKind(async ({ jobId }) => {
      started.push(jobId)
      return undefined
    }),
  ])
  const [first, second] = [await world.create(), await world.create()]
  expect((await cancel(world, first.id)).body).toMatchObject({ outcome: 'cancelled', job: { status: 'cancelled' } })
  expect(await lastEvent(world.t, 'job.cancel')).toMatchObject({
    subject_id: first.id,
    actor: world.t.tenants.home.users.operator.id,
    before_json: '{"status":"queued"}',
    after_json: '{"status":"cancelled","cancelRequested":true}',
  })
  world.work()
  await world.ended(second.id)
  expect(started).toEqual([second.id])
  expect(types(await world.events(first.id))).toEqual(['created', 'cancelled'])
})

test('a running job that is cancelled stops at its next checkpoint, and a repeated request changes nothing', async () => {
  const [reached, goOn] = [gate(), gate()]
  const world = await jobWorld([
    testKind(async (context) => {
      reached.open()
      await goOn.opened
      await context.checkpoint({ at: 1 })
      await trace(context, 'too late')
      return undefined
    }),
  ])
  const { id } = await world.create()
  // The interval of heartbeats is longer than the test, because a heartbeat would be another write.
  world.work({ times: { ...quickTimes, beatMs: 1e8 } })
  await reached.opened
  expect((await cancel(world, id)).body).toMatchObject({ outcome: 'requested', job: { status: 'running' } })
  expect((await lastEvent(world.t, 'job.cancel'))?.after_json).toBe('{"status":"running","cancelRequested":true}')
  const changes = await world.t.changes(async () => {
    expect((await cancel(world, id)).body.outcome).toBe('requested')
  })
  expect(changes).toEqual({})
  goOn.open()
  expect(await world.ended(id)).toMatchObject({ status: 'cancelled', error_code: null })
  expect(types(await world.events(id))).toEqual(['created', 'started', 'cancel_requested', 'checkpoint', 'cancelled'])
  expect(await traces(world)).toEqual([])
})

test('a job that finishes while it is being cancelled has one end, and the cancelling request returns it', async () => {
  const [reached, goOn] = [gate(), gate()]
  const world = await jobWorld([
    testKind(async () => {
      reached.open()
      await goOn.opened
      return { done: true }
    }),
  ])
  const { id } = await world.create()
  world.work()
  await reached.opened
  await cancel(world, id)
  goOn.open()
  expect(await world.ended(id)).toMatchObject({ status: 'succeeded' })
  const changes = await world.t.changes(async () => {
    expect((await cancel(world, id)).body).toMatchObject({ outcome: 'too_late', job: { status: 'succeeded' } })
  })
  expect(changes).toEqual({})
  expect(types(await world.events(id))).toEqual(['created', 'started', 'cancel_requested', 'succeeded'])
})

test('a kind that cannot be cancelled refuses it once it runs, and can be cancelled before', async () => {
  const [reached, goOn] = [gate(), gate()]
  const run = async () => {
    reached.open()
    await goOn.opened
    return undefined
  }
  const world = await jobWorld([testKind(run, { isCancellable: false })])
  const [running, queued] = [await world.create(), await world.create()]
  expect((await cancel(world, queued.id)).body.outcome).toBe('cancelled')
  world.work()
  await reached.opened
  expect(await cancel(world, running.id)).toMatchObject({ status: 422, body: { code: 'job_not_cancellable' } })
  goOn.open()
  await world.ended(running.id)
})

test('a handler that throws fails its job with a generic sentence, and the worker continues', async () => {
  const logged: unknown[] = []
  const log = { info: () => {}, warn: () => {}, error: (details: unknown) => logged.push(details) }
  const world = await jobWorld([
    testKind(async (_context, { name }) => {
      if (name === 'bug') throw new Error('secret inside')
      if (name === 'refusal') throw new AppError('conflict', 'There are prospects already.')
      if (name === 'synchronous') return JSON.parse('{')
      return { name }
    }),
  ])
  const ids: string[] = []
  for (const name of ['bug', 'refusal', 'synchronous', 'good']) ids.push((await world.create({ name })).id)
  world.work({ log })
  const ends: unknown[] = []
  for (const id of ids) ends.push(await world.ended(id))
  expect(ends).toMatchObject([
    { status: 'failed', error_code: 'internal_error', error_message: expect.not.stringContaining('secret') },
    { status: 'failed', error_code: 'conflict', error_message: 'There are prospects already.' },
    { status: 'failed', error_code: 'internal_error' },
    { status: 'succeeded', result_json: '{"name":"good"}' },
  ])
  expect(logged).toMatchObject([{ err: { message: 'secret inside' }, job: ids[0] }, { job: ids[2] }])
})

test('a job of an unknown kind, or with input that is no longer valid, fails with a sentence', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const { id } = await world.create()
  const unknown = await world.create()
  await world.t.store.write('upkeep', async (db) => {
    await db.updateTable('jobs').set({ input_json: '{"other":1}' }).where('id', '=', id).execute()
    await db.updateTable('jobs').set({ kind: 'gone' }).where('id', '=', unknown.id).execute()
    return { keep: true, value: undefined }
  })
  world.work()
  expect(await world.ended(id)).toMatchObject({ status: 'failed', error_code: 'invalid_request' })
  expect(await world.ended(unknown.id)).toMatchObject({ status: 'failed', error_code: 'kind_unknown' })
})

test('a job that takes too long fails with that reason, whether its handler stops or not', async () => {
  const world = await jobWorld([
    testKind(
      async ({ signal }, { name }) => {
        if (name === 'polite') await delay(60_000, undefined, { signal })
        else await new Promise(() => {})
        return undefined
      },
      { timeoutMs: 50 },
    ),
  ])
  const [polite, deaf] = [await world.create({ name: 'polite' }), await world.create({ name: 'deaf' })]
  world.work()
  for (const { id } of [polite, deaf])
    expect(await world.ended(id)).toMatchObject({ status: 'failed', error_code: 'timeout' })
})

test('a room creates a job inside its own change, in the name of its actor, or not at all', async () => {
  const kind = testKind(async () => undefined)
  const world = await jobWorld([kind])
  const { store, tenants } = world.t
  const make = (permissions: Permission[], fails: boolean) =>
    change(
      store,
      {
        kind: 'user',
        userId: tenants.home.users.operator.id,
        tenantId: tenants.home.id,
        correlationId: newId(),
        permissions: new Set(permissions),
      },
      { permission: null, action: 'test.make' },
      async (tx) => {
        const created = await createJob(tx, { kind, input: { name: 'inside' } })
        if (fails) throw new AppError('conflict', 'After all, no.')
        return created
      },
    )
  const changes = await world.t.changes(async () => {
    await expect(make(['jobs.create'], true)).rejects.toMatchObject({ code: 'conflict' })
    await expect(make([], false)).rejects.toMatchObject({ code: 'permission_denied' })
  })
  expect(changes).toEqual({})
  const { value } = await make(['jobs.create'], false)
  world.work()
  expect(await world.ended(value.id)).toMatchObject({ status: 'succeeded', actor: tenants.home.users.operator.id })
})

test('a job of a person who lost the permission is refused, before it starts and between two effects', async () => {
  const [reached, goOn] = [gate(), gate()]
  let begun = 0
  const world = await jobWorld([
    testKind(async (context) => {
      begun += 1
      await trace(context, 'before')
      reached.open()
      await goOn.opened
      await trace(context, 'after')
      return undefined
    }),
  ])
  const { store, tenants } = world.t
  const become = (role: 'operator' | 'viewer') =>
    store.write('upkeep', async (db) => {
      const ofOperator = db.updateTable('memberships').set({ role })
      await ofOperator.where('user_id', '=', tenants.home.users.operator.id).execute()
      return { keep: true, value: undefined }
    })
  const { id } = await world.create()
  const worker = world.work()
  await reached.opened
  await become('viewer')
  goOn.open()
  expect(await world.ended(id)).toMatchObject({ status: 'failed', error_code: 'permission_denied' })
  expect(await traces(world)).toEqual(['before'])
  await worker.stop()
  await become('operator')
  const { id: waiting } = await world.create()
  await become('viewer')
  world.work()
  expect(await world.ended(waiting)).toMatchObject({ status: 'failed', error_code: 'permission_denied' })
  expect(begun).toBe(1)
})

test('a result or a checkpoint beyond the limit fails the job, and nothing of it is stored', async () => {
  const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - Buffer.byteLength('{"text":""}')) })
  const world = await jobWorld([
    testKind(async ({ checkpoint }, { name }) => {
      if (name === 'checkpoint') await checkpoint(sized(MAX_CHECKPOINT_BYTES + 1))
      await checkpoint(sized(MAX_CHECKPOINT_BYTES))
      return sized(name === 'result' ? MAX_RESULT_BYTES + 1 : MAX_RESULT_BYTES)
    }),
  ])
  world.work()
  const ended = async (name: string) => world.ended((await world.create({ name })).id)
  expect(await ended('as large as may be')).toMatchObject({ status: 'succeeded', error_code: null })
  expect(await ended('result')).toMatchObject({ status: 'failed', error_code: 'result_too_large', result_json: null })
  expect(await ended('checkpoint')).toMatchObject({
    status: 'failed',
    error_code: 'internal_error',
    checkpoint_json: null,
  })
})

test('the queue of a tenant is limited, without affecting another tenant', async () => {
  const kind = testKind(async () => undefined)
  const world = await jobWorld([kind])
  const ended = await world.create()
  await cancel(world, ended.id)
  const { store, tenants } = world.t
  const { id: tenantId, users } = tenants.home
  const permissions = new Set<Permission>(['jobs.create'])
  const actor = { kind: 'user', userId: users.operator.id, tenantId, correlationId: newId(), permissions } as const
  await change(store, actor, { permission: null, action: 'test.fill' }, async (tx) => {
    for (let n = 0; n < queuedJobQuota.max; n++) await createJob(tx, { kind, input: {} })
  })
  const refused = await world.operator.post<Problem>('/jobs', { kind: 'test' }, { 'idempotency-key': 'one more' })
  expect(refused).toMatchObject({ status: 429, body: { code: 'queue_full', limit: 'queued_jobs', max: 1_000 } })
  expect(await retry(world, ended.id)).toMatchObject({ status: 429, body: { code: 'queue_full' } })
  await createJobOf(await world.t.as('operator', 'other'), 'test')
})
