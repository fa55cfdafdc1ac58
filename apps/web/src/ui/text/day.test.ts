import { afterEach, describe, expect, test } from 'vitest'
import { dayFrom, instantOf, instantsOf, isDay, timeFrom } from './day.ts'
import { dayPattern, notADay, notATime, notAWhen, problemOfComingDay } from './day-words.ts'
import { adoptLocale } from './locale.ts'

afterEach(() => adoptLocale('en-ZA'))

describe('a day', () => {
  test.each(['2026-11-21', '2028-02-29', '1900-01-01'])('%s is valid', (text) => expect(isDay(text)).toBe(true))
  test.each([
    '2026-02-30',
    '2026-13-01',
    '2027-02-29',
    '21-11-2026',
    '2026-1-1',
    '2026-11-21T00:00',
    '',
    '0026-11-21',
    '1899-12-31',
  ])('%j is invalid', (text) => expect(isDay(text)).toBe(false))

  test.each([
    ['2026-1-9', '2026-01-09'],
    [' 2026/11/21 ', '2026-11-21'],
    ['2026.11.21', '2026-11-21'],
    ['21/11/2026', null],
    ['11/21/2026', null],
    ['2026-02-30', null],
    ['2026-11', null],
  ])('%j is parsed as %j, without guessing the order of day and month', (typed, day) =>
    expect(dayFrom(typed)).toBe(day),
  )

  test.each([
    ['2026-11-21 14:30', '2026-11-21T14:30'],
    [' 2026/1/9  8:05', '2026-01-09T08:05'],
    ['2026-11-21T00:00', '2026-11-21T00:00'],
    ['2026-11-21', null],
    ['2026-11-21 24:00', null],
    ['2026-11-21 12:60', null],
    ['11/21/2026 14:30', null],
    ['2026-11-21 2:30 pm', null],
  ])('with a time, %j is parsed as %j', (typed, time) => expect(timeFrom(typed)).toBe(time))

  test.each([
    ['2026-02-30 10:00', 'This date does not exist.'],
    ['2026-11-21 25:00', 'This time does not exist. A day ends at 23:59.'],
    ['tomorrow', 'Enter a date and time, such as 21/11/2026 14:30.'],
    ['21/11/2026 14:30', 'Enter a date and time, such as 21/11/2026 14:30.'],
  ])('%j is reported as not existing, or with the format of a time: %j', (typed, words) =>
    expect(notATime(typed)).toBe(words),
  )

  test('with 12 hours, the example of an error has one too', () => {
    adoptLocale('en-US')
    expect(notATime('soon')).toBe('Enter a date and time, such as 11/21/2026 14:30 or Nov 21 2:30 pm.')
    expect(notAWhen('soon')).toBe(
      'Enter a date, such as 11/21/2026, or with a time: 11/21/2026 14:30 or Nov 21 2:30 pm.',
    )
    expect([notADay('soon'), dayPattern()]).toEqual([
      'Enter a date, such as 11/21/2026, Nov 21 or yesterday.',
      'mm/dd/yyyy',
    ])
  })

  test.each([
    ['2026-02-30', 'This date does not exist.'],
    ['30/02/2026', 'Enter a date, such as 21/11/2026, 21 Nov or yesterday.'],
    ['0026-11-28', 'Enter a year of 1900 or later.'],
  ])('%j without a time has the error %j', (typed, words) => expect(notADay(typed)).toBe(words))

  test('a time field is an instant of the zone, to the second only while it is as the form filled it', () => {
    const filledWith = '2026-11-28T15:20:11.000Z'
    expect(instantOf('2026-11-28 17:20', 'Africa/Johannesburg')).toBe('2026-11-28T15:20:00.000Z')
    expect(instantOf('2026-11-28 17:20', 'Africa/Johannesburg', filledWith)).toBe(filledWith)
    expect(instantOf('2026-11-28 17:21', 'Africa/Johannesburg', filledWith)).toBe('2026-11-28T15:21:00.000Z')
    expect(instantOf('2026-10-25 02:30', 'Europe/Berlin', '2026-10-25T01:30:00.000Z')).toBe('2026-10-25T01:30:00.000Z')
    expect([instantOf('', 'UTC'), instantOf('soon', 'UTC', filledWith)]).toEqual([null, null])
  })

  test('a year before 1900 is named in the error of a time too', () => {
    expect(notATime('0026-11-28 14:30')).toBe('Enter a year of 1900 or later.')
    expect(notAWhen('0026-11-28')).toBe('Enter a year of 1900 or later.')
  })

  test.each([
    ['2026-11-28', null],
    ['2026-12-01', null],
    ['2026-11-27', 'This date is in the past. Choose today or later.'],
    ['0026-11-28', 'Enter a year of 1900 or later.'],
    ['soon', 'Enter a date, such as 21/11/2026, 21 Nov, tomorrow or friday.'],
  ])('a coming day %j has the problem %j', (typed, problem) =>
    expect(problemOfComingDay(typed, '2026-11-28')).toBe(problem),
  )

  test('range becomes the instants at which it begins and ends in the zone', () => {
    expect(instantsOf({ from: '2026-11-21', to: '2026-11-21' }, 'Africa/Johannesburg')).toEqual({
      from: '2026-11-20T22:00:00.000Z',
      to: '2026-11-21T22:00:00.000Z',
    })
    expect(instantsOf({}, 'Africa/Johannesburg')).toEqual({})
  })
})
