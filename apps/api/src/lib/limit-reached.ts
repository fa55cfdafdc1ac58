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
}

/**
 * Returns the error of a request that would exceed a limit. Its sentence and its members state the name of the limit, its use, its maximum and the
 * remedy. `retryAfterSeconds`: for a limit that passes by itself; the code must then have status 429.
 */
export function limitReached(
  { name, of, label, remedy }: LimitWords,
  { code, used, max, retryAfterSeconds }: { code: ErrorCode; used: number; max: number; retryAfterSeconds?: number },
): AppError {
  const owner = of === 'person' ? 'You have' : 'This workspace has'
  return new AppError(code, `${owner} ${numeral(used)} ${label}; the limit ${name} is ${numeral(max)}. ${remedy}`, {
    limit: name,
    size: used,
    max,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
