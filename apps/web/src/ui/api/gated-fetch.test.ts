import {
  addNote,
  changePassword,
  createBusiness,
  createCsvPreview,
  editBusiness,
  getExportContent,
  getPipeline,
  getSession,
  listBusinesses,
  listTags,
  revokeOtherSessions,
  type Session,
} from '@prospect/api-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { until } from '../../../test/until.ts'
import { ApiProblem, isUnanswered, sentenceOf } from './api-problem.ts'
import { configureApiClient, ifMatch, withKey } from './client.ts'
import { dataOf } from './data-of.ts'
import { ANSWER_WITHIN_MS, outsideSession, rotatingSession, transferringFile } from './gated-fetch.ts'
import { sessionGate } from './session-gate.ts'
import { noteOwner } from './session-owner.ts'

type Call = { method: string; url: string; headers: Headers; body: string }
let calls: Call[] = []
let answers: (() => Response | Promise<Response>)[] = []

const origin = 'http://localhost'
const read = (signal?: AbortSignal) => dataOf(getPipeline({ ...(signal && { signal }) }))
const readTags = () => dataOf(listTags())
const create = () => dataOf(createBusiness({ body: { name: 'A' } }))
const writeNote = () => dataOf(addNote({ path: { businessId: 'b1' }, body: { text: 'x' }, ...withKey('k1') }))
const edit = () =>
  dataOf(
    editBusiness({
      path: { businessId: 'b1' },
      body: { name: 'A' },
      headers: { ...ifMatch(3).headers, ...withKey('k1').headers },
    }),
  )
const endOthers = () => dataOf(revokeOtherSessions())
const readSession = () => dataOf(getSession(outsideSession))
const readFile = () => dataOf(getExportContent({ path: { exportId: 'e1' }, parseAs: 'blob', ...transferringFile }))
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

beforeEach(() => {
  calls = []
  answers = []
  configureApiClient(origin)
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    const { method, headers } = request
    const call = { method, url: url.replace(origin, ''), headers, body: '' }
    calls.push(call)
    const next = answers.shift()
    if (next === undefined) throw new Error('a call too many')
    call.body = await request.text()
    return next()
  })
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  sessionGate.remember({ userId: 'u1', tenantId: 't1' }, 'token-1')
})

afterEach(() => {
  sessionGate.forget()
  vi.unstubAllGlobals()
})

const ok = (body: unknown) => () => Response.json(body)
const problem =
  (status: number, code: string, more: object = {}) =>
  () =>
    new Response(JSON.stringify({ status, code, title: code, detail: `${code}.`, requestId: 'r1', ...more }), {
      status,
      headers: { 'content-type': 'application/problem+json' },
    })
const session = (
  userId: string,
  tenantId: string,
  csrfToken: string,
): Pick<Session, 'user' | 'tenant' | 'csrfToken'> => ({
  user: { id: userId, email: 'a@example.com', name: 'A' },
  tenant: { id: tenantId, name: 'T', timeZone: 'UTC', country: 'ZA', locale: 'en-ZA' },
  csrfToken,
})

