import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../lib/clock.ts'
import { backupsToRemove } from './retention.rules.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const policy = { keepDays: 30, keepMonths: 12 }

const at = (takenAt: string) => ({ id: takenAt, takenAt })
const removed = (...times: string[]) => backupsToRemove(times.map(at), now, policy)

test('keeps the newest of each of the last thirty days, and all of the last day', () => {
  expect(
    removed(
      '2026-11-21T11:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
      '2026-11-10T20:00:00.000Z',
      '2026-11-10T08:00:00.000Z',
      '2026-11-09T08:00:00.000Z',
    ),
  ).toEqual(['2026-11-10T08:00:00.000Z'])
})

test('keeps the newest of each older month, for twelve months', () => {
  expect(
    removed(
      '2026-11-21T11:00:00.000Z',
      '2026-09-30T08:00:00.000Z',
      '2026-09-29T08:00:00.000Z',
      '2025-12-31T08:00:00.000Z',
      '2025-11-30T08:00:00.000Z',
    ),
  ).toEqual(['2026-09-29T08:00:00.000Z', '2025-11-30T08:00:00.000Z'])
})

test('keeps the newest of any age', () => {
  expect(removed('2020-01-01T00:00:00.000Z')).toEqual([])
})

test('keeps backups with a future time: the clock was set back', () => {
  expect(removed('2027-03-01T00:00:00.000Z', '2027-03-01T01:00:00.000Z', '2026-11-21T00:00:00.000Z')).toEqual([])
})

test('with daily backups, there are never more than the days, the months and the last day permit, and every span has one', () => {
  const times = fc.array(fc.integer({ min: 0, max: 800 * 24 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(times, (hoursAgo) => {
      const backups = [...new Set(hoursAgo)].map((hours) =>
        at(new Date(now.getTime() - hours * 3_600_000).toISOString()),
      )
      const gone = new Set(backupsToRemove(backups, now, policy))
      const stay = backups.filter(({ id }) => !gone.has(id))
      const isYoung = ({ takenAt }: { takenAt: string }) => now.getTime() - Date.parse(takenAt) <= 30 * DAY_MS
      expect(stay.filter((backup) => !isYoung(backup)).length).toBeLessThanOrEqual(13)
      const days = (list: typeof backups) => new Set(list.filter(isYoung).map(({ takenAt }) => takenAt.slice(0, 10)))
      expect(days(stay)).toEqual(days(backups))
      // A second run must delete nothing more.
      expect(backupsToRemove(stay, now, policy)).toEqual([])
    }),
  )
})
