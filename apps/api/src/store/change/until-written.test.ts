import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished, test } from 'vitest'
import { seedTenant, temporaryStore } from '../../../test/temporary-store.ts'
import { openConnection } from '../engine/connection.ts'
import { STORE_FILE } from '../store.ts'
import { untilWritten } from './until-written.ts'

async function setUp({ max = 10 } = {}) {
  const store = temporaryStore()
  const id = await seedTenant(store)
  const read: string[] = []
  const nameOf = untilWritten(store, max, async (tenantId) => {
    read.push(tenantId)
    const tenants = store.reader.selectFrom('tenants').select('name').where('id', '=', tenantId)
    return (await tenants.executeTakeFirst())?.name
  })
  /** Runs `work` and returns how often it read the store. */
  const reads = async (work: () => Promise<unknown>) => {
    const before = read.length
    await work()
    return read.length - before
  }
  return { store, id, nameOf, reads }
}

const RENAME = "UPDATE tenants SET name = 'Another name'"

test('a value is not read again while nobody writes, in any turn', async ({ expect }) => {
  const { id, nameOf, reads } = await setUp()
  expect(await nameOf(id)).toBe('A tenant')
  expect(await reads(() => nameOf(id))).toBe(0)
  await nextTurn()
  expect(await reads(() => nameOf(id))).toBe(0)
})

test('a commit of this process invalidates at once, in the same turn', async ({ expect }) => {
  const { store, id, nameOf } = await setUp()
  await nameOf(id)
  await store.write('upkeep', async (db) => {
    expect(await nameOf(id)).toBe('A tenant')
    await db.updateTable('tenants').set({ name: 'Another name' }).execute()
    return { keep: true, value: undefined }
  })
  expect(await nameOf(id)).toBe('Another name')
})

test('a commit of another process invalidates in the next turn', async ({ expect }) => {
  const { store, id, nameOf } = await setUp()
  const other = openConnection(join(store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  onTestFinished(() => void other.close())
  await nameOf(id)
  other.exec(RENAME)
  await nextTurn()
  expect(await nameOf(id)).toBe('Another name')
})

test('a value that changes while it is read is returned as read and not cached', async ({ expect }) => {
  const { store, id } = await setUp()
  const nameOf = untilWritten(store, 10, async (tenantId) => {
    const [tenant] = await store.reader.selectFrom('tenants').select('name').where('id', '=', tenantId).execute()
    await store.write('upkeep', async (db) => {
      await db
        .updateTable('tenants')
        .set({ name: `${tenant?.name}!` })
        .execute()
      return { keep: true, value: undefined }
    })
    return tenant?.name
  })
  expect([await nameOf(id), await nameOf(id), await nameOf(id)]).toEqual(['A tenant', 'A tenant!', 'A tenant!!'])
})

test('a value that changed while it was read is not cached either when it was requested again since', async ({
  expect,
}) => {
  const { store, id } = await setUp()
  const other = await seedTenant(store)
  const late = Promise.withResolvers<string | undefined>()
  let isFirst = true
  const nameOf = untilWritten(store, 10, async (tenantId) => {
    if (tenantId !== id) return 'Another tenant'
    if (!isFirst) return 'What it is now'
    isFirst = false
    return late.promise
  })
  const early = nameOf(id)
  await store.write('upkeep', async (db) => {
    await db.updateTable('tenants').set({ name: 'What it is now' }).where('id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  await nameOf(other)
  late.resolve('What it was')
  expect([await early, await nameOf(id)]).toEqual(['What it was', 'What it is now'])
})

test('a missing value is read each time, and beyond its limit the cache starts again', async ({ expect }) => {
  const { store, id, nameOf, reads } = await setUp({ max: 2 })
  const others = [await seedTenant(store), await seedTenant(store)]
  expect(await reads(() => nameOf('nobody'))).toBe(1)
  expect(await reads(() => nameOf('nobody'))).toBe(1)
  for (const each of [id, ...others]) expect(await reads(() => nameOf(each))).toBe(1)
  expect(await reads(() => nameOf(id))).toBe(1)
})
