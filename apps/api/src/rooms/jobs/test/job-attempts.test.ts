import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { cancel, gate, retry, trace, traces } from '../../../../test/job-traces.ts'
import { type JobWorld, jobWorld, testKind } from '../../../../test/job-world.ts'
import { lastEvent } from '../../../../test/person.ts'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Job } from '../jobs.schema.ts'
import type { JobContext } from '../jobs.ts'

async function auditOf({ t }: JobWorld, action: string) {
  return t.store.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', action)
    .orderBy('sequence')
    .execute()
}

test('a retry is a new attempt of the lineage that continues at the checkpoint and repeats no completed effect', async () => {
  const resumed: unknown[] = []
  const world = await jobWorld([
    testKind(async (context) => {
      resumed.push(context.resume)
      const first = await trace(context, 'one')
      await context.checkpoint({ step: 1 })
      if (context.attempt === 1) throw new AppError('conflict', 'Not yet.')
      const second = await trace(context, 'two')
      return { first: first.step, second: second.step }
    }),
  ])
  const original = await world.create()
  world.work()
  await world.ended(original.id)
  expect((await world.operator.get<Job>(`/jobs/${original.id}`)).body.permitted).toEqual({ cancel: false, retry: true })
  const { status, body: attempt, headers } = await retry(world, original.id)
  expect(status).toBe(202)
  expect(headers.location).toBe(`/api/v1/jobs/${attempt.id}`)
  expect(attempt).toMatchObject({ attempt: 2, lineageId: original.id, retryOf: original.id, input: original.input })
  expect(await world.ended(attempt.id)).toMatchObject({
    status: 'succeeded',
    result_json: '{"first":"one","second":"two"}',
  })
  expect(resumed).toEqual([null, { step: 1 }])
  expect(await traces(world)).toEqual(['one', 'two'])
  const { body } = await world.operator.get<Job>(`/jobs/${original.id}`)
  expect(body.attempts.map(({ id, status }) => [id, status])).toEqual([
    [original.id, 'failed'],
    [attempt.id, 'succeeded'],
  ])
  expect(body.permitted).toEqual({ cancel: false, retry: false })
  const { items } = (await world.operator.get<ListPage<Job>>('/jobs?status=failed')).body
  expect(items).toMatchObject([{ id: original.id, permitted: { cancel: false, retry: false } }])
  expect(await lastEvent(world.t, 'job.retry')).toMatchObject({
    subject_id: attempt.id,
    after_json: JSON.stringify({ kind: 'test', attempt: 2, lineageId: original.id, retryOf: original.id }),
  })
})

test('a job is not retried beyond its attempts', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const job = await world.create()
  await cancel(world, job.id)
  const { body: second } = await retry(world, job.id)
  await sql`UPDATE jobs SET attempt = 50 WHERE id = ${second.id}`.execute(await writerOf(world.t.store))
  await cancel(world, second.id)
  expect(await retry(world, second.id)).toMatchObject({
    status: 422,
    body: { code: 'job_not_retryable', limit: 'job_attempts', size: 50, max: 50 },
  })
})

test('only the newest attempt that failed or was cancelled is retried, and once for each key', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const job = await world.create()
  expect(await retry(world, job.id)).toMatchObject({ status: 422, body: { code: 'job_not_retryable' } })
  await cancel(world, job.id)
  const first = await retry(world, job.id, 'a key')
  const replay = await retry(world, job.id, 'a key')
  expect(replay).toMatchObject({
    status: 202,
    body: { id: first.body.id },
    headers: { 'idempotency-replayed': 'true' },
  })
  expect(await retry(world, job.id)).toMatchObject({ status: 422, body: { code: 'job_not_retryable' } })
  await cancel(world, first.body.id)
  expect(await retry(world, first.body.id, 'a key')).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  const second = await retry(world, first.body.id)
  expect(second.body).toMatchObject({ attempt: 3, lineageId: job.id, retryOf: first.body.id })
  world.work()
  await world.ended(second.body.id)
  expect(await retry(world, second.body.id)).toMatchObject({ status: 422, body: { code: 'job_not_retryable' } })
})

