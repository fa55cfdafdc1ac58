/** Conversion between local times or days of a zone and instants. Uses Intl, as Temporal is not available in every browser. */
import { datePartsFormat } from './date-format.ts'

/** Converts a typed local time (`local`: 2026-11-21T14:30) to an instant. A time that a clock change skips moves forward. */
export function instantIn(local: string, zone: string): string {
  const guess = new Date(`${local}Z`).getTime()
  // Computed twice: if the clocks change in between, the offset at the guess differs from the offset at the result.
  const first = guess - offsetMs(guess, zone)
  const second = guess - offsetMs(first, zone)
  // A skipped time exists on no clock. The later candidate is after the change, on either side of UTC.
  const isSkipped = second + offsetMs(second, zone) !== guess
  return new Date(isSkipped ? Math.max(first, second) : second).toISOString()
}

/** Time of an instant on the clocks of a zone, in the form of a time field: 2026-11-21 14:30. */
export function localTime(at: string, zone: string): string {
  const parts = datePartsFormat(zone, 'localTime', {
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(at))
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`
}

/** Instant at which a calendar day starts in a zone. */
export function startOfDay(day: string, zone: string): string {
  return instantIn(`${day}T00:00`, zone)
}

/** Last millisecond of a calendar day in a zone. */
export function endOfDay(day: string, zone: string): string {
  return new Date(new Date(startOfDay(nextDay(day), zone)).getTime() - 1).toISOString()
}

export const nextDay = (day: string): string => daysBefore(day, -1)

export function daysBefore(day: string, days: number): string {
  return new Date(new Date(`${day}T00:00:00Z`).getTime() - days * 86_400_000).toISOString().slice(0, 10)
}

/** Time zones that the browser knows, including the current one (`held`) even if the browser lacks it. */
export function zonesWith(held: string): string[] {
  const zones = Intl.supportedValuesOf('timeZone')
  return zones.includes(held) ? zones : [held, ...zones]
}

/** Offset of a zone from UTC at an instant, in ms. */
function offsetMs(at: number, zone: string): number {
  const parts = datePartsFormat(zone, 'offset', {
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const part = (type: string): number => Number(parts.find((candidate) => candidate.type === type)?.value ?? 0)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(at / 1000) * 1000
}
