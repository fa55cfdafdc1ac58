import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { temporaryStore } from '../../test/temporary-store.ts'
import { AppError } from '../lib/app-error.ts'
import { countWanted } from '../store/engine/count-up-to.ts'
import { countWait, totalOf } from './pagination.ts'

const full = { tenantId: 'home', rows: [1, 2], limit: 1, cursor: undefined }

test('a list has no total if its count waits too long or fails because the background is overloaded', async () => {
  const store = temporaryStore()
  vi.useFakeTimers()
  try {
    const waiting = totalOf(store, full, () => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(countWait.ms)
    expect(await waiting).toBeNull()
  } finally {
    vi.useRealTimers()
  }
  const refused = new AppError('unavailable', 'Too many searches are waiting.')
  expect(await totalOf(store, full, () => Promise.reject(refused))).toBeNull()
  await expect(totalOf(store, full, () => Promise.reject(new Error('A defect.')))).rejects.toThrow('A defect.')
})

test('only a first page is counted', async () => {
  const store = temporaryStore()
  const count = vi.fn(() => Promise.resolve(7))
  expect(await totalOf(store, full, count)).toMatchObject({ value: 7, counts: 'matching_set' })
  expect(await totalOf(store, { ...full, cursor: 'next' }, count)).toBeNull()
  expect(count).toHaveBeenCalledTimes(1)
})

test('a count of marked rows ends after the rows that it may read, and is whole if there are no more', async () => {
  const { reader } = temporaryStore()
  const numbers = sql`(
    WITH RECURSIVE made (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made LIMIT 100)
    SELECT n, n % 10 = 0 AS is_wanted FROM made)`
  const count = (limit: number, maxWalked: number) => countWanted(reader, numbers, { limit, maxWalked })
  expect(await count(50, 100)).toEqual({ count: 10, isWhole: true })
  expect(await count(50, 99)).toEqual({ count: 9, isWhole: false })
  expect((await count(5, 99)).count).toBe(6)
  const endless = sql`(
    WITH RECURSIVE made (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made) SELECT 0 AS is_wanted FROM made)`
  expect(await countWanted(reader, endless, { limit: 50, maxWalked: 1_000 })).toEqual({ count: 0, isWhole: false })
})
