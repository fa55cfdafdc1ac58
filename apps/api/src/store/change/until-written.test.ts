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
  /** How often the store was asked meanwhile. */
  const reads = async (work: () => Promise<unknown>) => {
    const before = read.length
    await work()
    return read.length - before
  }
  return { store, id, nameOf, reads }
}

const RENAME = "UPDATE tenants SET name = 'Another name'"

test('what was read is not asked for again while nobody writes, in whichever turn', async ({ expect }) => {
  const { id, nameOf, reads } = await setUp()
  expect(await nameOf(id)).toBe('A tenant')
  expect(await reads(() => nameOf(id))).toBe(0)
  await nextTurn()
  expect(await reads(() => nameOf(id))).toBe(0)
})

test('a commit of this program is told at once, in the very turn', async ({ expect }) => {
  const { store, id, nameOf } = await setUp()
  await nameOf(id)
  await store.write('upkeep', async (db) => {
    expect(await nameOf(id)).toBe('A tenant')
    await db.updateTable('tenants').set({ name: 'Another name' }).execute()
    return { keep: true, value: undefined }
  })
  expect(await nameOf(id)).toBe('Another name')
})

test('what another program writes is told in the next turn', async ({ expect }) => {
  const { store, id, nameOf } = await setUp()
  const other = openConnection(join(store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  onTestFinished(() => void other.close())
  await nameOf(id)
  other.exec(RENAME)
  await nextTurn()
  expect(await nameOf(id)).toBe('Another name')
})

test('what changes while it is read is answered as it was read and not kept', async ({ expect }) => {
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

test('what was being read while it changed is not kept either where others have asked since', async ({ expect }) => {
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

test('what is not there is asked for each time, and past its bound it begins anew', async ({ expect }) => {
  const { store, id, nameOf, reads } = await setUp({ max: 2 })
  const others = [await seedTenant(store), await seedTenant(store)]
  expect(await reads(() => nameOf('nobody'))).toBe(1)
  expect(await reads(() => nameOf('nobody'))).toBe(1)
  for (const each of [id, ...others]) expect(await reads(() => nameOf(each))).toBe(1)
  expect(await reads(() => nameOf(id))).toBe(1)
})
