/** Times on the clock and in the calendar of a zone, as instants. With Intl only: Temporal is not in every browser yet. */
import { dateFormat } from './date-format.ts'

/** `local`: a wall clock time as a person typed it, 2026-11-21T14:30. One that a change of clocks skips moves on with it. */
export function instantIn(local: string, zone: string): string {
  const guess = new Date(`${local}Z`).getTime()
  // Twice: the offset at the guess may be another than at the time itself, where the clocks change in between.
  const first = guess - offsetMs(guess, zone)
  const second = guess - offsetMs(first, zone)
  // A time that is skipped is on no clock. The later one is after the change, on whichever side of UTC the zone lies.
  const isSkipped = second + offsetMs(second, zone) !== guess
  return new Date(isSkipped ? Math.max(first, second) : second).toISOString()
}

/** The moment at which a calendar day begins in a zone, as the API wants it. */
export function startOfDay(day: string, zone: string): string {
  return instantIn(`${day}T00:00`, zone)
}

export const nextDay = (day: string): string => daysBefore(day, -1)

export function daysBefore(day: string, days: number): string {
  return new Date(new Date(`${day}T00:00:00Z`).getTime() - days * 86_400_000).toISOString().slice(0, 10)
}

/** The zones that this browser knows, with the one that is held among them whatever the browser calls it. */
export function zonesWith(held: string): string[] {
  const zones = Intl.supportedValuesOf('timeZone')
  return zones.includes(held) ? zones : [held, ...zones]
}

/** How far the wall clock of a zone is ahead of UTC at an instant. */
function offsetMs(at: number, zone: string): number {
  const parts = dateFormat(zone, 'offset', {
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
