import { expect, test } from 'vitest'
import { createJobOf, jobWorld, testKind } from '../../../../test/job-world.ts'
import { type ListPage, type Problem, walk } from '../../../../test/prospects.ts'
import { roles } from '../../identity/permissions.ts'
import type { Job, JobSummary } from '../jobs.schema.ts'

const open = testKind(async () => undefined)
const guarded = testKind(async () => undefined, { kind: 'guarded', permission: 'audit.verify' })
const inner = testKind(async () => undefined, { kind: 'inner', isOffered: false })

test('jobs are listed newest first, by pages, filtered by kind and status, and only those of kinds that the reader may use', async () => {
  const world = await jobWorld([open, guarded])
  const manager = await world.t.as('manager')
  const made: { id: string; kind: string }[] = []
  for (let n = 0; n < 7; n++) made.push(await createJobOf(manager, n % 3 === 0 ? 'guarded' : 'test'))
  const newestFirst = made.toReversed()
  const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id)
  expect(ids(await walk<JobSummary>(manager, '/jobs', 2))).toEqual(ids(newestFirst))
  const visible = newestFirst.filter(({ kind }) => kind === 'test')
  expect(ids(await walk<JobSummary>(world.operator, '/jobs', 2))).toEqual(ids(visible))
  const hidden = made.find(({ kind }) => kind === 'guarded')?.id
  expect((await world.operator.get(`/jobs/${hidden}`)).status).toBe(404)
  const cancelled = visible[1]?.id
  await world.operator.post(`/jobs/${cancelled}/cancellation`, {})
  const list = async (query: string) => ids((await manager.get<ListPage<JobSummary>>(`/jobs?${query}`)).body.items)
  expect(await list('status=cancelled')).toEqual([cancelled])
  expect(await list('kind=guarded')).toEqual(ids(newestFirst.filter(({ kind }) => kind === 'guarded')))
  expect(await list('kind=nothing-of-the-kind')).toEqual([])
  const cursor = (await manager.get<ListPage<JobSummary>>('/jobs?limit=1')).body.page.nextCursor
  expect((await world.operator.get(`/jobs?limit=1&cursor=${cursor}`)).status).toBe(400)
})

test('routes without input take no body, an empty object, and nothing else', async () => {
  const world = await jobWorld([open])
  const manager = await world.t.as('manager')
  const cancel = async (body?: object) => {
    const { id } = await createJobOf(manager, 'test')
    return (await manager.post(`/jobs/${id}/cancellation`, body)).status
  }
  expect([await cancel(), await cancel({}), await cancel({ reason: 'x' })]).toEqual([200, 200, 400])
})

test('the list states how many kinds of jobs are hidden from the reader', async () => {
  const world = await jobWorld([open, guarded])
  const hiddenFrom = async (role: (typeof roles)[number]) =>
    (await (await world.t.as(role)).get<{ hidden: number }>('/job-kinds')).body.hidden
  expect(await Promise.all((['administrator', 'operator', 'viewer'] as const).map(hiddenFrom))).toEqual([0, 1, 2])
})

test('permitted actions are listed, and refused without the permission', async () => {
  const world = await jobWorld([open, guarded])
  const manager = await world.t.as('manager')
  const job = await createJobOf(manager, 'test')
  for (const role of roles) {
    const client = await world.t.as(role)
    const { status, body } = await client.get<Job>(`/jobs/${job.id}`)
    // A viewer may see jobs, but none of this kind, because the kind requires the permission to create it.
    expect([role, status]).toEqual([role, role === 'viewer' ? 404 : 200])
    if (status === 200) expect(body.permitted).toEqual({ cancel: true, retry: false })
  }
  const viewer = await world.t.as('viewer')
  const key = { 'idempotency-key': 'k' }
  const answers = [
    await viewer.post<Problem>('/jobs', { kind: 'test' }, key),
    await viewer.post<Problem>(`/jobs/${job.id}/cancellation`, {}),
    await viewer.post<Problem>(`/jobs/${job.id}/retry`, {}, key),
    await world.operator.post<Problem>('/jobs', { kind: 'guarded' }, key),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 4 }, () => [403, 'permission_denied']),
  )
})

