import { dayAt } from '../../lib/calendar.ts'
import type { Calendar, ContactChannel, Span } from './calendars.data.ts'

export const contactHourStatuses = ['allowed', 'not_now', 'unknown'] as const

/** `reason`: continues "Not now:", "Unknown:" and the like. `nextAt`: the next time at which contact is allowed, if it is known. */
export type ContactHours = {
  status: (typeof contactHourStatuses)[number]
  reason: string
  nextAt: string | null
  calendarVersion: string | null
}

/** Days that are searched for the next allowed time. The longest time without hours is shorter than a week. */
const SEARCHED_DAYS = 14

const channelWords = {
  phone: 'calls',
  sms: 'text messages',
  email: 'emails',
  letter: 'letters',
} as const satisfies Record<ContactChannel, string>

/** Returns whether contact is allowed at a time. Without a calendar, or outside of its years and channels, that is unknown and never allowed. */
export function contactHoursAt(
  calendar: Calendar | undefined,
  { country, channel, at }: { country: string; channel: ContactChannel; at: string },
): ContactHours {
  const unknown = (reason: string): ContactHours => ({
    status: 'unknown',
    reason,
    nextAt: null,
    calendarVersion: calendar?.version ?? null,
  })
  if (calendar === undefined) return unknown(`no calendar for ${country}`)
  const { version: calendarVersion, timeZone, years } = calendar
  if (!calendar.channels.includes(channel))
    return unknown(`the calendar for ${country} has no hours for ${channelWords[channel]}`)
  const instant = Temporal.Instant.from(at)
  const day = dayAt(at, timeZone)
  if (day.year < years.first) return unknown(`the calendar for ${country} begins in ${years.first}`)
  if (day.year > years.last) return unknown(`the calendar for ${country} ends in ${years.last}`)
  const today = hoursOf(calendar, day)
  const isBefore = today.span !== null && isEarlier(instant, today.from)
  if (today.span !== null && !isBefore && isEarlier(instant, today.until))
    return {
      status: 'allowed',
      reason: `${today.words}, ${today.span.from} to ${today.span.until}`,
      nextAt: null,
      calendarVersion,
    }
  return {
    status: 'not_now',
    reason: today.span === null ? today.words : reasonOutside(day, today.span, isBefore),
    nextAt: nextStart(calendar, day, instant),
    calendarVersion,
  }
}

type DayHours = { words: string } & ({ span: null } | { span: Span; from: Temporal.Instant; until: Temporal.Instant })

/** Returns the hours of a day as times of the clock and as instants, which differ from them on a day on which clocks change. */
function hoursOf({ timeZone, hours, holidaysOf }: Calendar, day: Temporal.PlainDate): DayHours {
  const holiday = holidaysOf(day.year).get(day.toString())
  const { span, words } =
    day.dayOfWeek === 7
      ? { span: hours.sunday, words: 'Sunday' }
      : holiday !== undefined
        ? { span: null, words: holiday }
        : day.dayOfWeek === 6
          ? { span: hours.saturday, words: 'Saturday' }
          : { span: hours.weekday, words: 'Monday to Friday' }
  if (span === null || (holiday !== undefined && day.dayOfWeek === 7)) return { words, span: null }
  const at = (plainTime: string) => day.toZonedDateTime({ timeZone, plainTime }).toInstant()
  return { words, span, from: at(span.from), until: at(span.until) }
}

function reasonOutside({ dayOfWeek }: Temporal.PlainDate, { from, until }: Span, isBefore: boolean): string {
  const time = isBefore ? `before ${from}` : `after ${until}`
  return dayOfWeek === 6 ? `Saturday ${time}` : time
}

/** Returns the first beginning of hours after a time; null if the calendar ends before. */
function nextStart(calendar: Calendar, today: Temporal.PlainDate, instant: Temporal.Instant): string | null {
  for (let days = 0; days < SEARCHED_DAYS; days += 1) {
    const day = today.add({ days })
    if (day.year > calendar.years.last) return null
    const hours = hoursOf(calendar, day)
    if (hours.span !== null && isEarlier(instant, hours.from))
      return new Date(hours.from.epochMilliseconds).toISOString()
  }
  return null
}

const isEarlier = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) < 0
