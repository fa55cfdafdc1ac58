import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, type CommonErrorCode, type ErrorCode, notFound } from '../lib/app-error.ts'
import type { RoomErrorCode } from '../lib/declared.ts'
import { newId } from '../lib/ids.ts'
import { storeFailure } from '../store/engine/failures.ts'
import type { AnswerHeaders } from './answer-headers.ts'
import { logAnswer } from './request-log.ts'

type Status = readonly [status: number, title: string]
/** Status and title of every error code (RFC 9457 body; `code` is the machine's word). */
export type ErrorStatuses = Readonly<Record<ErrorCode, Status>>

const commonStatuses: Readonly<Record<CommonErrorCode, Status>> = {
  invalid_request: [400, 'The request is not valid'],
  idempotency_key_required: [400, 'An Idempotency-Key is required'],
  authentication_required: [401, 'Sign in first'],
  mfa_required: [403, 'A second factor is required'],
  password_change_required: [403, 'A new password is required'],
  step_up_required: [403, 'Show that it is you'],
  permission_denied: [403, 'Not permitted'],
  csrf_token_invalid: [403, 'The CSRF token is missing or wrong'],
  not_found: [404, 'Not found'],
  conflict: [409, 'Conflict'],
  candidate_changed: [409, 'The candidate changed'],
  candidate_not_open: [409, 'The candidate waits for no decision'],
  idempotency_in_progress: [409, 'Still running'],
  version_conflict: [412, 'Changed by somebody else'],
  too_large: [413, 'Too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  misdirected_request: [421, 'Not served under this name'],
  idempotency_key_reused: [422, 'Idempotency-Key reused'],
  own_approval: [422, 'Another person must approve'],
  precondition_required: [428, 'If-Match is required'],
  headers_too_large: [431, 'Headers too large'],
  request_timeout: [408, 'Took too long'],
  rate_limited: [429, 'Too many attempts'],
  unavailable: [503, 'Unavailable'],
}

/** What a bug answers. It is no ErrorCode, so that nobody can throw it. */
const UNEXPECTED = 'internal_error'

/** Joins the codes that the rooms declare to those of http, store and lib. */
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
      detail: z.string().meta({ description: 'The sentence for people' }),
      code: z.string().meta({ description: `The word for programs; a later version may add some. ${codes}.` }),
      requestId: z.string().meta({ description: 'What the log and the audit know this request by' }),
      errors: z
        .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
        .optional()
        .meta({ description: 'Each mistake, at its place in the request' }),
      currentVersion: z.int().optional().meta({ description: 'Of version_conflict: the present version' }),
      reason: z.string().optional().meta({ description: 'Of unavailable: what stands in the way' }),
    })
    .meta({
      id: 'Problem',
      description: 'What went wrong (RFC 9457), with a code for programs and a sentence for people.',
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
    const known = asAppError(error)
    if (known === undefined) {
      request.log.error({ err: error }, 'unexpected error')
      return sendProblem(reply, {
        type: 'about:blank',
        title: 'Unexpected error',
        status: 500,
        detail: 'Something went wrong here. Nothing was changed; the request id helps to find out why.',
        code: UNEXPECTED,
        requestId: request.id,
      })
    }
    const [status] = statuses[known.code]
    if (status >= 500)
      request.log.error({ err: known.details.cause ?? known, reason: known.details.reason }, known.code)
    if (known.details.retryAfterSeconds !== undefined) reply.header('retry-after', known.details.retryAfterSeconds)
    return sendProblem(reply, problemOf(statuses, known, request))
  })
  app.setNotFoundHandler((request, reply) => sendProblem(reply, problemOf(statuses, notFound(), request)))
}

/** What the router itself refuses: no route is there, so no hook has run. A parameter that is too long names nothing that exists. */
export function answerFrameworkError(headersOf: AnswerHeaders, statuses: ErrorStatuses) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const isUnreadable = error.code === 'FST_ERR_BAD_URL'
    const refusal = isUnreadable ? new AppError('invalid_request', 'This address cannot be read.') : notFound()
    sendProblem(reply.headers(headersOf(request.id)), problemOf(statuses, refusal, request))
    logAnswer(request, reply)
  }
}

/** The client ended its side within a request. The request logs a body that was begun (`request-log.ts`); a head alone is not logged. */
const BROKEN_OFF = 'HPE_INVALID_EOF_STATE'

/**
 * What Node cannot read becomes no request, so no route, hook or request log ever sees it. Only the rule that it broke is logged: the
 * error carries what was sent, cookies and passwords with it.
 */
export function answerUnreadable(headersOf: AnswerHeaders, statuses: ErrorStatuses) {
  return function answer(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const id = newId()
    const problem = problemOf(statuses, unreadable(error.code), { id })
    const { status, title } = problem
    if (error.code !== BROKEN_OFF)
      this.log.info({ requestId: id, status, code: error.code }, 'answered what cannot be read')
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
      return new AppError('request_timeout', 'The request did not come to its end in time.')
    default:
      return new AppError('invalid_request', 'The request could not be read.')
  }
}

function problemOf(statuses: ErrorStatuses, error: AppError, request: Pick<FastifyRequest, 'id'>): Problem {
  const [status, title] = statuses[error.code]
  const { errors, currentVersion, reason } = error.details
  return {
    type: `urn:prospect-platform:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId: request.id,
    ...(errors === undefined ? {} : { errors }),
    ...(currentVersion === undefined ? {} : { currentVersion }),
    ...(reason === undefined ? {} : { reason }),
  }
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem))
}

/** The framework's own refusals in our words; undefined for a bug. */
function asAppError(thrown: unknown): AppError | undefined {
  const error = storeFailure(thrown)
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return undefined
  return frameworkError(error)
}

function frameworkError(error: Error & Partial<FastifyError>): AppError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('too_large', 'This is more than can be sent at once. Send less at a time.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('invalid_request', 'The body is empty; send a JSON object.')
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? new AppError('invalid_request', 'The request could not be read.', { cause: error })
        : undefined
  }
}
