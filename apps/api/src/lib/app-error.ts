import type { RoomErrorCode } from './declared.ts'
import { numeral } from './numeral.ts'

/** Error codes of http, store and lib, and codes that more than one room uses. */
export type CommonErrorCode =
  | 'invalid_request'
  | 'authentication_required'
  | 'mfa_required'
  | 'password_change_required'
  | 'step_up_required'
  | 'session_required'
  | 'permission_denied'
  | 'csrf_token_invalid'
  | 'misdirected_request'
  | 'not_found'
  | 'conflict'
  | 'cursor_ahead'
  | 'cursor_expired'
  | 'candidate_changed'
  | 'candidate_not_open'
  | 'idempotency_in_progress'
  | 'version_conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_required'
  | 'headers_too_large'
  | 'request_timeout'
  | 'idempotency_key_reused'
  | 'limit_reached'
  | 'precondition_required'
  | 'rate_limited'
  | 'suppressed'
  | 'too_many_bytes'
  | 'too_many_streams'
  | 'too_many_waiting'
  | 'unavailable'

/**
 * The code of every error that a caller may see. The HTTP status of each code is defined in `http/problem.ts`, or in the `<room>.facts.ts` of the room
 * that declares the code. Any other error is a bug, and its response is a 500 without details.
 */
export type ErrorCode = CommonErrorCode | RoomErrorCode

export type FieldError = { path: string; code: string; message: string }

/** Additional members of the problem body. The list is closed, so that no other value can leak. */
export type ErrorDetails = {
  cause?: unknown
  errors?: FieldError[]
  currentVersion?: number
  /** the sequence of the newest event, if the cursor of a request is beyond it */
  newestSequence?: number
  /** the name of a reached limit, as in `docs/limits.md` */
  limit?: string
  /** the use of a reached limit, or the size of what is too large */
  size?: number
  /** the maximum of a reached limit */
  max?: number
  retryAfterSeconds?: number
  /** the value of the WWW-Authenticate header, for a refused credential */
  challenge?: string
  /** the reason why something is unavailable; the operator's runbook explains each reason */
  reason?: string
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  /** `message` is shown to the person. It states the problem and the remedy. */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/**
 * Throws if a sequence that a reader received is beyond the newest event. After a restore, sequences are used again: an empty page would let the
 * reader miss the events until the sequence is reached. Errors: `cursor_ahead`.
 */
export function requireNotAhead(after: number, newestSequence: number): void {
  if (after <= newestSequence) return
  throw new AppError(
    'cursor_ahead',
    `This cursor is beyond the newest event, number ${numeral(newestSequence)}. The data may have been restored from a backup. Read again from the beginning.`,
    { newestSequence },
  )
}

/** Returns the error for one invalid field of a request. `path`: the field in the notation of the sender. `message`: the sentence for the person. */
export function invalidField(path: string, code: string, message: string): AppError {
  return new AppError('invalid_request', message, { errors: [{ path, code, message }] })
}

/** Returns the error for a missing record. It is the same for a record of another tenant and a record of another parent. */
export function notFound(): AppError {
  return new AppError('not_found', 'This record does not exist.')
}

/** Returns the not-found error for a record that a request body refers to. `path`: the position in the body. */
export function namesNothing(path: string, message: string): AppError {
  return new AppError('not_found', message, { errors: [{ path, code: 'not_found', message }] })
}

/** Returns the record that a request body refers to. If `lookup` finds none, the error is that of `namesNothing`. */
export function namedIn<T>(path: string, message: string, lookup: Promise<T>): Promise<T> {
  return lookup.catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? namesNothing(path, message) : error
  })
}
