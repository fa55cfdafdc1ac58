/**
 * The `fetch` of the generated client, and the only place that sends a request. A session that lapsed during work, or that needs a proof
 * first, does not fail the call: it waits at the session gate until the person has dealt with the dialog over the page, and is sent again.
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
 * How long an answer may take. The web server gives up after 60 seconds and says so: without even that the connection is dead, and a
 * browser would wait for a quarter of an hour.
 */
export const ANSWER_WITHIN_MS = 75_000

type Gate = {
  /** A 401 is an answer here, not a lapsed session. */
  isOutside?: boolean
  /** The answer sets another session cookie. See `takeSession` and `refreshSession` for the token that belongs to it. */
  rotates?: boolean
  /** A file travels up or down and may take its time. */
  isFile?: boolean
  /** It waits for no earlier change: it is one. */
  isEarlier?: boolean
}

/** Options of a call that does not wait for a session: sign-in, and the first look at the session. */
export const outsideSession = { fetch: gatedFetch({ isOutside: true }) }
/** Options of a call whose answer sets another session cookie. */
export const rotatingSession = { fetch: gatedFetch({ rotates: true }) }
/** Options of a call that begins a session. */
export const beginningSession = { fetch: gatedFetch({ isOutside: true, rotates: true }) }
/** Options of a call that sends or receives a file. */
export const transferringFile = { fetch: gatedFetch({ isFile: true }) }

/** Options of a change that was made before others and is sent now. */
export const earlierChange = { fetch: gatedFetch({ isEarlier: true }) }

/**
 * Options of a change that is sent while the page is left or hidden: sent at once and once, and the browser delivers it after the page is gone.
 * The session gate still decides whose it is; nobody is there to be asked for a password.
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

/** For the look at the service's health alone: no session, no token, no note of the answer. */
export const ungatedFetch: typeof fetch = (input, init) => fetch(input, init)

/** A server that refuses again and again is not asked for ever. */
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

/** The body at once, so that it can be sent several times, and as bytes rather than as a stream. */
async function bodyOf(request: Request, isFile: boolean): Promise<BodyInit | null> {
  if (request.method === 'GET') return null
  const body = isFile ? await request.blob() : await request.text()
  return body === '' ? null : body
}

/** Sends the request and reads the whole answer: a connection that breaks within it is as bad as none. */
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

/** Why a request got no whole answer: the page no longer wants it, time ran out, or nothing came. */
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

/** Resolves to true once the request may be sent again. Rejects when the person gives up. */
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

/** Another tab signed in or switched workspace. The same person and tenant continue with the new token; any other waits at the gate. */
async function refreshToken(problem: ApiProblem): Promise<void> {
  const session = await dataOf(getSession())
  const mark: SessionMark = { userId: session.user.id, tenantId: session.tenant.id }
  if (sessionGate.isSame(mark)) sessionGate.remember(mark, session.csrfToken)
  else await sessionGate.waitFor('another', problem)
}

/** Nothing is sent in the session of another person than the page shows. */
async function untilOwn(): Promise<void> {
  if (sessionGate.isAnothers) await sessionGate.waitFor('another', notOwn())
}