describe('a call', () => {
  test('a change carries its version, idempotency key and CSRF token', async () => {
    answers = [ok({ id: 'b1' })]
    await edit()
    expect(calls[0]).toMatchObject({ method: 'PATCH', url: '/api/v1/businesses/b1', body: '{"name":"A"}' })
    expect(Object.fromEntries(calls[0]?.headers ?? [])).toMatchObject({
      'if-match': '"3"',
      'idempotency-key': 'k1',
      'x-csrf-token': 'token-1',
      'content-type': 'application/json',
    })
  })

  test('a change without version or key sends neither header', async () => {
    answers = [ok({})]
    await endOthers()
    expect(Object.keys(Object.fromEntries(calls[0]?.headers ?? [])).sort()).toEqual(['accept', 'x-csrf-token'])
  })

  test('a read carries no token', async () => {
    answers = [ok({})]
    await dataOf(listBusinesses({ query: { q: 'a b' } }))
    expect(calls[0]?.url).toBe('/api/v1/businesses?q=a%20b')
    expect(calls[0]?.headers.has('x-csrf-token')).toBe(false)
  })

  test('an error response becomes a problem with all its details', async () => {
    answers = [
      problem(412, 'version_conflict', { currentVersion: 7, errors: [{ path: 'name', code: 'x', message: 'm' }] }),
    ]
    const error = await failureOf(edit())
    expect(error).toBeInstanceOf(ApiProblem)
    expect(error).toMatchObject({ status: 412, code: 'version_conflict', currentVersion: 7, requestId: 'r1' })
    expect(error).toMatchObject({ errors: [{ path: 'name', code: 'x', message: 'm' }] })
  })

  test('an HTML page from a proxy becomes a problem with the same status', async () => {
    answers = [() => new Response('<html>Bad gateway</html>', { status: 502 })]
    await expect(read()).rejects.toMatchObject({ status: 502, code: 'unavailable' })
  })

  test('a connection that breaks during a response is reported as unreachable', async () => {
    const broken = () =>
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"a":'))
          controller.error(new TypeError('network error'))
        },
      })
    answers = [() => new Response(broken()), () => new Response(broken())]
    const error = await failureOf(read())
    expect(sentenceOf(error)).toBe('Could not reach the server. Try again in a moment.')
    const left = AbortSignal.abort(new Error('left'))
    expect(await failureOf(read(left))).not.toBeInstanceOf(ApiProblem)
  })

  test('a failed connection is a problem that tells the user what to do', async () => {
    answers = [() => Promise.reject(new TypeError('Failed to fetch'))]
    const error = await failureOf(read())
    expect(error).toMatchObject({ status: 0, isTransient: true })
    expect(sentenceOf(error)).toBe('Could not reach the server. Try again in a moment.')
  })
})

describe('a connection that no longer responds', () => {
  /** The timeouts that calls created, each with its length. */
  let clocks: { ms: number; ring: () => void }[] = []
  beforeEach(() => {
    clocks = []
    silent.mockClear()
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const clock = new AbortController()
      clocks.push({ ms, ring: () => clock.abort(new DOMException('signal timed out', 'TimeoutError')) })
      return clock.signal
    })
    vi.stubGlobal('fetch', silent)
  })
  const silent = vi.fn(
    (_url: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  )

  test('times out, and the change is reported as possibly made', async () => {
    const change = failureOf(create())
    await until(() => expect(clocks).toHaveLength(1))
    expect(clocks[0]?.ms).toBe(ANSWER_WITHIN_MS)
    clocks[0]?.ring()
    const error = await change
    expect(error).toMatchObject({ status: 504, code: 'unavailable' })
    expect(isUnanswered(error)).toBe(true)
    expect(sentenceOf(error)).toBe('The server took too long to respond. Try again in a moment.')
  })

  test('times out during a response too', async () => {
    vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
      const start = (body: ReadableStreamDefaultController) =>
        signal?.addEventListener('abort', () => body.error(signal.reason))
      return new Response(new ReadableStream({ start }))
    })
    const reading = failureOf(read())
    await until(() => expect(clocks).toHaveLength(1))
    clocks[0]?.ring()
    expect(await reading).toMatchObject({ status: 504 })
  })

  test('an aborted call rejects with the abort reason, not with the timeout', async () => {
    const left = new AbortController()
    const reading = failureOf(read(left.signal))
    await until(() => expect(clocks).toHaveLength(1))
    left.abort(new Error('left'))
    expect(await reading).toEqual(new Error('left'))
  })

  test('transfers of files have no timeout', async () => {
    void failureOf(readFile())
    void failureOf(dataOf(createCsvPreview({ body: new File(['a'], 'a.csv'), ...transferringFile })))
    await until(() => expect(silent).toHaveBeenCalledTimes(2))
    expect(clocks).toHaveLength(0)
  })
})

