/**
 * The `fetch` of the generated client, and the only function that sends requests. If the session has expired or the server requires a proof, the call
 * does not fail: it waits at the session gate until the user has completed the dialog, then the request is repeated.
 */
import { getSession } from '@prospect/api-client'
import { type ApiProblem, isProblem, notOwn, offline, problemFrom, tooLate, unreachable } from './api-problem.ts'
import { earlierChanges } from './before-change.ts'
import { isOutage, noteAnswer } from './connection.ts'
import { dataOf } from './data-of.ts'
import { noteServerDate } from './server-clock.ts'
import { type Interruption, sessionGate } from './session-gate.ts'
import type { SessionMark } from './session-owner.ts'

/**
 * Timeout of a response. The web server itself responds with an error after 60 seconds, so a longer silence means a dead connection. Browsers would
 * wait 15 minutes.
 */
export const ANSWER_WITHIN_MS = 75_000

type Gate = {
  /** Return a 401 to the caller instead of waiting for a sign-in. */
  isOutside?: boolean
  /** The response sets a new session cookie. `takeSession` and `refreshSession` adopt the token that belongs to it. */
  rotates?: boolean
  /** The call sends or receives a file and has no timeout. */
  isFile?: boolean
  /** The call is itself a delayed change, so it does not wait for pending ones. */
  isEarlier?: boolean
}

/** Options of calls that never wait for a session: sign-in and the first read of the session. */
export const outsideSession = { fetch: gatedFetch({ isOutside: true }) }
/** Options of a call whose response sets a new session cookie. */
export const rotatingSession = { fetch: gatedFetch({ rotates: true }) }
/** Options of a call that starts a session. */
export const beginningSession = { fetch: gatedFetch({ isOutside: true, rotates: true }) }
/** Options of a call that sends or receives a file. */
export const transferringFile = { fetch: gatedFetch({ isFile: true }) }

/** Options of a delayed change that is sent now, before later ones. */
export const earlierChange = { fetch: gatedFetch({ isEarlier: true }) }

/**
 * Options of a change that is sent while the page is being left or hidden. It is sent once without retries, and `keepalive` lets the browser deliver
 * it after the page is gone. It rejects if the session belongs to another user, because no dialog can be shown.
 */
export const leavingPage = {
  keepalive: true,
  fetch: (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (sessionGate.isAnothers) return Promise.reject(notOwn())
    const request = new Request(input, init)
    if (sessionGate.csrfToken !== null) request.headers.set('x-csrf-token', sessionGate.csrfToken)
    return fetch(request).catch(() => Promise.reject(unreachable()))
  },
}

/** `fetch` for the health check only: sends no token, waits for no session and does not record the response. */
export const ungatedFetch: typeof fetch = (input, init) => fetch(input, init)

/** Maximum number of refusals of one call before it fails, so that it cannot loop forever. */
const MAX_REFUSALS = 4

export function gatedFetch({
  isOutside = false,
  rotates = false,
  isFile = false,
  isEarlier = false,
}: Gate = {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const body = await bodyOf(request, isFile)
    if (request.method !== 'GET' && !isEarlier) await earlierChanges(new URL(request.url).pathname)
    if (!isOutside) await untilOwn()
    for (let refusals = 0; ; refusals += 1) {
      const turn = sessionGate.turns
      const once = () => send(request, body, isFile)
      const response = await (rotates ? sessionGate.rotate(once) : once())
      if (response.ok) {
        noteAnswer()
        return response
      }
      const problem = await problemFrom(response.clone())
      if (!isOutage(problem)) noteAnswer()
      const isGivenUp = refusals === MAX_REFUSALS
      if (isGivenUp || !(await removeObstacle(problem, { isOutside, rotates }, turn))) return response
    }
  }
}

/** Reads the body before the first attempt so that it can be sent again. It becomes text or a blob, as a stream can be read only once. */
async function bodyOf(request: Request, isFile: boolean): Promise<BodyInit | null> {
  if (request.method === 'GET') return null
  const body = isFile ? await request.blob() : await request.text()
  return body === '' ? null : body
}

/** Sends the request and reads the complete response. A connection that breaks during the response counts as a failed request. */
async function send({ url, method, headers: given, signal }: Request, body: BodyInit | null, isFile: boolean) {
  const headers = new Headers(given)
  if (method !== 'GET' && sessionGate.csrfToken !== null) headers.set('x-csrf-token', sessionGate.csrfToken)
  const signals = isFile ? [signal] : [signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]
  const init = {
    method,
    headers,
    body,
    signal: AbortSignal.any(signals),
    credentials: 'same-origin',
    cache: 'no-store',
  } as const
  const isOffline = navigator.onLine === false
  const sentAt = performance.now()
  try {
    const response = await fetch(url, init)
    noteServerDate(response.headers.get('date'), performance.now() - sentAt)
    const { status, statusText, headers } = response
    return new Response(status === 204 ? null : await response.blob(), { status, statusText, headers })
  } catch (error) {
    const problem = problemOfLoss(error, signal)
    throw isOffline && isProblem(problem, 'unreachable') ? offline() : problem
  }
}

/** Error for a request without a complete response: the abort reason, a timeout, or unreachable. */
function problemOfLoss(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return error instanceof DOMException && error.name === 'TimeoutError' ? tooLate() : unreachable()
}

const interruptions: Record<string, Interruption | undefined> = {
  authentication_required: 'sign_in',
  mfa_required: 'hold',
  password_change_required: 'hold',
  step_up_required: 'step_up',
}

/** Waits until the obstacle is removed and resolves to true if the request may be repeated. Rejects when the user declines. */
async function removeObstacle(problem: ApiProblem, { isOutside, rotates }: Gate, turn: number): Promise<boolean> {
  if (problem.code === 'csrf_token_invalid') {
    await refreshToken(problem)
    return true
  }
  const kind = interruptions[problem.code]
  if (kind === undefined || (kind === 'sign_in' && isOutside === true)) return false
  if (rotates !== true) {
    await sessionGate.settled()
    if (turn !== sessionGate.turns) return true
  }
  await sessionGate.waitFor(kind, problem)
  return true
}

/**
 * Fetches the CSRF token again after another tab signed in or switched workspace. For the same user and workspace the call continues with the new
 * token; otherwise it waits at the gate.
 */
async function refreshToken(problem: ApiProblem): Promise<void> {
  const session = await dataOf(getSession())
  const mark: SessionMark = { userId: session.user.id, tenantId: session.tenant.id }
  if (sessionGate.isSame(mark)) sessionGate.remember(mark, session.csrfToken)
  else await sessionGate.waitFor('another', problem)
}

/** Waits while the browser's session belongs to another user or workspace than this page shows. */
async function untilOwn(): Promise<void> {
  if (sessionGate.isAnothers) await sessionGate.waitFor('another', notOwn())
}