test('an unknown kind, or one that only its own room creates, is refused with its path; so is an invalid input', async () => {
  const world = await jobWorld([open, inner])
  const ask = async (body: unknown) => {
    const { status, body: problem } = await world.operator.post<Problem>('/jobs', body, { 'idempotency-key': 'k' })
    return [status, problem.errors?.[0]?.path, problem.errors?.[0]?.code]
  }
  const changes = await world.t.changes(async () => {
    expect(await ask({ kind: 'nothing' })).toEqual([400, 'kind', 'unknown_kind'])
    expect(await ask({ kind: 'inner' })).toEqual([400, 'kind', 'unknown_kind'])
    expect(await ask({ kind: 'test', input: { name: 7 } })).toEqual([400, 'input.name', 'invalid_type'])
    expect(await ask({ kind: 'test', input: { other: 1 } })).toEqual([400, 'input.other', 'unknown_property'])
    expect(await ask({ kind: 'test', surprise: 1 })).toEqual([400, 'surprise', 'unknown_property'])
    expect(await ask({})).toEqual([400, 'kind', 'invalid_type'])
  })
  expect(changes).toEqual({})
})

test('every change requires the CSRF token of its session', async () => {
  const world = await jobWorld([open])
  const { id } = await world.create()
  const forged = { 'x-csrf-token': 'forged', 'idempotency-key': 'k' }
  const changes = await world.t.changes(async () => {
    for (const [path, body] of [
      ['/jobs', { kind: 'test' }],
      [`/jobs/${id}/cancellation`, {}],
      [`/jobs/${id}/retry`, {}],
    ] as const)
      expect((await world.operator.post<Problem>(path, body, forged)).body.code).toBe('csrf_token_invalid')
  })
  expect(changes).toEqual({})
})

test('a queued job writes its own rows, its event, its key and the audit, and nothing else', async () => {
  const world = await jobWorld([open])
  expect(await world.t.changes(() => world.create())).toEqual({
    jobs: 1,
    job_events: 1,
    audit_events: 1,
    idempotency_keys: 1,
  })
})

test('events are read from a cursor in limited pages, and the last page says that no more follow', async () => {
  const world = await jobWorld([
    testKind(async ({ checkpoint }) => {
      for (let step = 0; step < 60; step++) await checkpoint({ step })
      return undefined
    }),
  ])
  const { id } = await world.create()
  const page = async (query: string) =>
    (
      await world.operator.get<{ items: { jobId: string; sequence: number }[]; nextAfter: number; isOver: boolean }>(
        `/jobs/${id}/events?${query}`,
      )
    ).body
  expect(await page('after=1')).toEqual({ items: [], nextAfter: 1, isOver: false, forgotten: null })
  expect(await page('after=2')).toMatchObject({ status: 409, code: 'cursor_ahead', newestSequence: 1 })
  world.work()
  await world.ended(id)
  const first = await page('')
  expect([first.items.length, first.items[0]?.jobId, first.nextAfter, first.isOver]).toEqual([50, id, 50, false])
  const seen: number[] = []
  for (let after = 0, isOver = false; !isOver; ) {
    const { items, nextAfter, isOver: over } = await page(`after=${after}&limit=30`)
    expect(items.length).toBeLessThanOrEqual(30)
    seen.push(...items.map(({ sequence }) => sequence))
    ;[after, isOver] = [nextAfter, over]
  }
  expect(seen).toEqual(Array.from({ length: 63 }, (_, index) => index + 1))
  for (const query of ['limit=0', 'limit=201', 'limit=0xa', 'after=-1', 'after=x', 'after=1e0', 'after=+1', 'page=2'])
    expect((await world.operator.get(`/jobs/${id}/events?${query}`)).status).toBe(400)
})

test('the kinds that the reader may use are listed with the data that they touch', async () => {
  const world = await jobWorld([open, guarded, inner])
  const kinds = async (role: 'manager' | 'operator' | 'viewer') =>
    (await (await world.t.as(role)).get<{ items: { kind: string; isOffered: boolean }[] }>('/job-kinds')).body.items
  expect((await kinds('manager')).map(({ kind }) => kind)).toEqual(['test', 'guarded', 'inner'])
  expect((await kinds('operator')).map(({ kind, isOffered }) => [kind, isOffered])).toEqual([
    ['test', true],
    ['inner', false],
  ])
  expect(await kinds('viewer')).toEqual([])
})
