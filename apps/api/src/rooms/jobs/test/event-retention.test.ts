import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { breakWrites } from '../../../../test/break-writes.ts'
import { createJobOf, jobWorld, testKind } from '../../../../test/job-world.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant } from '../../identity/identity.ts'
import { eventRetention, pruneJobEvents } from '../events/event-retention.ts'
import type { Job, JobEvent } from '../jobs.schema.ts'

/** A time that is shorter than the lifetime of a session. */
const HOUR_MS = 3_600_000
type Events = { items: JobEvent[]; forgotten: unknown; isOver: boolean }

/** A kind with many events and one effect. Its first attempt fails if the input says so. */
const busy = testKind(async ({ checkpoint, effect, attempt }, { name }) => {
  for (let step = 0; step < 5; step++) await checkpoint({ step })
  await effect('one', { action: 'test.trace' }, (tx) => tx.record({ subject: { type: 'test.trace', id: name } }))
  if (name === 'fails' && attempt === 1) throw new Error('once')
  return { done: true }
})

async function prune(store: Store, before: string) {
  const { limit } = eventRetention
  const total = { jobs: 0, events: 0 }
  await forEachTenant(store, async (tenantId) => {
    const { jobs, events } = await pruneJobEvents({ store, tenantId, limit, isStopped: () => false }, before)
    total.jobs += jobs
    total.events += events
  })
  return total
}

test('all but the last event of old ended jobs are deleted; the job stays, readers see the gap, and newer events stay', async () => {
  const w = await jobWorld([busy])
  const old = await w.create()
  const failed = await w.create({ name: 'fails' })
  const worker = w.work()
  await Promise.all([w.ended(old.id), w.ended(failed.id)])
  await worker.stop()
  w.t.clock.advance(2 * HOUR_MS)
  const { operator } = w
  const { body: retried } = await operator.post<Job>(`/jobs/${failed.id}/retry`, {}, { 'idempotency-key': 'again' })
  const young = await w.create({}, operator)
  const before = new Date(w.t.clock().getTime() - HOUR_MS).toISOString()
  const pruneNow = () => prune(w.t.store, before)
  const read = async (id: string, after = 0) => (await operator.get<Events>(`/jobs/${id}/events?after=${after}`)).body

  const { lastSequence } = (await operator.get<Job>(`/jobs/${old.id}`)).body
  expect(await pruneNow()).toEqual({ jobs: 1, events: lastSequence - 1 })
  expect(await read(old.id)).toMatchObject({
    items: [{ sequence: lastSequence, type: 'succeeded' }],
    forgotten: { from: 1, through: lastSequence - 1 },
    isOver: true,
  })
  expect(await read(old.id, lastSequence)).toMatchObject({ items: [], forgotten: null, isOver: true })
  // All events of this job remain, because another attempt of its lineage is still queued.
  expect(await read(failed.id)).toMatchObject({
    forgotten: null,
    items: expect.arrayContaining([expect.objectContaining({ sequence: 1 })]),
  })
  expect((await read(young.id)).items).toHaveLength(1)
  expect(await pruneNow()).toEqual({ jobs: 0, events: 0 })
  const audit = await w.t.store.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'job.prune_events')
    .execute()
  expect(audit.map(({ tenant_id, after_json }) => [tenant_id, JSON.parse(after_json ?? 'null')])).toEqual([
    [w.t.tenants.home.id, { jobs: 1, events: lastSequence - 1, endedBefore: before }],
  ])

  // Runs the retry. It must repeat no effect, because the ledger is not deleted with the events.
  w.work()
  await w.ended(retried.id)
  await w.ended(young.id)
  // Nothing is deleted, because the lineage has ended only now.
  expect(await pruneNow()).toEqual({ jobs: 0, events: 0 })
  w.t.clock.advance(2 * HOUR_MS)
  await prune(w.t.store, w.t.clock().toISOString())
  const events = await w.t.store.reader
    .selectFrom('job_events')
    .select('job_id')
    .where('job_id', '=', failed.id)
    .execute()
  expect(events).toHaveLength(1)
  const traces = await w.t.store.reader
    .selectFrom('audit_events')
    .select('subject_id')
    .where('action', '=', 'test.trace')
    .where('subject_id', '=', 'fails')
    .execute()
  expect(traces).toHaveLength(1)
})