test('the same key and request of another person with the permission return the job, which still belongs to its first requester', async () => {
  const guarded = testKind(async () => undefined, { kind: 'guarded', permission: 'audit.read' })
  const world = await jobWorld([testKind(async () => undefined), guarded])
  const [operator, manager, viewer] = [world.operator, await world.t.as('manager'), await world.t.as('viewer')]
  const ask = (client: TestClient, kind: string, name = 'x') =>
    client.post<Job & Pick<Problem, 'code'>>('/jobs', { kind, input: { name } }, { 'idempotency-key': kind })
  const first = await ask(operator, 'test')
  expect((await ask(manager, 'guarded')).status).toBe(202)
  const changes = await world.t.changes(async () => {
    const again = await ask(manager, 'test')
    expect(again).toMatchObject({ status: 202, headers: { 'idempotency-replayed': 'true' } })
    expect(again.body).toMatchObject({ id: first.body.id, requestedBy: { id: world.t.tenants.home.users.operator.id } })
    expect(await ask(manager, 'test', 'y')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    for (const [client, kind] of [
      [operator, 'guarded'],
      [viewer, 'test'],
    ] as const)
      expect(await ask(client, kind)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  })
  expect(changes).toEqual({})
})

test('the key of a retry and of a cancellation returns the result only to its first user', async () => {
  const world = await jobWorld([testKind(async () => undefined)])
  const manager = await world.t.as('manager')
  const { id } = await world.create()
  const ask = (client: TestClient, what: 'cancellation' | 'retry') =>
    client.post<Problem>(`/jobs/${id}/${what}`, {}, { 'idempotency-key': what })
  expect((await ask(world.operator, 'cancellation')).status).toBe(200)
  expect((await ask(world.operator, 'retry')).status).toBe(202)
  const changes = await world.t.changes(async () => {
    for (const what of ['cancellation', 'retry'] as const) {
      expect(await ask(manager, what)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      expect((await ask(world.operator, what)).headers['idempotency-replayed']).toBe('true')
    }
  })
  expect(changes).toEqual({})
})

test('a kind may have automatic attempts; each states that the job worker queued it, why, and with whose permissions it runs; refusals are not retried', async () => {
  const run = async (context: JobContext, { name }: { name: string }) => {
    if (name === 'refused') throw new AppError('conflict', 'No.')
    if (context.attempt === 1) throw new AppError('unavailable', 'Not now.')
    if (context.attempt === 2) throw new Error('flaky')
    return { attempt: context.attempt }
  }
  const world = await jobWorld([testKind(run, { maxAttempts: 3 })])
  const [flaky, refused] = [await world.create({ name: 'flaky' }), await world.create({ name: 'refused' })]
  world.work()
  await world.ended(refused.id)
  const attempts = async (id: string) => (await world.operator.get<Job>(`/jobs/${id}`)).body.attempts
  await expect
    .poll(async () => (await attempts(flaky.id)).map(({ status }) => status))
    .toEqual(['failed', 'failed', 'succeeded'])
  expect((await attempts(refused.id)).map(({ status }) => status)).toEqual(['failed'])
  expect((await attempts(flaky.id)).map(({ isAutomatic }) => isAutomatic)).toEqual([false, true, true])
  const { items } = (await world.operator.get<ListPage<Job>>('/jobs')).body
  const worker = { kind: 'system', name: 'job worker' }
  const because = (code: string, message: string) => ({ because: { code, message }, runsAs: flaky.requestedBy })
  expect(
    items.filter(({ lineageId }) => lineageId === flaky.id).map((job) => [job.requestedBy, job.automaticRetry]),
  ).toEqual([
    [worker, because('internal_error', expect.stringContaining('unexpected'))],
    [worker, because('unavailable', 'Not now.')],
    [flaky.requestedBy, null],
  ])
  const [, second] = await attempts(flaky.id)
  expect((await world.events(second?.id ?? ''))[0]).toMatchObject({ type: 'created', data: { because: 'unavailable' } })
  expect(
    (await auditOf(world, 'job.retry')).map(({ actor, after_json }) => [actor, JSON.parse(after_json ?? '').because]),
  ).toEqual([
    ['job worker', 'unavailable'],
    ['job worker', 'internal_error'],
  ])
})

test('a retry that a person requests after an automatic attempt is the request of that person', async () => {
  const world = await jobWorld([testKind(() => Promise.reject(new Error('broken')), { maxAttempts: 2 })])
  const { id } = await world.create()
  const worker = world.work()
  const attempts = async () => (await world.operator.get<Job>(`/jobs/${id}`)).body.attempts
  await expect.poll(async () => (await attempts()).map(({ status }) => status)).toEqual(['failed', 'failed'])
  await worker.stop()
  const { body } = await retry(world, (await attempts()).at(-1)?.id ?? '')
  expect(body).toMatchObject({ attempt: 3, requestedBy: { name: 'Home operator' }, automaticRetry: null })
})

test('an automatic attempt continues at the newest checkpoint of the previous one', async () => {
  const resumed: unknown[] = []
  const run = async (context: JobContext) => {
    resumed.push(context.resume)
    await context.checkpoint({ step: context.attempt })
    if (context.attempt < 3) throw new Error('a bad day')
    return {}
  }
  const world = await jobWorld([testKind(run, { maxAttempts: 3 })])
  await world.create()
  world.work()
  await expect.poll(() => resumed).toEqual([null, { step: 1 }, { step: 2 }])
})

test('a job that fails after a requested cancellation gets no automatic attempt', async () => {
  const [asked, leave] = [gate(), gate()]
  const world = await jobWorld([
    testKind(
      async () => {
        asked.open()
        await leave.opened
        throw new Error('broken on the way out')
      },
      { maxAttempts: 3 },
    ),
  ])
  const { id } = await world.create()
  world.work()
  await asked.opened
  expect((await cancel(world, id)).body.outcome).toBe('requested')
  leave.open()
  expect(await world.ended(id)).toMatchObject({ status: 'failed', error_code: 'internal_error' })
  const { body } = await world.operator.get<Job>(`/jobs/${id}`)
  expect(body).toMatchObject({ attempts: [{ id }], permitted: { retry: true } })
})

test('a key that another route has used creates no job, and that of a job nothing else', async () => {
  const world = await jobWorld([testKind(async () => ({ done: true }))])
  const { operator } = world
  const prospect = (key: string) => operator.post<Problem>('/businesses', { name: 'Karoo' }, { 'idempotency-key': key })
  const job = (key: string) => operator.post<Problem>('/jobs', { kind: 'test', input: {} }, { 'idempotency-key': key })
  expect([(await prospect('a')).status, (await job('b')).status]).toEqual([201, 202])
  const changes = await world.t.changes(async () => {
    for (const refused of [await job('a'), await prospect('b')])
      expect(refused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })
  expect(changes).toEqual({})
  expect((await job('b')).headers['idempotency-replayed']).toBe('true')
})

test('the same key and request return the existing job, whatever its status; another request is refused', async () => {
  const world = await jobWorld([testKind(async () => ({ done: true }))])
  const ask = (input: Record<string, unknown>, key?: string) =>
    world.operator.post<Job & Pick<Problem, 'code'>>('/jobs', { kind: 'test', input }, { 'idempotency-key': key })
  expect(await ask({})).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  const first = await ask({ name: 'x' }, 'k')
  expect(first).toMatchObject({ status: 202, headers: { location: `/api/v1/jobs/${first.body.id}` } })
  world.work()
  await world.ended(first.body.id)
  const changes = await world.t.changes(async () => {
    expect(await ask({ name: 'x' }, 'k')).toMatchObject({
      status: 202,
      body: { id: first.body.id, status: 'succeeded', attempt: 1 },
      headers: { 'idempotency-replayed': 'true' },
    })
    expect(await ask({ name: 'y' }, 'k')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })
  expect(changes).toEqual({})
  const other = await world.t.as('operator', 'other')
  const foreign = await other.post<Job>('/jobs', { kind: 'test', input: { name: 'z' } }, { 'idempotency-key': 'k' })
  expect(foreign.status).toBe(202)
  const both = await Promise.all([ask({ name: 'w' }, 'w'), ask({ name: 'w' }, 'w')])
  expect(new Set(both.map(({ body }) => body.id)).size).toBe(1)
})