describe('an expired session', () => {
  test('holds the call until the user has signed in again, then repeats it with the new token', async () => {
    answers = [problem(401, 'authentication_required'), ok({ id: 'n1' })]
    const note = writeNote()
    await until(() => expect(sessionGate.interruption).toBe('sign_in'))
    expect(calls).toHaveLength(1)
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await note).toEqual({ id: 'n1' })
    expect(sessionGate.interruption).toBe(null)
    expect(calls[1]?.headers.get('x-csrf-token')).toBe('token-2')
    expect(calls[1]?.headers.get('idempotency-key')).toBe('k1')
  })

  test('all waiting calls continue together', async () => {
    answers = [problem(401, 'authentication_required'), problem(401, 'authentication_required'), ok(1), ok(2)]
    const both = Promise.all([read(), readTags()])
    await until(() => expect(calls).toHaveLength(2))
    await Promise.resolve()
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await both).toHaveLength(2)
  })

  test('after a sign-in as another user nothing is sent and the page reloads', async () => {
    const assign = vi.fn()
    vi.stubGlobal('window', { location: { assign } })
    answers = [problem(401, 'authentication_required')]
    const note = writeNote()
    const refused = expect(note).rejects.toMatchObject({ code: 'authentication_required' })
    await until(() => expect(sessionGate.interruption).toBe('sign_in'))
    sessionGate.goOn({ userId: 'u2', tenantId: 't1' }, 'token-2')
    await refused
    expect(calls).toHaveLength(1)
    expect(assign).toHaveBeenCalledWith('/')
  })

  test('after a sign-in to another workspace nothing is sent and the page shows it', async () => {
    answers = [problem(401, 'authentication_required')]
    const note = writeNote()
    const refused = expect(note).rejects.toMatchObject({ code: 'authentication_required' })
    await until(() => expect(sessionGate.interruption).toBe('sign_in'))
    sessionGate.goOn({ userId: 'u1', tenantId: 't2' }, 'token-2')
    expect(sessionGate.interruption).toBe('another')
    // Later calls are not sent in that workspace either.
    void failureOf(read())
    await Promise.resolve()
    expect(calls).toHaveLength(1)
    vi.stubGlobal('window', { location: { assign: vi.fn() } })
    sessionGate.startOver()
    await refused
  })

  test('without a session, or for the sign-in call itself, a 401 is returned as is', async () => {
    answers = [problem(401, 'authentication_required')]
    await expect(readSession()).rejects.toMatchObject({ status: 401 })
    sessionGate.forget()
    answers = [problem(401, 'authentication_required')]
    await expect(read()).rejects.toMatchObject({ status: 401 })
  })
})

describe('a change that requires fresh proof', () => {
  test('waits for the proof, then is sent unchanged with the token of the renewed session', async () => {
    answers = [problem(403, 'step_up_required'), ok({ id: 'b1' })]
    const change = edit()
    await until(() => expect(sessionGate.interruption).toBe('step_up'))
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await change).toEqual({ id: 'b1' })
    expect(calls[1]).toMatchObject({ method: 'PATCH', body: '{"name":"A"}' })
    expect(Object.fromEntries(calls[1]?.headers ?? [])).toMatchObject({ 'if-match': '"3"', 'x-csrf-token': 'token-2' })
  })

  test('rejects with a message when the user declines', async () => {
    answers = [problem(403, 'step_up_required')]
    const change = endOthers()
    const refused = expect(change).rejects.toMatchObject({ code: 'step_up_required', status: 403 })
    await until(() => expect(sessionGate.interruption).toBe('step_up'))
    sessionGate.decline()
    await refused
    expect(sessionGate.interruption).toBe(null)
    expect(calls).toHaveLength(1)
  })

  test('waits for a sign-in instead when the session ends meanwhile', async () => {
    answers = [problem(403, 'step_up_required'), problem(401, 'authentication_required'), ok(1), ok(2)]
    const both = Promise.all([endOthers(), read()])
    await until(() => expect(sessionGate.interruption).toBe('sign_in'))
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(new Set(await both)).toEqual(new Set([1, 2]))
  })

  test('rejects after repeated refusals', async () => {
    answers = Array.from({ length: 5 }, () => problem(403, 'step_up_required'))
    const change = endOthers()
    const refused = expect(change).rejects.toMatchObject({ code: 'step_up_required' })
    for (let round = 1; round < 5; round += 1) {
      await until(() => expect(sessionGate.interruption).toBe('step_up'))
      sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, `token-${round}`)
    }
    await refused
    expect(calls).toHaveLength(5)
  })
})

