import type { Session } from '@prospect/api-client'
import { type ApiProblem, isProblem, notOwn, offline, problemFrom, tooLate, unreachable } from './api-problem.ts'
import { isOutage, noteAnswer } from './connection.ts'
import { noteServerDate } from './server-clock.ts'
import { type Interruption, sessionGate } from './session-gate.ts'
import type { SessionMark } from './session-owner.ts'

export type QueryValue = string | number | boolean | null | undefined
export type ApiRequest = {
  query?: Record<string, QueryValue>
  body?: unknown
  /** Sent as it is, as text/csv, instead of a body. */
  file?: Blob
  /** The version being changed; sent as If-Match. */
  ifMatch?: number
  /** See useIdempotencyKey: the same for every retry of the same form. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** 'fail': a 401 is an answer here, not a lapsed session (sign-in, the first look at the session). */
  onLapse?: 'fail'
  /** The answer is a file, handed on as it is. */
  isFile?: boolean
  /** The answer brings another session cookie. See `adoptSession` and `refreshSession` for the token that goes with it. */
  rotates?: boolean
}

const prefix = '/api/v1'

/**
 * How long an answer may take. The web server gives up after 60 seconds and says so: where not even that comes, the line is dead, and a
 * browser would wait on it for a quarter of an hour. A file may take its time, up or down.
 */
export const ANSWER_WITHIN_MS = 75_000

export const api = {
  get: <T>(path: string, request?: ApiRequest) => call<T>('GET', path, request),
  post: <T>(path: string, request?: ApiRequest) => call<T>('POST', path, request),
  patch: <T>(path: string, request?: ApiRequest) => call<T>('PATCH', path, request),
  file: (path: string) => call<Blob>('GET', path, { isFile: true }),
  delete: <T>(path: string, request?: ApiRequest) => call<T>('DELETE', path, request),
}

/**
 * One call to the API. A session that lapsed during work, or that wants a proof first, does not fail it: the call waits
 * until the person has given over the page what is asked for, and then goes on as if nothing had happened. Rejects with
 * ApiProblem, or with the abort reason.
 */
async function call<T>(method: string, path: string, request: ApiRequest = {}): Promise<T> {
  if (request.onLapse !== 'fail') await untilOwn()
  for (let refusals = 0; ; refusals += 1) {
    const turn = sessionGate.turns
    const once = () => send(method, path, request)
    const response = await (request.rotates === true ? sessionGate.rotate(once) : once())
    if (response.ok) {
      const body = response.status === 204 ? undefined : await bodyOf(response, request)
      noteAnswer()
      return body as T
    }
    const problem = await problemFrom(response)
    if (!isOutage(problem)) noteAnswer()
    // A server that refuses again and again is not asked for ever.
    if (refusals === mostRefusals || !(await removeObstacle(problem, request, turn))) throw problem
  }
}

const mostRefusals = 4

/** A connection that breaks within an answer is as bad as none. */
async function bodyOf(response: Response, { isFile = false, signal }: ApiRequest): Promise<unknown> {
  try {
    return await (isFile ? response.blob() : response.json())
  } catch (error) {
    throw lostBy(error, signal)
  }
}

/** What a call is lost by that was sent and not answered to its end: the page no longer wants it, or nothing came. */
function lostBy(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return error
  return error instanceof DOMException && error.name === 'TimeoutError' ? tooLate() : unreachable()
}

/** Whether the call may be sent once more: what stood in its way is gone. */
async function removeObstacle(problem: ApiProblem, request: ApiRequest, turn: number): Promise<boolean> {
  if (problem.code === 'csrf_token_invalid') {
    await refreshToken(problem)
    return true
  }
  const kind = interruptions[problem.code]
  if (kind === undefined || (kind === 'sign_in' && request.onLapse === 'fail')) return false
  if (request.rotates !== true) {
    await sessionGate.settled()
    if (turn !== sessionGate.turns) return true
  }
  await sessionGate.waitFor(kind, problem)
  return true
}

const interruptions: Record<string, Interruption | undefined> = {
  authentication_required: 'sign_in',
  mfa_required: 'hold',
  password_change_required: 'hold',
  step_up_required: 'step_up',
}

async function send(method: string, path: string, request: ApiRequest): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (request.body !== undefined) headers.set('content-type', 'application/json')
  if (request.file !== undefined) headers.set('content-type', 'text/csv')
  if (request.ifMatch !== undefined) headers.set('if-match', `"${request.ifMatch}"`)
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey)
  if (method !== 'GET' && sessionGate.csrfToken !== null) headers.set('x-csrf-token', sessionGate.csrfToken)
  const init: RequestInit = { method, headers, credentials: 'same-origin', cache: 'no-store' }
  if (request.body !== undefined) init.body = JSON.stringify(request.body)
  if (request.file !== undefined) init.body = request.file
  init.signal = AbortSignal.any(endsOf(request))
  const isOffline = navigator.onLine === false
  try {
    const askedAt = performance.now()
    const response = await fetch(`${prefix}${path}${queryString(request.query)}`, init)
    noteServerDate(response.headers.get('date'), performance.now() - askedAt)
    return response
  } catch (error) {
    const lost = lostBy(error, request.signal)
    throw isOffline && isProblem(lost, 'unreachable') ? offline() : lost
  }
}

/** What may end a call before its answer: the page, which no longer wants it, and time. */
function endsOf({ signal, file, isFile = false }: ApiRequest): AbortSignal[] {
  const hasFile = isFile || file !== undefined
  return [...(signal ? [signal] : []), ...(hasFile ? [] : [AbortSignal.timeout(ANSWER_WITHIN_MS)])]
}

/** The token changed under us: another tab signed in or switched tenant. Same person and tenant: go on; else wait until it is. */
async function refreshToken(problem: ApiProblem): Promise<void> {
  const session = await call<Session>('GET', '/session', {})
  const mark: SessionMark = { userId: session.user.id, tenantId: session.tenant.id }
  if (sessionGate.isSame(mark)) sessionGate.remember(mark, session.csrfToken)
  else await sessionGate.waitFor('another', problem)
}

/** Nothing is sent with the session of somebody else than whom the page shows. */
async function untilOwn(): Promise<void> {
  if (sessionGate.isAnothers) await sessionGate.waitFor('another', notOwn())
}

export function queryString(query: Record<string, QueryValue> = {}): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(key, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
