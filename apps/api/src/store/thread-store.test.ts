import { once } from 'node:events'
import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { actorIn, seedTenant, temporaryFolder, temporaryStore } from '../../test/temporary-store.ts'
import type { WritingThreadData } from '../../test/writing-thread.ts'
import { systemClock } from '../lib/clock.ts'
import { verifyTenant } from '../rooms/audit/audit.ts'
import { migrations } from '../rooms/migrations.ts'
import { change } from './change/change.ts'
import { want, wantNoMore } from './engine/writer-priority.ts'
import { enterAlone } from './files/presence.ts'
import { STORE_FILE } from './files/store-files.ts'
import { openStore, type Store } from './store.ts'
import { openThreadRows } from './thread-rows.ts'
import { openThreadStore } from './thread-store.ts'

const CHANGES = 40

async function setUp(store = temporaryStore()) {
  const tenantId = await seedTenant(store)
  const workerData: WritingThreadData = {
    dataDir: store.dataDir,
    turn: store.turn,
    files: store.files,
    tenantId,
    changes: CHANGES,
  }
  const start = async () => {
    const worker = new Worker(new URL('../../test/writing-thread.ts', import.meta.url), { workerData })
    const ended = once(worker, 'exit')
    await once(worker, 'message')
    return { ended }
  }
  const actor = actorIn(tenantId)
  const record = () =>
    change(store, actor, { permission: null, action: 'test.served' }, (tx) =>
      tx.record({ subject: { type: 'test.trace', id: 'served' } }),
    )
  return { store, tenantId, start, record }
}

async function countOf(store: Pick<Store, 'reader'>, action: string): Promise<number> {
  const rows = await store.reader.selectFrom('audit_events').select('id').where('action', '=', action).execute()
  return rows.length
}

test('changes of a worker thread and of the main thread form one chain, and none is lost', async () => {
  const { store, tenantId, start, record } = await setUp()
  const { ended } = await start()
  for (let n = 0; n < CHANGES; n++) await record()
  expect(await ended).toEqual([0])
  expect(await countOf(store, 'test.thread')).toBe(CHANGES)
  expect(await countOf(store, 'test.served')).toBe(CHANGES)
  expect(await verifyTenant(store, tenantId)).toMatchObject({ status: 'intact', checkedEvents: 2 * CHANGES })
})

test('a worker thread does not write while the main thread wants to, and continues afterwards', async () => {
  const { store, start, record } = await setUp()
  want(store.turn)
  const { ended } = await start()
  for (let n = 0; n < CHANGES; n++) await record()
  expect(await countOf(store, 'test.thread')).toBe(0)
  wantNoMore(store.turn)
  expect(await ended).toEqual([0])
  expect(await countOf(store, 'test.thread')).toBe(CHANGES)
})

test('nobody gets exclusive use of the store while a thread writes, although the store itself is closed', async () => {
  const store = openStore({ migrations, dataDir: temporaryFolder(), clock: systemClock })
  const { start } = await setUp(store)
  want(store.turn)
  const { ended } = await start()
  await store.close()
  expect(() => enterAlone(store.dataDir, 0)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  wantNoMore(store.turn)
  await ended
  enterAlone(store.dataDir, 0).release()
})

test('a thread does not write either while the files of the store are moved, and creates no other store there', async () => {
  const { store, tenantId } = await setUp()
  const { dataDir, turn, files, clock } = store
  const file = join(dataDir, STORE_FILE)
  const open = () => openThreadStore({ dataDir, turn, files, clock })
  const thread = open()
  onTestFinished(() => thread.close())
  const write = () =>
    change(thread, actorIn(tenantId), { permission: null, action: 'test.thread' }, (tx) =>
      tx.record({ subject: { type: 'test.trace', id: 'thread' } }),
    )
  const moved = { code: 'unavailable', details: { reason: 'storage_moved' } }
  renameSync(file, `${file}.aside`)
  await expect(write()).rejects.toMatchObject(moved)
  expect(open).toThrow(expect.objectContaining(moved))
  expect(existsSync(file)).toBe(false)
  copyFileSync(`${file}.aside`, file)
  expect(open).toThrow(expect.objectContaining(moved))
  renameSync(`${file}.aside`, file)
  renameSync(`${file}-wal`, `${file}-wal.aside`)
  expect(open).toThrow(expect.objectContaining(moved))
  await expect(write()).rejects.toMatchObject(moved)
  renameSync(`${file}-wal.aside`, `${file}-wal`)
  await write()
  expect(await countOf(store, 'test.thread')).toBe(1)
})

test('a reading thread sees committed rows, and one snapshot once it holds one', async () => {
  const { store, record } = await setUp()
  const reading = openThreadRows({ dataDir: store.dataDir, cacheKib: 256 })
  onTestFinished(() => reading.close())
  const actions = reading.rows<[string], [action: string]>('SELECT action FROM audit_events WHERE action = ?')
  await record()
  expect(actions('test.served')).toEqual([['test.served']])
  reading.holdView()
  expect(actions('test.served')).toHaveLength(1)
  await record()
  expect(actions('test.served')).toHaveLength(1)
})

test('a reading thread that builds queries holds a snapshot too, and cannot write', async () => {
  const { store, record } = await setUp()
  const reading = openThreadStore({ dataDir: store.dataDir, cacheKib: 256 })
  onTestFinished(() => reading.close())
  const served = () => countOf({ reader: reading.db }, 'test.served')
  await record()
  reading.holdView()
  expect(await served()).toBe(1)
  await record()
  expect(await served()).toBe(1)
  await expect(reading.db.deleteFrom('tenants').execute()).rejects.toThrow('readonly')
})
