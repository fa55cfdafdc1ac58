import { AppError, type ErrorCode } from './app-error.ts'
import { DAY_MS } from './clock.ts'
import { numeral } from './numeral.ts'

/*
 * The errors of all limits. `docs/limits.md` lists each limit by its name. The sentence of an error is for people, so it contains no name; programs
 * read the members `limit`, `size` and `max`.
 */

/** A limit of a person or of a workspace, as `GET /limits` and `docs/limits.md` name it. */
export type LimitWords = {
  /** unique over all rooms, snake_case */
  name: string
  of: 'person' | 'tenant'
  /** plural noun phrase that follows the number: 'open previews of bulk actions' */
  label: string
  /** sentence that says what a person can do at the limit */
  remedy: string
  /** set for a limit of a day in UTC, after which the use begins again at 0 */
  per?: 'day'
}

/** A limit of one record, such as the open drafts of a prospect. `GET /limits` does not show it, because each record has its own use. */
export type RecordLimit = Pick<LimitWords, 'name' | 'label' | 'remedy'> & {
  of: 'record'
  /** what the limit counts for, as a noun: 'prospect' */
  record: string
  max: number
}

/** A limit of the size of something that a request sends or selects. */
export type SizeLimit = {
  name: string
  /** subject of the sentence: 'This file' */
  subject: string
  /** plural noun of the unit: 'bytes' */
  unit: string
  remedy: string
}

/**
 * Returns the error of a request that would exceed a limit. Its sentence states the use, the maximum and the remedy; its members state the name, the
 * use and the maximum. `retryAfterSeconds`: for a limit that passes by itself; the code must then have status 429.
 */
export function limitReached(
  words: LimitWords | RecordLimit,
  { code, used, max, retryAfterSeconds }: { code: ErrorCode; used: number; max: number; retryAfterSeconds?: number },
): AppError {
  const { name, label, remedy } = words
  const [today, aDay] = 'per' in words ? [' today', ' a day in UTC'] : ['', '']
  const sentence = `${ownerOf(words)} ${numeral(used)} ${label}${today}; the limit is ${numeral(max)}${aDay}. ${remedy}`
  return new AppError(code, sentence, {
    limit: name,
    size: used,
    max,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}

function ownerOf(words: LimitWords | RecordLimit): string {
  if (words.of === 'record') return `This ${words.record} has`
  return words.of === 'person' ? 'You have' : 'This workspace has'
}

/** Requires that a record has room for `adding` more rows. The caller counts them in the change that inserts them. Errors: `code`. */
export function requireRoomIn(
  limit: RecordLimit,
  { used, adding = 1, code = 'limit_reached' }: { used: number; adding?: number; code?: ErrorCode },
): void {
  const { max } = limit
  if (used + adding > max) throw limitReached(limit, { code, used, max })
}

/** Returns the error of a request that sends or selects too much. `size`: undefined if reading ended before the size was known. */
export function tooLarge(
  { name, subject, unit, remedy }: SizeLimit,
  { size, max, code = 'too_large' }: { size: number | undefined; max: number; code?: ErrorCode },
): AppError {
  const sizes =
    size === undefined
      ? `more than ${numeral(max)} ${unit}, which is the limit`
      : `${numeral(size)} ${unit}; the limit is ${numeral(max)}`
  return new AppError(code, `${subject} has ${sizes}. ${remedy}`, {
    limit: name,
    max,
    ...(size === undefined ? {} : { size }),
  })
}

/** Returns the beginning of the day in UTC. Times are RFC 3339. */
export function startOfUtcDay(at: string): string {
  return `${at.slice(0, 10)}T00:00:00.000Z`
}

/** Returns the seconds until the next day in UTC. */
export function secondsUntilTomorrow(at: string): number {
  return Math.ceil((Date.parse(startOfUtcDay(at)) + DAY_MS - Date.parse(at)) / 1_000)
}
