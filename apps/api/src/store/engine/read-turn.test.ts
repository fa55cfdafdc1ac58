import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { STORE_FILE } from '../store.ts'
import { openConnection } from './connection.ts'

function setUp() {
  const store = temporaryStore()
  const other = openConnection(join(store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  onTestFinished(() => void other.close())
  const addTenant = `INSERT INTO tenants (id, number, name, time_zone, created_at)
    SELECT 't' || (count(*) + 1), count(*) + 1, 'T', 'UTC', '' FROM tenants`
  const tenants = async () => (await store.reader.selectFrom('tenants').select('id').execute()).length
  return { store, other, addTenant, tenants }
}

test('reads of one turn share a snapshot; the next turn sees commits of another process', async ({ expect }) => {
  const { other, addTenant, tenants } = setUp()
  const before = await tenants()
  other.exec(addTenant)
  expect(await tenants()).toBe(before)
  await nextTurn()
  expect(await tenants()).toBe(before + 1)
})

test('a commit of this process is visible at once, in the same turn', async ({ expect }) => {
  const { store, addTenant, tenants } = setUp()
  let before = -1
  await store.write('upkeep', async (db) => {
    before = await tenants()
    await db.executeQuery({ ...store.reader.selectFrom('tenants').compile(), sql: addTenant, parameters: [] })
    expect(await tenants()).toBe(before)
    return { keep: true, value: undefined }
  })
  expect(await tenants()).toBe(before + 1)
})

test('no read transaction is open between two turns: the log can be checkpointed', async ({ expect }) => {
  const { store, other, addTenant, tenants } = setUp()
  await tenants()
  other.exec(addTenant)
  await nextTurn()
  expect(other.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
  await tenants()
  await store.close()
})
