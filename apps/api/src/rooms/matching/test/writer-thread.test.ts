import { expect, test } from 'vitest'
import { jobWorld, testKind } from '../../../../test/job-world.ts'
import { createProspect } from '../../../../test/prospects.ts'
import type { DraftRows } from '../rules/findings.rules.ts'
import type { RunWrite, RunWriter } from '../run/run-writer.ts'
import { openWriterThread } from '../run/writer-thread.ts'

const counted: RunWrite = { type: 'counted', records: 1, words: [['karoo', 1]] }

/** Creates a job whose run only writes. `told` collects what the test passes to it after each write. */
async function setUp(work: (writer: RunWriter, told: (result: unknown) => void) => Promise<void>) {
  const told: unknown[] = []
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const world = await jobWorld([
    testKind(async (context) => {
      const writer = openWriterThread(context, context.store.clock().toISOString())
      try {
        await work(writer, (result) => told.push(result))
      } finally {
        await writer.close()
        close()
      }
      return undefined
    }),
  ])
  const run = async () => {
    world.work()
    return world.ended((await world.create()).id)
  }
  return { ...world, run, told, closed }
}

const attempt = async (writer: RunWriter, message: RunWrite) =>
  writer.deal([message]).catch((error: unknown) => error instanceof Error && error.name)

test('a thread writes as the user who started the job, at the time of the store, and records an effect of the job', async () => {
  const { t, run } = await setUp(async (writer) => void (await writer.deal([counted])))
  expect((await run()).status).toBe('succeeded')
  const [event] = await t.store.reader
    .selectFrom('audit_events')
    .select(['actor', 'at', 'after_json'])
    .where('action', '=', 'matching.run')
    .execute()
  expect(event).toEqual({
    actor: t.tenants.home.users.operator.id,
    at: t.clock().toISOString(),
    after_json: '{"records":1}',
  })
  expect(await t.store.reader.selectFrom('job_effects').select('step').execute()).toHaveLength(1)
})

test('a thread writes nothing for a job leased by another worker', async () => {
  const world = await setUp(async (writer, told) => {
    await world.t.store.write('upkeep', async (db) => {
      await db.updateTable('jobs').set({ claim: 99 }).execute()
      return { keep: true, value: undefined }
    })
    told(await attempt(writer, counted))
  })
  world.work()
  await world.create()
  // A worker that lost its job ends by itself. The test waits until the writer of that worker is closed.
  await world.closed
  // The worker takes the job over, because it has no run with that claim, and each further run loses its lease too.
  expect(new Set(world.told)).toEqual(new Set(['JobInterrupted']))
  expect(await world.t.store.reader.selectFrom('match_snapshots').select('id').execute()).toEqual([])
})

test('a thread writes nothing for a user who lost the permission', async () => {
  const world = await setUp(async (writer) => {
    await world.t.store.write('upkeep', async (db) => {
      await db.updateTable('memberships').set({ role: 'viewer' }).execute()
      return { keep: true, value: undefined }
    })
    await writer.deal([counted])
  })
  expect(await world.run()).toMatchObject({ status: 'failed', error_code: 'permission_denied' })
  expect(await world.t.store.reader.selectFrom('match_snapshots').select('id').execute()).toEqual([])
})

test('refusals and failures of a thread are reported as in the serving thread', async () => {
  const world = await setUp(async (writer, told) => {
    told(await attempt(writer, { type: 'drafts', drafts: 'no list' as DraftRows }))
    const administrator = await world.t.as('administrator')
    const { id } = await createProspect(administrator, { name: 'Karoo' })
    expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
    // This result is refused, because the counts can include words of the erased record.
    told(await attempt(writer, counted))
  })
  expect((await world.run()).status).toBe('succeeded')
  expect(world.told).toEqual(['Error', 'AppError'])
})
