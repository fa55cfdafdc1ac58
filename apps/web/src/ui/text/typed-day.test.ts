import { describe, expect, test } from 'vitest'
import { type DayContext, readDay, readTyped } from './typed-day.ts'

// Today is a Thursday.
const ofSouthAfrica: DayContext = { today: '2026-11-26', locale: 'en-ZA' }
const ofAmerica: DayContext = { today: '2026-11-26', locale: 'en-US' }

describe('a typed day', () => {
  test.each([
    ['27/11/2026', '2026-11-27'],
    ['3/4/2026', '2026-04-03'],
    ['27.11.2026', '2026-11-27'],
    ['27/11', '2026-11-27'],
    ['27 Nov', '2026-11-27'],
    ['27 november 2025', '2025-11-27'],
    ['Nov 27, 2025', '2025-11-27'],
    ['today', '2026-11-26'],
    [' Yesterday ', '2026-11-25'],
    ['tomorrow', '2026-11-27'],
    ['thursday', '2026-11-26'],
    ['friday', '2026-11-20'],
    ['Fri', '2026-11-20'],
    ['next friday', '2026-11-27'],
    ['next thursday', '2026-12-03'],
    ['2026-11-27', '2026-11-27'],
    ['2026/1/9', '2026-01-09'],
  ])('%j is %j in a workspace with the locale of South Africa', (typed, day) =>
    expect(readDay(typed, ofSouthAfrica)).toBe(day),
  )

  test.each([
    ['11/27/2026', '2026-11-27'],
    ['3/4/2026', '2026-03-04'],
    ['27/11/2026', null],
  ])('%j is %j in a workspace with the locale of the United States', (typed, day) =>
    expect(readDay(typed, ofAmerica)).toBe(day),
  )

  test.each(['30/02/2026', '11/27/2026', '27', 'soon', 'constructor', '27 Foo', '', '2026-11', 'the friday'])(
    '%j is not a day',
    (typed) => expect(readDay(typed, ofSouthAfrica)).toBeNull(),
  )
})

test.each([
  ['27 Nov 14:30', 'time', '2026-11-27 14:30'],
  ['today 9:05', 'time', '2026-11-26 09:05'],
  ['27/11/2026', 'time', null],
  ['friday', 'dayOrTime', '2026-11-20'],
  ['friday 8:00', 'dayOrTime', '2026-11-20 08:00'],
  ['friday 8:00', 'day', null],
  ['today 24:00', 'time', null],
] as const)('%j as a %s is %j', (typed, kind, text) => expect(readTyped(typed, kind, ofSouthAfrica)).toBe(text))
