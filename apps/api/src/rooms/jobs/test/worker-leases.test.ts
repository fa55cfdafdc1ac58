import type { Kysely, KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jobWorld, testKind } from '../../../../test/job-world.ts'
import { copyTemplateStore } from '../../../../test/template-store.ts'
import { systemClock } from '../../../lib/clock.ts'
import type { Database } from '../../../store/database.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { migrations } from '../../migrations.ts'
import { claimJob } from '../queue/job-writes.ts'
import { createLossWatch, moveBeat, registerWorker, removeWorker } from '../worker/worker-leases.ts'

const LEASE_MS = 1_000
const nobodyIsDead = { isAbandoned: () => false, forget: () => {} }

async function setUp() {
  const { dataDir } = await copyTemplateStore()
  const store = openStore({ migrations, dataDir, clock: systemClock })
  onTestFinished(() => store.close())
  const write = (work: (db: Kysely<Database>) => Promise<unknown>) =>
    store.write('workers', async (db) => ({ keep: true, value: await work(db) }))
  await write((db) => registerWorker(db, 'one', store.clock().toISOString()))
  const beat = () => write((db) => moveBeat(db, 'one'))
  const isThere = async () => (await store.reader.selectFrom('job_workers').select('id').execute()).length === 1
  return { store, beat, isThere }
}

test('a worker whose beat stops for a whole lease is lost, and not before', async () => {
  const { store, beat, isThere } = await setUp()
  const now = vi.spyOn(performance, 'now')
  const watch = createLossWatch(store, nobodyIsDead, LEASE_MS)
  const isThereAt = async (ms: number) => {
    now.mockReturnValue(ms)
    await watch.findLost(undefined)
    return isThere()
  }
  expect(await isThereAt(0)).toBe(true)
  await beat()
  expect(await isThereAt(LEASE_MS)).toBe(true)
  expect(await isThereAt(2 * LEASE_MS - 1)).toBe(true)
  expect(await isThereAt(2 * LEASE_MS)).toBe(false)
})

test('a worker whose beat moves after the last look is not taken over', async () => {
  const { store, beat, isThere } = await setUp()
  await beat()
  expect(await removeWorker(store, 'one', 0)).toBe(false)
  expect(await isThere()).toBe(true)
  expect(await removeWorker(store, 'one', 1)).toBe(true)
  expect(await isThere()).toBe(false)
})

test('an idle worker, which has no beat, is not lost', async () => {
  const { store, isThere } = await setUp()
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const watch = createLossWatch(store, nobodyIsDead, LEASE_MS)
  await watch.findLost('one')
  now.mockReturnValue(LEASE_MS)
  await watch.findLost('one')
  expect(await isThere()).toBe(true)
})

test('a worker that claims its first job between two reads of a search is not lost', async () => {
  const world = await jobWorld([testKind(() => new Promise(() => {}))])
  const { store } = world.t
  const { id } = await world.create()
  let isClaimed = false
  const claimMeanwhile: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isClaimed) return result
      isClaimed = true
      await store.write('workers', async (db) => {
        const at = store.clock().toISOString()
        await registerWorker(db, 'new', at)
        const { tenant_id: tenantId } = await db.selectFrom('jobs').select('tenant_id').executeTakeFirstOrThrow()
        return { keep: true, value: await claimJob(db, { tenantId, jobId: id, owner: 'new', at }) }
      })
      return result
    },
  }
  const between: Store = { ...store, reader: store.reader.withPlugin(claimMeanwhile) }
  expect(await createLossWatch(between, nobodyIsDead, LEASE_MS).findLost(undefined)).toEqual([])
  expect(await world.until(id, () => true)).toMatchObject({ status: 'running', owner: 'new', reclaims: 0 })
})
