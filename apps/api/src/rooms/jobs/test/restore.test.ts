import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jobWorld, quickTimes, testKind, untilJob, work } from '../../../../test/job-world.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { openStore, STORE_FILE } from '../../../store/store.ts'
import { migrations } from '../../migrations.ts'
import { selectEvents } from '../jobs.queries.ts'
import { type JobContext, jobKindsOf } from '../jobs.ts'

const STEPS = 4

test('a store restored from the middle of a job continues there: order and cursors are valid, and no effect is repeated', async () => {
  let reachHalf = () => {}
  const half = new Promise<void>((resolve) => {
    reachHalf = resolve
  })
  const counts = async (context: JobContext, waits: boolean) => {
    for (let step = Number(context.resume?.done ?? 0); step < STEPS; step++) {
      if (waits && step === STEPS / 2) {
        reachHalf()
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
      }
      await context.effect(`step ${step}`, { action: 'test.trace' }, async (tx) => {
        await tx.record({ subject: { type: 'test.trace', id: `${step}` } })
      })
      // No checkpoint follows the last effect before the copy, so only the ledger shows that this effect is done.
      if (step !== STEPS / 2 - 1) await context.checkpoint({ done: step + 1 })
    }
    return { steps: STEPS }
  }
  const world = await jobWorld([testKind((context) => counts(context, true))])
  const { id } = await world.create()
  world.work()
  await half
  const { tenants, store, clock } = world.t
  const seen = await selectEvents(store.reader, { tenantId: tenants.home.id, jobId: id, after: 0, limit: 100 })

  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-restored-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const copying = openConnection(join(store.dataDir, STORE_FILE))
  copying.prepare('VACUUM INTO ?').run(join(dataDir, STORE_FILE))
  copying.close()

  const restored = openStore({ migrations, dataDir, clock })
  onTestFinished(() => restored.close())
  work({ store: restored, kinds: jobKindsOf([testKind((context) => counts(context, false))]), times: quickTimes })
  expect(await untilJob(restored, id, ({ ended_at }) => ended_at !== null)).toMatchObject({ status: 'succeeded' })
  const cursor = seen.at(-1)?.sequence ?? 0
  const all = await selectEvents(restored.reader, { tenantId: tenants.home.id, jobId: id, after: 0, limit: 100 })
  const later = await selectEvents(restored.reader, { tenantId: tenants.home.id, jobId: id, after: cursor, limit: 100 })
  expect(all.slice(0, seen.length)).toEqual(seen)
  expect([...seen, ...later]).toEqual(all)
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_event, index) => index + 1))
  const traces = await restored.reader
    .selectFrom('audit_events')
    .select('subject_id')
    .where('action', '=', 'test.trace')
    .execute()
  expect(traces.map(({ subject_id }) => subject_id)).toEqual(['0', '1', '2', '3'])
})
