import { expect, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import { dayCounts } from './day-counts.ts'

test('counts are of one tenant, one day in UTC and one column; a count over all tenants is their sum', async () => {
  const { store, tenants } = await buildTestApp()
  const counts = dayCounts('scan_counts', ['fetched', 'supplied'])
  const place = (tenant: 'home' | 'other', at: string) => ({ tenantId: tenants[tenant].id, at })
  const [evening, morning] = ['2026-11-29T23:59:59.999Z', '2026-11-30T00:00:00.000Z']
  await store.write('upkeep', async (db) => {
    for (const column of ['fetched', 'fetched', 'supplied'] as const)
      await counts.add(db, place('home', evening), column)
    await counts.add(db, place('other', evening), 'fetched')
    await counts.add(db, place('home', morning), 'supplied')
    return { keep: true, value: undefined }
  })
  expect(await counts.read(store.reader, place('home', evening))).toEqual({ fetched: 2, supplied: 1 })
  expect(await counts.read(store.reader, place('home', morning))).toEqual({ fetched: 0, supplied: 1 })
  expect(await counts.read(store.reader, place('other', morning))).toEqual({ fetched: 0, supplied: 0 })
  expect(await counts.readOfAll(store.reader, evening, 'fetched')).toBe(3)
  expect(await counts.readOfAll(store.reader, morning, 'fetched')).toBe(0)
})
