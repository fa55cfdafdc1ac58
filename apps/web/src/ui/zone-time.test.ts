import { expect, test } from 'vitest'
import { instantIn } from './zone-time.ts'

test('a wall clock time is an instant of its zone, in summer and in winter', () => {
  expect(instantIn('2026-11-02T10:00', 'Africa/Johannesburg')).toBe('2026-11-02T08:00:00.000Z')
  expect(instantIn('2026-07-02T10:00', 'Europe/Berlin')).toBe('2026-07-02T08:00:00.000Z')
  expect(instantIn('2026-12-02T10:00', 'Europe/Berlin')).toBe('2026-12-02T09:00:00.000Z')
})

test('times on both sides of a change of clocks keep their own offset', () => {
  expect(instantIn('2026-03-29T01:30', 'Europe/Berlin')).toBe('2026-03-29T00:30:00.000Z')
  expect(instantIn('2026-03-29T03:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z')
})
