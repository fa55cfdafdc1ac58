import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AuditVerification } from '../src/rooms/audit/audit.schema.ts'
import { allPermissions } from '../src/rooms/identity/identity.ts'
import { jobKindsIn, rooms } from '../src/rooms/index.ts'
import type { Job } from '../src/rooms/jobs/jobs.schema.ts'
import { defineJobKind, type JobKind } from '../src/rooms/jobs/jobs.ts'
import { createJobOf, jobWorld } from './job-world.ts'
import { createProspect, type Problem } from './prospects.ts'

const kinds = [...jobKindsIn(rooms, 'local').values()]
const kindOf = (name: string): JobKind[] => kinds.filter(({ kind }) => kind === name)

test('every kind has a unique name, a declared permission, and a description of its data; the demonstration is for development only', () => {
  expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length)
  for (const { kind, title, permission, touches, timeoutMs, maxAttempts } of kinds) {
    expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect([kind, allPermissions.has(permission)]).toEqual([kind, true])
    expect(Math.min(title.length, touches.length, timeoutMs, maxAttempts)).toBeGreaterThan(0)
  }
  expect(jobKindsIn(rooms, 'production').has('demonstration')).toBe(false)
})

test('docs/jobs.md lists every kind with its permission, who starts it and its automatic retries', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/jobs.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| `([\w.]+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)].map(
    ([, kind, permission, start, retries]) => ({ kind, permission, start, retries }),
  )
  const production = jobKindsIn(rooms, 'production')
  const wanted = kinds.map(({ kind, permission, isOffered, maxAttempts }) => {
    const start = isOffered ? '`POST /jobs`' : 'its room'
    const where = production.has(kind) ? '' : ', in development only'
    return { kind, permission, start: start + where, retries: maxAttempts === 1 ? 'none' : String(maxAttempts - 1) }
  })
  const byKind = (one: { kind?: string | undefined }, other: { kind?: string | undefined }) =>
    (one.kind ?? '').localeCompare(other.kind ?? '')
  expect(rows.toSorted(byKind)).toEqual(wanted.toSorted(byKind))
})

test('a kind that people start describes its fields, and accepts what a form sends by default; a kind without inputs has none', async () => {
  for (const { kind, isOffered, fields, check } of kinds.filter((one) => one.isOffered)) {
    const initial = fields.filter((field) => field.initial !== null).map((field) => [field.name, field.initial])
    expect([kind, isOffered, check(Object.fromEntries(initial))]).toEqual([kind, true, check({})])
    for (const { name, label } of fields) expect([kind, label !== name && label !== '']).toEqual([kind, true])
  }
  const world = await jobWorld(kinds)
  const administrator = await world.t.as('administrator')
  type Told = { items: Pick<JobKind, 'kind' | 'fields'>[] }
  const { items } = (await administrator.get<Told>('/job-kinds')).body
  const fieldsOf = (name: string) => items.find(({ kind }) => kind === name)?.fields
  expect([fieldsOf('audit-verification'), fieldsOf('csv-preview')]).toEqual([[], []])
  const businesses = {
    name: 'businesses',
    label: 'Prospects',
    type: 'integer',
    minimum: 1,
    maximum: 5_000,
    initial: 500,
  }
  expect(fieldsOf('sample-data')).toMatchObject([businesses, { name: 'seed', initial: 1, isRequired: false }])
  expect(fieldsOf('demonstration')?.[2]).toMatchObject({ name: 'failAt', initial: null, maximum: 1_000 })
  const refused = await administrator.post<Problem>(
    '/jobs',
    { kind: 'sample-data', input: { businesses: 0 } },
    { 'idempotency-key': 'a form' },
  )
  expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: 'input.businesses' }]])
})

test('an input that no form supports is refused when a kind for people is defined', () => {
  const made = (isOffered: boolean) =>
    defineJobKind({
      kind: 'odd',
      title: 'Odd',
      permission: 'jobs.create',
      input: z.strictObject({ many: z.array(z.string()) }),
      isOffered,
      timeoutMs: 1,
      maxAttempts: 1,
      isCancellable: true,
      touches: 'Nothing.',
      run: async () => undefined,
    })
  expect(() => made(true)).toThrow('has the input many')
  expect(made(false).fields).toEqual([])
})

test('the verification as a job gives the same result as the request', async () => {
  const world = await jobWorld(kindOf('audit-verification'))
  const manager = await world.t.as('manager')
  for (let n = 0; n < 3; n++) await createProspect(manager)
  const job = await createJobOf(manager, 'audit-verification')
  world.work()
  await world.ended(job.id)
  const { body } = await manager.get<Job>(`/jobs/${job.id}`)
  const { body: asked } = await manager.get<AuditVerification>('/audit-events/verification')
  expect(body.result).toMatchObject({ status: 'intact', firstBroken: null, events: expect.any(Number) })
  expect(Number(body.result?.events)).toBeLessThanOrEqual(asked.checkedEvents)
  expect(Number(body.result?.events)).toBeGreaterThan(3)
})

test('sample prospects are created by a job, cancelled half-way and retried: each once, as many as without the interruption', async () => {
  const world = await jobWorld(kindOf('sample-data'))
  const administrator = await world.t.as('administrator')
  const first = await createJobOf(administrator, 'sample-data', { businesses: 20, seed: 3 })
  world.work()
  await world.until(first.id, ({ checkpoint_json }) => JSON.parse(checkpoint_json ?? '{"done":0}').done >= 5)
  await administrator.post(`/jobs/${first.id}/cancellation`, {})
  expect(await world.ended(first.id)).toMatchObject({ status: 'cancelled' })
  const { body: attempt } = await administrator.post<Job>(`/jobs/${first.id}/retry`, {}, { 'idempotency-key': 'again' })
  expect(await world.ended(attempt.id)).toMatchObject({ status: 'succeeded' })
  const { body } = await administrator.get<Job>(`/jobs/${attempt.id}`)
  expect(body.result).toMatchObject({ businesses: 20 })
  const count = async (table: 'businesses' | 'evidence' | 'notes' | 'pipeline_transitions') =>
    (await world.t.store.reader.selectFrom(table).select('id').execute()).length
  expect({
    businesses: await count('businesses'),
    evidence: await count('evidence'),
    notes: await count('notes'),
    moves: await count('pipeline_transitions'),
  }).toEqual(body.result)
  const again = await createJobOf(administrator, 'sample-data', { businesses: 5, seed: 4 })
  expect(await world.ended(again.id)).toMatchObject({ status: 'failed', error_code: 'conflict' })
})

test('the demonstration counts, fails on request, and resumes', async () => {
  const world = await jobWorld(kindOf('demonstration'))
  const job = await world.create({ steps: 6, stepMs: 1, failAt: 4 })
  world.work()
  expect(await world.ended(job.id)).toMatchObject({ status: 'failed', progress_done: 4, progress_total: 6 })
  const { body: attempt } = await world.operator.post<Job>(`/jobs/${job.id}/retry`, {}, { 'idempotency-key': 'again' })
  expect(await world.ended(attempt.id)).toMatchObject({ status: 'succeeded', result_json: '{"counted":6,"from":4}' })
})