describe('while the session is being replaced', () => {
  test('a call that was sent with the old cookie is repeated without a dialog', async () => {
    let renew: (answer: Response) => void = () => undefined
    const renewed = new Promise<Response>((resolve) => {
      renew = resolve
    })
    answers = [() => renewed, problem(401, 'authentication_required'), ok('read')]
    const change = dataOf(changePassword({ body: { currentPassword: 'a', newPassword: 'b' }, ...rotatingSession }))
    await until(() => expect(calls).toHaveLength(1))
    const reading = read()
    await until(() => expect(calls).toHaveLength(2))
    renew(Response.json(session('u1', 't1', 'token-2')))
    await change
    expect(await reading).toBe('read')
    expect(sessionGate.interruption).toBe(null)
  })
})

describe('a CSRF token that another tab replaced', () => {
  test('is fetched again for the same user and workspace', async () => {
    answers = [problem(403, 'csrf_token_invalid'), ok(session('u1', 't1', 'token-9')), ok({ id: 'b1' })]
    expect(await create()).toEqual({ id: 'b1' })
    expect(calls[2]?.headers.get('x-csrf-token')).toBe('token-9')
  })

  test('a change waits while the session belongs to another workspace', async () => {
    answers = [problem(403, 'csrf_token_invalid'), ok(session('u1', 't2', 'token-9')), ok({ id: 'b1' })]
    const change = create()
    await until(() => expect(sessionGate.interruption).toBe('another'))
    expect(calls).toHaveLength(2)
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-10')
    expect(await change).toEqual({ id: 'b1' })
    expect(calls[2]?.headers.get('x-csrf-token')).toBe('token-10')
  })

  test('a missing permission is not retried', async () => {
    answers = [problem(403, 'permission_denied')]
    await expect(create()).rejects.toMatchObject({ code: 'permission_denied' })
    expect(calls).toHaveLength(1)
  })
})

describe('a browser in which another tab signed in as another user', () => {
  test('holds calls of this page until its own user signs in again', async () => {
    noteOwner({ userId: 'u2', tenantId: 't1' })
    answers = [ok('read')]
    const reading = read()
    await until(() => expect(sessionGate.interruption).toBe('another'))
    expect(calls).toHaveLength(0)
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await reading).toBe('read')
    // This page's user owns the browser's session again.
    answers = [ok('read again')]
    expect(await read()).toBe('read again')
  })

  test('still reads the session, which alone shows who is signed in', async () => {
    noteOwner({ userId: 'u2', tenantId: 't1' })
    answers = [ok(session('u2', 't1', 'token-2'))]
    await expect(readSession()).resolves.toMatchObject({ user: { id: 'u2' } })
    expect(sessionGate.interruption).toBe(null)
  })

  test('rejects waiting calls when the user leaves the page', async () => {
    const assign = vi.fn()
    vi.stubGlobal('window', { location: { assign } })
    noteOwner({ userId: 'u1', tenantId: 't2' })
    const refused = expect(read()).rejects.toMatchObject({ code: 'session_replaced' })
    await until(() => expect(sessionGate.interruption).toBe('another'))
    sessionGate.startOver()
    await refused
    expect(assign).toHaveBeenCalledWith('/')
    expect(calls).toHaveLength(0)
  })
})
