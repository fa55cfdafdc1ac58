import type { RoomErrorCode } from './declared.ts'

/** Error codes of http, store and lib, and codes that several rooms answer. */
export type CommonErrorCode =
  | 'invalid_request'
  | 'authentication_required'
  | 'mfa_required'
  | 'password_change_required'
  | 'step_up_required'
  | 'permission_denied'
  | 'csrf_token_invalid'
  | 'misdirected_request'
  | 'not_found'
  | 'conflict'
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
  | 'own_approval'
  | 'precondition_required'
  | 'rate_limited'
  | 'unavailable'

/**
 * Everything that can go wrong and that a caller may hear about. `http/problem.ts` and the rooms' facts give each code its status; an error
 * that is none of these is a bug and answers 500 without a word about its inside.
 */
export type ErrorCode = CommonErrorCode | RoomErrorCode

export type FieldError = { path: string; code: string; message: string }

/** Further members of the problem body, closed so that nothing slips out by accident. */
export type ErrorDetails = {
  cause?: unknown
  errors?: FieldError[]
  currentVersion?: number
  retryAfterSeconds?: number
  /** why something is unavailable, for the operator's runbook */
  reason?: string
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  /** `message` is shown to the person: what was wrong and what to do. */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

/** One field of a request that is refused: `path` as the sender wrote it, `message` for the person. */
export function invalidField(path: string, code: string, message: string): AppError {
  return new AppError('invalid_request', message, { errors: [{ path, code, message }] })
}

/** One answer for what does not exist, what belongs to another tenant and what hangs under another parent. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is no such record.')
}

/** The same for one that a body names: `path` says where. */
export function namesNothing(path: string, message: string): AppError {
  return new AppError('not_found', message, { errors: [{ path, code: 'not_found', message }] })
}
