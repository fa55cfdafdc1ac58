import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type CommonErrorCode, type ErrorCode, notFound } from '../lib/app-error.ts'
import type { RoomErrorCode } from '../lib/declared.ts'
import { newId } from '../lib/ids.ts'
import { type SizeLimit, tooLarge } from '../lib/limit-reached.ts'
import { storeFailure } from '../store/engine/failures.ts'
import type { AnswerHeaders } from './answer-headers.ts'
import { MAX_BODY_BYTES } from './json-body.ts'
import { logAnswer } from './request-log.ts'

type Status = readonly [status: number, title: string]
/** Status and title by error code. The body follows RFC 9457; programs read its `code`. */
export type ErrorStatuses = Readonly<Record<ErrorCode, Status>>

const commonStatuses: Readonly<Record<CommonErrorCode, Status>> = {
  invalid_request: [400, 'Invalid request'],
  idempotency_key_required: [400, 'Idempotency-Key required'],
  authentication_required: [401, 'Sign-in required'],
  mfa_required: [403, 'Second factor required'],
  password_change_required: [403, 'New password required'],
  step_up_required: [403, 'Confirm your identity'],
  session_required: [403, 'Session required'],
  permission_denied: [403, 'Not permitted'],
  csrf_token_invalid: [403, 'CSRF token missing or wrong'],
  not_found: [404, 'Not found'],
  conflict: [409, 'Conflict'],
  cursor_ahead: [409, 'Cursor beyond the newest event'],
  cursor_expired: [409, 'Cursor too old'],
  candidate_changed: [409, 'The suggestion changed'],
  candidate_not_open: [409, 'The suggestion no longer waits for a decision'],
  idempotency_in_progress: [409, 'Still running'],
  version_conflict: [412, 'Changed by somebody else'],
  too_large: [413, 'Too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  misdirected_request: [421, 'Host not served'],
  idempotency_key_reused: [422, 'Idempotency-Key reused'],
  limit_reached: [422, 'Limit reached'],
  suppressed: [422, 'Do not contact'],
  precondition_required: [428, 'If-Match required'],
  headers_too_large: [431, 'Headers too large'],
  request_timeout: [408, 'Request timeout'],
  rate_limited: [429, 'Too many attempts'],
  too_many_bytes: [429, 'Too many bytes'],
  too_many_streams: [429, 'Too many open streams'],
  too_many_waiting: [429, 'Too many waiting requests'],
  unavailable: [503, 'Unavailable'],
}

/** The code for a bug. It is not an ErrorCode, so no code can throw it on purpose. */
const UNEXPECTED = 'internal_error'

/** Returns the statuses of all error codes: those of the rooms, and those of http, store and lib. */
export function errorStatuses(rooms: Readonly<Record<RoomErrorCode, Status>>): ErrorStatuses {
  return { ...commonStatuses, ...rooms }
}

function problemSchemaOf(statuses: ErrorStatuses) {
  const codes = codesByStatus(statuses)
  return z
    .object({
      type: z.string(),
      title: z.string(),
      status: z.int(),
      detail: z.string().meta({ description: 'Explanation for people' }),
      code: z.string().meta({ description: `Error code for programs; later versions may add codes. ${codes}.` }),
      requestId: z.string().meta({ description: 'Id of this request in the log and the audit' }),
      errors: z
        .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'Each error, with its path in the request' }),
      currentVersion: z.int().optional().meta({ description: 'With version_conflict: the current version' }),
      newestSequence: z.int().optional().meta({ description: 'With cursor_ahead: the sequence of the newest event' }),
      limit: z.string().optional().meta({
        description:
          'With a reached limit: its name, as in `docs/limits.md` and, for a limit with a use, `GET /limits`',
      }),
      size: z.int().optional().meta({
        description: 'With a reached limit: its use, or the size of what the request sends or selects, if known',
      }),
      max: z.int().optional().meta({
        description: 'With a reached limit: its maximum',
      }),
      reason: z.string().optional().meta({ description: 'With unavailable: the reason' }),
    })
    .meta({
      id: 'Problem',
      description: 'An error (RFC 9457), with a code for programs and a sentence for people.',
    })
}

function codesByStatus(statuses: ErrorStatuses): string {
  const coded = [
    ...Object.entries(statuses).map(([code, [status]]) => ({ code, status })),
    { code: UNEXPECTED, status: 500 },
  ]
  const byStatus = Map.groupBy(
    coded.toSorted((one, other) => one.status - other.status),
    ({ status }) => status,
  )
  return [...byStatus].map(([status, codes]) => `${status} ${codes.map(({ code }) => code).join(', ')}`).join('; ')
}

type Problem = z.infer<ReturnType<typeof problemSchemaOf>>

