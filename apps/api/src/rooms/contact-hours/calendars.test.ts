import { expect, test } from 'vitest'
import { calendars } from './calendars.data.ts'

const calendar = calendars.get('ZA')

/** Days on which a year differs from the fixed days, computed by hand: Good Friday, Family Day, and Mondays after a holiday on a Sunday. */
const table: Record<number, { goodFriday: string; familyDay: string; mondays: string[] }> = {
  2026: { goodFriday: '04-03', familyDay: '04-06', mondays: ['08-10'] },
  2027: { goodFriday: '03-26', familyDay: '03-29', mondays: ['03-22', '12-27'] },
  2028: { goodFriday: '04-14', familyDay: '04-17', mondays: ['09-25'] },
  2029: { goodFriday: '03-30', familyDay: '04-02', mondays: ['12-17'] },
  2030: { goodFriday: '04-19', familyDay: '04-22', mondays: ['06-17'] },
  2031: { goodFriday: '04-11', familyDay: '04-14', mondays: ['04-28'] },
  2032: { goodFriday: '03-26', familyDay: '03-29', mondays: ['03-22', '12-27'] },
  // Christmas is on a Sunday, and the Monday after it is the Day of Goodwill.
  2033: { goodFriday: '04-15', familyDay: '04-18', mondays: ['05-02'] },
  2034: { goodFriday: '04-07', familyDay: '04-10', mondays: ['01-02', '09-25'] },
  2035: { goodFriday: '03-23', familyDay: '03-26', mondays: ['12-17'] },
}
const fixedDays = '01-01 03-21 04-27 05-01 06-16 08-09 09-24 12-16 12-25 12-26'.split(' ')

test.each(Object.entries(table))('the public holidays of South Africa in %s are those of the table', (year, own) => {
  const days = [...fixedDays, own.goodFriday, own.familyDay, ...own.mondays].map((day) => `${year}-${day}`)
  expect([...(calendar?.holidaysOf(Number(year)).keys() ?? [])].toSorted()).toEqual(days.toSorted())
})

test('the table covers exactly the years of the calendar', () => {
  const years = Object.keys(table).map(Number)
  expect(calendar?.years).toEqual({ first: Math.min(...years), last: Math.max(...years) })
  expect(years).toHaveLength(10)
})
