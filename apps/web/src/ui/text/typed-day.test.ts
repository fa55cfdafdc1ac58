import { afterEach, describe, expect, test } from 'vitest'
import { formatDateTimeIn, formatTyped } from './format.ts'
import { adoptLocale } from './locale.ts'
import { knownLocales } from './locales.ts'
import { type DayContext, readDay, readTyped } from './typed-day.ts'

// Today is a Thursday.
const ofSouthAfrica: DayContext = { today: '2026-11-26', locale: 'en-ZA', direction: 'past' }
const ofAmerica: DayContext = { today: '2026-11-26', locale: 'en-US', direction: 'past' }

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
    ['last thursday', '2026-11-19'],
    ['last friday', '2026-11-20'],
    ['3 days ago', '2026-11-23'],
    ['a week ago', '2026-11-19'],
    ['two weeks ago', '2026-11-12'],
    ['tues', '2026-11-24'],
    ['thurs.', '2026-11-26'],
    ['this friday', '2026-11-27'],
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

  test.each([
    ['monday', '2026-11-30'],
    ['mon', '2026-11-30'],
    ['friday', '2026-11-27'],
    ['thursday', '2026-12-03'],
    ['next monday', '2026-11-30'],
    ['last monday', '2026-11-23'],
    ['tomorrow', '2026-11-27'],
    ['today', '2026-11-26'],
    ['in 3 days', '2026-11-29'],
    ['in 2 weeks', '2026-12-10'],
    ['in a week', '2026-12-03'],
    ['+3', '2026-11-29'],
    ['next week', '2026-11-30'],
    ['Next  Week ', '2026-11-30'],
    ['next working day', '2026-11-27'],
    ['1 Dec', '2026-12-01'],
    ['3 Jan', '2027-01-03'],
    ['3/1', '2027-01-03'],
    ['29 Feb', '2028-02-29'],
    ['29/2', '2028-02-29'],
    ['29 Feb 2027', null],
    ['tues', '2026-12-01'],
    ['Tues.', '2026-12-01'],
    ['weds', '2026-12-02'],
    ['Wednes', '2026-12-02'],
    ['thurs', '2026-12-03'],
    ['fri.', '2026-11-27'],
    ['next fri.', '2026-11-27'],
    ['this friday', '2026-11-27'],
    ['this thursday', '2026-11-26'],
    ['2 weeks', '2026-12-10'],
    ['one week', '2026-12-03'],
    ['3 days', '2026-11-29'],
    ['in two days', '2026-11-28'],
    ['in ten days', '2026-12-06'],
    ['tmrw', '2026-11-27'],
    // Passed a few days ago: more likely a mistake than a plan for the next year.
    ['20 Nov', '2026-11-20'],
    ['20 Nov 2027', '2027-11-20'],
    ['2026-11-20', '2026-11-20'],
  ])('%j of a follow-up or an end is %j', (typed, day) =>
    expect(readDay(typed, { ...ofSouthAfrica, direction: 'future' })).toBe(day),
  )

  test.each([
    '0026-11-28',
    '28/11/0026',
    '28 Nov 0026',
    '28/11/26',
    '1899-12-31',
    'in 3',
    'in 3 days ago',
    'in some days',
    'th',
    'thursdays',
    '31 Feb',
    '30/2',
    '++3',
    ...['30/02/2026', '11/27/2026', '27', 'soon', 'constructor', '27 Foo', '', '2026-11', 'the friday'],
  ])('%j is not a day', (typed) => {
    expect(readDay(typed, ofSouthAfrica)).toBeNull()
    expect(readDay(typed, { ...ofSouthAfrica, direction: 'future' })).toBeNull()
  })
})

test.each([
  ['2026-11-27', '2026-11-30', '2026-11-30'],
  ['2026-11-29', '2026-11-30', '2026-11-30'],
  ['2026-11-30', '2026-12-01', '2026-12-07'],
])('after %s the next working day is %s and the next week begins on %s', (today, workingDay, week) => {
  const read = (typed: string) => readDay(typed, { today, locale: 'en-ZA', direction: 'future' })
  expect([read('next working day'), read('next week')]).toEqual([workingDay, week])
})

test.each(['3 days', '2 weeks', '29 feb'])('%j is not a day in a field of the past', (typed) =>
  expect(readDay(typed, ofSouthAfrica)).toBeNull(),
)

test.each([
  ['27 Nov 14:30', 'time', '2026-11-27 14:30'],
  ['today 9:05', 'time', '2026-11-26 09:05'],
  ['27/11/2026', 'time', null],
  ['friday', 'dayOrTime', '2026-11-20'],
  ['friday 8:00', 'dayOrTime', '2026-11-20 08:00'],
  ['friday 8:00', 'day', null],
  ['today 24:00', 'time', null],
  ['today 12:60', 'time', null],
] as const)('%j as a %s is %j', (typed, kind, text) => expect(readTyped(typed, kind, ofSouthAfrica)).toBe(text))

describe.each(knownLocales)('a typed time in %s', (locale) => {
  const read = (typed: string) => readTyped(typed, 'time', { today: '2026-11-26', locale, direction: 'past' })
  test.each([
    ['today 14:30', '2026-11-26 14:30'],
    ['today 3:30 pm', '2026-11-26 15:30'],
    ['today 3:30PM', '2026-11-26 15:30'],
    ['27 Nov 3pm', '2026-11-27 15:00'],
    ['27 Nov 3 p.m.', '2026-11-27 15:00'],
    ['Nov 27, 2026 3:30\u202fPM', '2026-11-27 15:30'],
    ['2026-11-27 12 am', '2026-11-27 00:00'],
    ['2026-11-27 12:05 am', '2026-11-27 00:05'],
    ['2026-11-27 12pm', '2026-11-27 12:00'],
    ['today 13 pm', null],
    ['today 0:30 am', null],
    ['today 3', null],
    ['27 Nov', null],
    ['today 3:60 pm', null],
  ])('%j is %j', (typed, time) => expect(read(typed)).toBe(time))

  test('as the app shows it is read as that time', () => {
    for (const hour of ['00', '09', '12', '15', '23']) {
      for (const month of ['01', '03', '05', '06', '07', '08', '09', '11'])
        expect(read(formatDateTimeIn(locale, `2026-${month}-27T${hour}:05:00Z`, 'UTC'))).toBe(
          `2026-${month}-27 ${hour}:05`,
        )
    }
  })
})

describe.each(knownLocales)('the value of a field in %s', (locale) => {
  afterEach(() => adoptLocale('en-ZA'))

  test.each([
    ['day', ''],
    ['time', ' 09:05'],
    ['time', ' 23:59'],
  ] as const)('as a %s is shown in a form that is read as that value', (kind, time) => {
    adoptLocale(locale)
    for (let month = 1; month <= 12; month++) {
      const value = `2026-${String(month).padStart(2, '0')}-03${time}`
      const shown = formatTyped(value)
      expect(shown).not.toBe(value)
      expect(readTyped(shown, kind, { today: '2026-11-26', locale, direction: 'future' })).toBe(value)
    }
  })
})

test('text that is no value of a field is shown as it is', () => {
  for (const text of ['', 'soon', '2026-11', '27 Nov']) expect(formatTyped(text)).toBe(text)
})
