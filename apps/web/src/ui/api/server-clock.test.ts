import { afterEach, expect, test, vi } from 'vitest'
import { noteServerDate, serverNow } from './server-clock.ts'

afterEach(() => {
  noteServerDate(new Date().toUTCString(), 0)
  vi.useRealTimers()
})

test('serverNow follows the server when the clock of this computer is wrong', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') })
  noteServerDate('Sat, 21 Nov 2026 10:00:00 GMT', 40)
  expect(serverNow().toISOString()).toBe('2026-11-21T10:00:00.000Z')
  vi.advanceTimersByTime(60_000)
  expect(serverNow().toISOString()).toBe('2026-11-21T10:01:00.000Z')
})

test('ignores small differences, slow responses and responses without a date', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:04Z') })
  noteServerDate('Sat, 21 Nov 2026 12:00:00 GMT', 40)
  expect(serverNow().toISOString()).toBe('2026-11-21T12:00:04.000Z')
  noteServerDate('Sat, 21 Nov 2026 13:00:00 GMT', 40)
  noteServerDate(null, 40)
  noteServerDate('Sat, 21 Nov 2026 14:00:00 GMT', 60_000)
  expect(serverNow().toISOString()).toBe('2026-11-21T13:00:00.000Z')
})