test('a pruned job is not read again: a tenant keeps its jobs forever', async () => {
  const w = await jobWorld([busy])
  const jobs = [await w.create(), await w.create(), await w.create()]
  const worker = w.work()
  await Promise.all(jobs.map(({ id }) => w.ended(id)))
  await worker.stop()
  w.t.clock.advance(2 * HOUR_MS)
  const before = new Date(w.t.clock().getTime() - HOUR_MS).toISOString()
  expect(await prune(w.t.store, before)).toMatchObject({ jobs: 3 })
  const statements = watchStatements()
  const read = vi.spyOn(w.t.store.reader.getExecutor(), 'executeQuery')
  expect(await prune(w.t.store, before)).toEqual({ jobs: 0, events: 0 })
  const asked = read.mock.calls.map(([{ sql: text }]) => text)
  vi.restoreAllMocks()
  expect(asked.filter((text) => /"job/.test(text))).toEqual([])
  const background = askedOf(statements).filter(({ where }) => where === 'background')
  expect(background).toHaveLength(1)
  const { walking, sorting } = findPlans(w.t.store, background)
  expect([walking, sorting]).toEqual([[], []])
})

test('events of a tenant are deleted when those of another cannot be', async () => {
  const w = await jobWorld([busy])
  const jobs = [await w.create(), await createJobOf(await w.t.as('operator', 'other'), busy.kind)]
  w.work()
  for (const { id } of jobs) await w.ended(id)
  w.t.clock.advance(HOUR_MS)
  const { home, other } = w.t.tenants
  await breakWrites(w.t, 'job_prunings', `NEW.tenant_id = '${home.id}'`)
  await expect(prune(w.t.store, w.t.clock().toISOString())).rejects.toThrow(AggregateError)
  expect(await w.t.store.reader.selectFrom('job_prunings').select('tenant_id').execute()).toEqual([
    { tenant_id: other.id },
  ])
})

test('a job with more events than one change deletes is pruned in several, each with an audit event', async () => {
  const w = await jobWorld([
    testKind(async ({ store, jobId, tenantId }) => {
      await store.write('upkeep', async (db) => {
        await sql`WITH RECURSIVE numbers (value) AS (SELECT 3 UNION ALL SELECT value + 1 FROM numbers WHERE value < 4500)
          INSERT INTO job_events SELECT ${tenantId}, ${jobId}, value, 'progress', '', '{}' FROM numbers`.execute(db)
        await sql`UPDATE jobs SET last_sequence = 4500 WHERE id = ${jobId}`.execute(db)
        return { keep: true, value: undefined }
      })
      return undefined
    }),
  ])
  const { id } = await w.create()
  w.work()
  await w.ended(id)
  w.t.clock.advance(HOUR_MS)
  expect(await prune(w.t.store, w.t.clock().toISOString())).toEqual({ jobs: 1, events: 4_500 })
  const prunings = await w.t.store.reader.selectFrom('job_prunings').select('through_sequence').execute()
  expect(prunings.map(({ through_sequence }) => through_sequence)).toEqual([2_000, 4_000, 4_500])
})

test('the database refuses to delete events that retention did not name, or that are still needed', async () => {
  const w = await jobWorld([busy])
  const done = await w.create()
  const worker = w.work()
  const { last_sequence } = await w.ended(done.id)
  await worker.stop()
  const open = await w.create()
  const write = (statement: ReturnType<typeof sql>) =>
    w.t.store.write('upkeep', async (db) => {
      await statement.execute(db)
      return { keep: true, value: undefined }
    })
  const prune = (jobId: string, through: number) =>
    write(sql`INSERT INTO job_prunings VALUES (${w.t.tenants.home.id}, ${jobId}, ${through}, '')`)
  await expect(prune(open.id, 1)).rejects.toThrow('lineage that is over')
  await expect(prune(done.id, last_sequence)).rejects.toThrow('lineage that is over')
  await prune(done.id, 2)
  await expect(write(sql`DELETE FROM job_events WHERE job_id = ${done.id} AND sequence = 3`)).rejects.toThrow(
    'append-only',
  )
  await write(sql`DELETE FROM job_events WHERE job_id = ${done.id} AND sequence <= 2`)
  await expect(write(sql`DELETE FROM job_prunings`)).rejects.toThrow('append-only')
})
