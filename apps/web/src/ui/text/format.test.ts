import { afterEach, describe, expect, test } from 'vitest'
import {
  dayIn,
  formatDate,
  formatDateTime,
  formatDay,
  formatExact,
  formatNumber,
  formatRelative,
  formatWeekday,
  listWords,
} from './format.ts'
import { adoptLocale } from './locale.ts'
import { instantIn } from './zone-time.ts'

const zone = 'Africa/Johannesburg'

describe('times in the tenant zone', () => {
  test('late evening in UTC is already the next day in Johannesburg', () => {
    expect(formatDate('2026-11-20T22:30:00.000Z', zone)).toBe('21 Nov 2026')
    expect(formatDateTime('2026-11-20T22:30:00.000Z', zone)).toBe('21 Nov 2026, 00:30')
  })

  test('the exact time includes zone and seconds', () => {
    const text = formatExact('2026-11-21T12:05:09.000Z', zone)
    expect(text).toContain('14:05:09')
    expect(text).toContain('Africa/Johannesburg')
  })

  test.each([
    ['2026-11-21T11:59:40.000Z', 'just now'],
    ['2026-11-21T11:55:00.000Z', '5 min ago'],
    ['2026-11-21T09:00:00.000Z', '3 h ago'],
    ['2026-11-20T20:00:00.000Z', 'yesterday'],
    ['2026-11-18T12:00:00.000Z', '18 Nov 2026'],
    ['2026-11-22T12:00:00.000Z', '22 Nov 2026, 14:00'],
  ])('%s is %s', (at, words) => {
    expect(formatRelative(at, zone, new Date('2026-11-21T12:00:00.000Z'))).toBe(words)
  })
})

test('a year below 1000 has four digits: 0026 does not read as 2026', () => {
  const at = '0026-11-28T12:00:00.000Z'
  expect([formatDay('0026-11-28'), formatDate(at, zone)]).toEqual(['28 Nov 0026', '28 Nov 0026'])
  expect(formatDateTime(at, 'UTC')).toBe('28 Nov 0026, 12:00')
  expect(formatExact(at, 'UTC')).toContain('November 0026')
  expect(dayIn(at, 'UTC')).toBe('0026-11-28')
  expect(formatWeekday('2026-11-28')).toBe('Sat, 28 Nov 2026')
})

test('yesterday is the previous calendar day, even if it has 23 hours', () => {
  const now = new Date('2026-03-29T22:30:00.000Z')
  expect(formatRelative('2026-03-29T10:00:00.000Z', 'Europe/Berlin', now)).toBe('yesterday')
  expect(formatRelative('2026-03-28T22:45:00.000Z', 'Europe/Berlin', now)).toBe('28 Mar 2026')
})

test('joins a list as a sentence does', () => {
  expect([listWords([]), listWords(['a']), listWords(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c'])
})

describe('the locale of the workspace', () => {
  afterEach(() => adoptLocale('en-ZA'))
  const at = '2026-11-05T13:05:09.000Z'

  test('decides the separators of numbers', () => {
    expect(formatNumber(1204.5)).toBe('1\u00a0204,5')
    adoptLocale('en-US')
    expect(formatNumber(1204.5)).toBe('1,204.5')
    adoptLocale('en-DE')
    expect(formatNumber(1204.5)).toBe('1.204,5')
  })

  test('decides the order of a date and the clock of a time', () => {
    expect(formatDate(at, zone)).toBe('05 Nov 2026')
    expect(formatDateTime(at, zone)).toBe('05 Nov 2026, 15:05')
    adoptLocale('en-US')
    expect(formatDate(at, zone)).toBe('Nov 5, 2026')
    expect(formatDateTime(at, zone).replace('\u202f', ' ')).toBe('Nov 5, 2026, 03:05 PM')
    expect(formatExact(at, zone)).toContain('Thursday, November 5, 2026')
  })

  test('does not change calendar days and instants, which the API reads', () => {
    adoptLocale('en-US')
    expect(dayIn(at, zone)).toBe('2026-11-05')
    expect(instantIn('2026-11-05T15:05', zone)).toBe('2026-11-05T13:05:00.000Z')
  })
})