export function registerProblems(app: FastifyInstance, statuses: ErrorStatuses): void {
  const problemSchema = problemSchemaOf(statuses)
  app.addHook('onRoute', ({ schema }) => {
    if (schema?.response !== undefined) schema.response = { ...schema.response, default: problemSchema }
  })
  app.setErrorHandler((error, request, reply) => {
    const known = asAppError(error, request)
    if (known === undefined) {
      request.log.error({ err: error }, 'unexpected error')
      return sendProblem(reply, {
        type: 'about:blank',
        title: 'Unexpected error',
        status: 500,
        detail:
          'An unexpected error occurred. Nothing was changed. Give the request number to the server operator, who can find the cause.',
        code: UNEXPECTED,
        requestId: request.id,
      })
    }
    const [status] = statuses[known.code]
    if (status >= 500)
      request.log.error({ err: known.details.cause ?? known, reason: known.details.reason }, known.code)
    if (known.details.challenge !== undefined) reply.header('www-authenticate', known.details.challenge)
    if (known.details.retryAfterSeconds !== undefined) reply.header('retry-after', known.details.retryAfterSeconds)
    return sendProblem(reply, problemOf(statuses, known, request))
  })
  app.setNotFoundHandler((request, reply) => sendProblem(reply, problemOf(statuses, notFound(), request)))
}

/**
 * Returns the handler for errors of the router itself, for which no route matched and no hook has run. A parameter that is too long gets a 404,
 * because no record with such an id can exist.
 */
export function answerFrameworkError(headersOf: AnswerHeaders, statuses: ErrorStatuses) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const isUnreadable = error.code === 'FST_ERR_BAD_URL'
    const refusal = isUnreadable ? new AppError('invalid_request', 'This address cannot be read.') : notFound()
    sendProblem(reply.headers(headersOf(request.id)), problemOf(statuses, refusal, request))
    logAnswer(request, reply)
  }
}

/**
 * Error code for a connection that the client closed during a request. If the body had begun, `request-log.ts` logs the request. A request with an
 * incomplete head is not logged.
 */
const BROKEN_OFF = 'HPE_INVALID_EOF_STATE'

/**
 * Returns the handler for a request that Node cannot parse. Such a request reaches no route, hook or request log. Only the violated rule is logged,
 * because the error contains the raw request, including cookies and passwords.
 */
export function answerUnreadable(headersOf: AnswerHeaders, statuses: ErrorStatuses) {
  return function answer(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const id = newId()
    const problem = problemOf(statuses, unreadable(error.code), { id })
    const { status, title } = problem
    if (error.code !== BROKEN_OFF)
      this.log.info({ requestId: id, status, code: error.code }, 'answered an unreadable request')
    const body = JSON.stringify(problem)
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      ...Object.entries(headersOf(id)).map(([name, value]) => `${name}: ${value}`),
    ]
    if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroySoon()
  }
}

function unreadable(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'The address and the headers of this request are longer than 16 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive completely in time.')
    default:
      return new AppError('invalid_request', 'The request could not be read.')
  }
}

function problemOf(statuses: ErrorStatuses, error: AppError, request: Pick<FastifyRequest, 'id'>): Problem {
  const [status, title] = statuses[error.code]
  const { errors, currentVersion, newestSequence, limit, size, max, reason } = error.details
  return {
    type: `urn:prospect-platform:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId: request.id,
    ...(errors === undefined ? {} : { errors }),
    ...(currentVersion === undefined ? {} : { currentVersion }),
    ...(newestSequence === undefined ? {} : { newestSequence }),
    ...(limit === undefined ? {} : { limit }),
    ...(size === undefined ? {} : { size }),
    ...(max === undefined ? {} : { max }),
    ...(reason === undefined ? {} : { reason }),
  }
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

/** Converts errors of Fastify and of the store into errors of this API. Returns undefined for a bug. */
function asAppError(thrown: unknown, request: FastifyRequest): AppError | undefined {
  const error = storeFailure(thrown)
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return undefined
  return frameworkError(error, request)
}

export const bodySize: SizeLimit = {
  name: 'request_body',
  subject: 'The body of this request',
  unit: 'bytes',
  remedy: 'Send less at a time.',
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the maximum size of a form, for a route that accepts one; that of JSON is the same for all routes */
    maxFormBytes?: number
  }
}

function maxBytesOf({ headers, routeOptions }: FastifyRequest): number {
  const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/') === true
  return (isForm ? routeOptions.config.maxFormBytes : undefined) ?? MAX_BODY_BYTES
}

function declaredBytes({ headers }: FastifyRequest): number | undefined {
  const declared = headers['content-length']
  return declared === undefined ? undefined : Number(declared)
}

function frameworkError(error: Error & Partial<FastifyError>, request: FastifyRequest): AppError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(bodySize, { size: declaredBytes(request), max: maxBytesOf(request) })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('invalid_request', 'The body is empty. Send a JSON object.')
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new AppError('invalid_request', 'The request could not be read.', { cause: error })
        : undefined
  }
}
