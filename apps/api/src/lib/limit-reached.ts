import { AppError, type ErrorCode } from './app-error.ts'
import { numeral } from './numeral.ts'

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

/**
 * Returns the error of a request that would exceed a limit. Its sentence and its members state the name of the limit, its use, its maximum and the
 * remedy. `retryAfterSeconds`: for a limit that passes by itself; the code must then have status 429.
 */
export function limitReached(
  { name, of, label, remedy, per }: LimitWords,
  { code, used, max, retryAfterSeconds }: { code: ErrorCode; used: number; max: number; retryAfterSeconds?: number },
): AppError {
  const owner = of === 'person' ? 'You have' : 'This workspace has'
  const [today, aDay] = per === 'day' ? [' today', ' a day in UTC'] : ['', '']
  const sentence = `${owner} ${numeral(used)} ${label}${today}; the limit ${name} is ${numeral(max)}${aDay}. ${remedy}`
  return new AppError(code, sentence, {
    limit: name,
    size: used,
    max,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}

const DAY_MS = 86_400_000

/** Returns the beginning of the day in UTC. Times are RFC 3339. */
export function startOfUtcDay(at: string): string {
  return `${at.slice(0, 10)}T00:00:00.000Z`
}

/** Returns the seconds until the next day in UTC. */
export function secondsUntilTomorrow(at: string): number {
  return Math.ceil((Date.parse(startOfUtcDay(at)) + DAY_MS - Date.parse(at)) / 1_000)
}
