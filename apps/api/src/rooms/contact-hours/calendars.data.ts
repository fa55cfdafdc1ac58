import { easterSunday } from './easter.rules.ts'

/** Channels of a contact, as drafts name them. A phone call is `phone`. */
export const contactChannels = ['phone', 'sms', 'email', 'letter'] as const
export type ContactChannel = (typeof contactChannels)[number]

/** Times of the clock between which contact is allowed: `from` is included, `until` is not. */
export type Span = { from: string; until: string }

/**
 * The contact hours of a country. `timeZone`: the clock of the people who are contacted. `years`: the first and the last year whose holidays are
 * known. A change of hours or holidays raises the number in `version`.
 */
export type Calendar = {
  country: string
  version: string
  timeZone: string
  callingCode: string
  channels: readonly ContactChannel[]
  years: { first: number; last: number }
  hours: { weekday: Span; saturday: Span | null; sunday: Span | null }
  /** the public holidays of a year, by day, with their names */
  holidaysOf: (year: number) => ReadonlyMap<string, string>
}

/** Holidays of South Africa that are on the same day each year. */
const fixedDays = [
  ['01-01', "New Year's Day"],
  ['03-21', 'Human Rights Day'],
  ['04-27', 'Freedom Day'],
  ['05-01', "Workers' Day"],
  ['06-16', 'Youth Day'],
  ['08-09', "National Women's Day"],
  ['09-24', 'Heritage Day'],
  ['12-16', 'Day of Reconciliation'],
  ['12-25', 'Christmas Day'],
  ['12-26', 'Day of Goodwill'],
] as const

/** Returns the public holidays of a year. A holiday on a Sunday also makes the Monday after it one, unless that Monday already is a holiday. */
function southAfricanHolidays(year: number): ReadonlyMap<string, string> {
  const easter = easterSunday(year)
  const holidays = new Map<string, string>(fixedDays.map(([day, name]) => [`${year}-${day}`, name]))
  holidays.set(easter.subtract({ days: 2 }).toString(), 'Good Friday')
  holidays.set(easter.add({ days: 1 }).toString(), 'Family Day')
  for (const [day, name] of [...holidays]) {
    const date = Temporal.PlainDate.from(day)
    const monday = date.add({ days: 1 }).toString()
    if (date.dayOfWeek === 7 && !holidays.has(monday)) holidays.set(monday, `${name} (observed)`)
  }
  return holidays
}

/** Hours and holidays: `legal-facts.data.ts` has their sources. */
const calendarOfSouthAfrica: Calendar = {
  country: 'ZA',
  version: 'za-1',
  timeZone: 'Africa/Johannesburg',
  callingCode: '27',
  channels: ['phone', 'sms', 'email'],
  years: { first: 2026, last: 2035 },
  hours: {
    weekday: { from: '08:00', until: '20:00' },
    saturday: { from: '09:00', until: '13:00' },
    sunday: null,
  },
  holidaysOf: southAfricanHolidays,
}

export const calendars: ReadonlyMap<string, Calendar> = new Map([
  [calendarOfSouthAfrica.country, calendarOfSouthAfrica],
])
