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
  tenant: { id: tenantId, name: 'T', timeZone: 'UTC', country: 'ZA' },
  csrfToken,
})

describe('a call', () => {
  test('carries what the server wants of a change', async () => {
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

  test('that is no edit and has no key says nothing of either: any two would be taken for one and the same', async () => {
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

  test('a refusal is a problem with everything the server said', async () => {
    answers = [
      problem(412, 'version_conflict', { currentVersion: 7, errors: [{ path: 'name', code: 'x', message: 'm' }] }),
    ]
    const error = await failureOf(edit())
    expect(error).toBeInstanceOf(ApiProblem)
    expect(error).toMatchObject({ status: 412, code: 'version_conflict', currentVersion: 7, requestId: 'r1' })
    expect(error).toMatchObject({ errors: [{ path: 'name', code: 'x', message: 'm' }] })
  })

  test("a proxy's page instead of a problem still is one", async () => {
    answers = [() => new Response('<html>Bad gateway</html>', { status: 502 })]
    await expect(read()).rejects.toMatchObject({ status: 502, code: 'unavailable' })
  })

  test('a connection that breaks within an answer is one that could not be reached', async () => {
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

  test('no connection is a problem that says what to do, and nothing of texts that a list has not', async () => {
    answers = [() => Promise.reject(new TypeError('Failed to fetch'))]
    const error = await failureOf(read())
    expect(error).toMatchObject({ status: 0, isTransient: true })
    expect(sentenceOf(error)).toBe('Could not reach the server. Try again in a moment.')
  })
})

describe('a line on which nothing comes any more', () => {
  /** The clocks of the calls, each by how long it was set to. */
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

  test('is given up, and what was asked for over it may have been done', async () => {
    const change = failureOf(create())
    await vi.waitFor(() => expect(clocks).toHaveLength(1))
    expect(clocks[0]?.ms).toBe(ANSWER_WITHIN_MS)
    clocks[0]?.ring()
    const error = await change
    expect(error).toMatchObject({ status: 504, code: 'unavailable' })
    expect(isUnanswered(error)).toBe(true)
    expect(sentenceOf(error)).toBe('The server took too long to respond. Try again in a moment.')
  })

  test('is given up within an answer too', async () => {
    vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
      const start = (body: ReadableStreamDefaultController) =>
        signal?.addEventListener('abort', () => body.error(signal.reason))
      return new Response(new ReadableStream({ start }))
    })
    const reading = failureOf(read())
    await vi.waitFor(() => expect(clocks).toHaveLength(1))
    clocks[0]?.ring()
    expect(await reading).toMatchObject({ status: 504 })
  })

  test('a page that no longer wants the answer is told nothing', async () => {
    const left = new AbortController()
    const reading = failureOf(read(left.signal))
    await vi.waitFor(() => expect(clocks).toHaveLength(1))
    left.abort(new Error('left'))
    expect(await reading).toEqual(new Error('left'))
  })

  test('a file may take its time on a slow one', async () => {
    void failureOf(readFile())
    void failureOf(dataOf(createCsvPreview({ body: new File(['a'], 'a.csv'), ...transferringFile })))
    await vi.waitFor(() => expect(silent).toHaveBeenCalledTimes(2))
    expect(clocks).toHaveLength(0)
  })
})

describe('a session that lapsed', () => {
  test('holds the call until the person has signed in again, and sends it once more with the new token', async () => {
    answers = [problem(401, 'authentication_required'), ok({ id: 'n1' })]
    const note = writeNote()
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('sign_in'))
    expect(calls).toHaveLength(1)
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await note).toEqual({ id: 'n1' })
    expect(sessionGate.interruption).toBe(null)
    expect(calls[1]?.headers.get('x-csrf-token')).toBe('token-2')
    expect(calls[1]?.headers.get('idempotency-key')).toBe('k1')
  })

  test('all that waits goes on together', async () => {
    answers = [problem(401, 'authentication_required'), problem(401, 'authentication_required'), ok(1), ok(2)]
    const both = Promise.all([read(), readTags()])
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    await Promise.resolve()
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await both).toHaveLength(2)
  })

  test('somebody else signing in sends nothing: the page starts over', async () => {
    const assign = vi.fn()
    vi.stubGlobal('window', { location: { assign } })
    answers = [problem(401, 'authentication_required')]
    const note = writeNote()
    const refused = expect(note).rejects.toMatchObject({ code: 'authentication_required' })
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('sign_in'))
    sessionGate.goOn({ userId: 'u2', tenantId: 't1' }, 'token-2')
    await refused
    expect(calls).toHaveLength(1)
    expect(assign).toHaveBeenCalledWith('/')
  })

  test('a sign-in that leads into another tenant sends nothing either: the page says so', async () => {
    answers = [problem(401, 'authentication_required')]
    const note = writeNote()
    const refused = expect(note).rejects.toMatchObject({ code: 'authentication_required' })
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('sign_in'))
    sessionGate.goOn({ userId: 'u1', tenantId: 't2' }, 'token-2')
    expect(sessionGate.interruption).toBe('another')
    // Nor does anything that is asked for from then on go out in that tenant.
    void failureOf(read())
    await Promise.resolve()
    expect(calls).toHaveLength(1)
    vi.stubGlobal('window', { location: { assign: vi.fn() } })
    sessionGate.startOver()
    await refused
  })

  test('nobody was signed in, or the call is the sign-in itself: an answer like any other', async () => {
    answers = [problem(401, 'authentication_required')]
    await expect(readSession()).rejects.toMatchObject({ status: 401 })
    sessionGate.forget()
    answers = [problem(401, 'authentication_required')]
    await expect(read()).rejects.toMatchObject({ status: 401 })
  })
})

describe('a change that wants a fresh proof', () => {
  test('waits for it and is then sent as it was, with the token of the renewed session', async () => {
    answers = [problem(403, 'step_up_required'), ok({ id: 'b1' })]
    const change = edit()
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('step_up'))
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await change).toEqual({ id: 'b1' })
    expect(calls[1]).toMatchObject({ method: 'PATCH', body: '{"name":"A"}' })
    expect(Object.fromEntries(calls[1]?.headers ?? [])).toMatchObject({ 'if-match': '"3"', 'x-csrf-token': 'token-2' })
  })

  test('is refused in words when the person would rather not', async () => {
    answers = [problem(403, 'step_up_required')]
    const change = endOthers()
    const refused = expect(change).rejects.toMatchObject({ code: 'step_up_required', status: 403 })
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('step_up'))
    sessionGate.decline()
    await refused
    expect(sessionGate.interruption).toBe(null)
    expect(calls).toHaveLength(1)
  })

  test('waits for the sign-in instead when the session ends meanwhile', async () => {
    answers = [problem(403, 'step_up_required'), problem(401, 'authentication_required'), ok(1), ok(2)]
    const both = Promise.all([endOthers(), read()])
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('sign_in'))
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(new Set(await both)).toEqual(new Set([1, 2]))
  })

  test('a server that never has enough is not asked for ever', async () => {
    answers = Array.from({ length: 5 }, () => problem(403, 'step_up_required'))
    const change = endOthers()
    const refused = expect(change).rejects.toMatchObject({ code: 'step_up_required' })
    for (let round = 1; round < 5; round += 1) {
      await vi.waitFor(() => expect(sessionGate.interruption).toBe('step_up'))
      sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, `token-${round}`)
    }
    await refused
    expect(calls).toHaveLength(5)
  })
})

describe('while the session is being replaced', () => {
  test('a call that carried the old cookie is sent again and nobody is asked for anything', async () => {
    let renew: (answer: Response) => void = () => undefined
    const renewed = new Promise<Response>((resolve) => {
      renew = resolve
    })
    answers = [() => renewed, problem(401, 'authentication_required'), ok('read')]
    const change = dataOf(changePassword({ body: { currentPassword: 'a', newPassword: 'b' }, ...rotatingSession }))
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    const reading = read()
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    renew(Response.json(session('u1', 't1', 'token-2')))
    await change
    expect(await reading).toBe('read')
    expect(sessionGate.interruption).toBe(null)
  })
})

describe('a token that another tab changed', () => {
  test('is fetched anew when it is still the same person and tenant', async () => {
    answers = [problem(403, 'csrf_token_invalid'), ok(session('u1', 't1', 'token-9')), ok({ id: 'b1' })]
    expect(await create()).toEqual({ id: 'b1' })
    expect(calls[2]?.headers.get('x-csrf-token')).toBe('token-9')
  })

  test('in another tenant nothing is written there: the change waits until the tenant is this page’s again', async () => {
    answers = [problem(403, 'csrf_token_invalid'), ok(session('u1', 't2', 'token-9')), ok({ id: 'b1' })]
    const change = create()
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('another'))
    expect(calls).toHaveLength(2)
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-10')
    expect(await change).toEqual({ id: 'b1' })
    expect(calls[2]?.headers.get('x-csrf-token')).toBe('token-10')
  })

  test('a permission that is missing is not asked for twice', async () => {
    answers = [problem(403, 'permission_denied')]
    await expect(create()).rejects.toMatchObject({ code: 'permission_denied' })
    expect(calls).toHaveLength(1)
  })
})

describe('a browser in which another tab signed in as somebody else', () => {
  test('is asked nothing under the name of the first, who goes on when signed in again', async () => {
    noteOwner({ userId: 'u2', tenantId: 't1' })
    answers = [ok('read')]
    const reading = read()
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('another'))
    expect(calls).toHaveLength(0)
    sessionGate.goOn({ userId: 'u1', tenantId: 't1' }, 'token-2')
    expect(await reading).toBe('read')
    // It is the browser's owner again.
    answers = [ok('read again')]
    expect(await read()).toBe('read again')
  })

  test('is asked who it is all the same, as that alone tells', async () => {
    noteOwner({ userId: 'u2', tenantId: 't1' })
    answers = [ok(session('u2', 't1', 'token-2'))]
    await expect(readSession()).resolves.toMatchObject({ user: { id: 'u2' } })
    expect(sessionGate.interruption).toBe(null)
  })

  test('refuses what waits when the page is left', async () => {
    const assign = vi.fn()
    vi.stubGlobal('window', { location: { assign } })
    noteOwner({ userId: 'u1', tenantId: 't2' })
    const refused = expect(read()).rejects.toMatchObject({ code: 'session_replaced' })
    await vi.waitFor(() => expect(sessionGate.interruption).toBe('another'))
    sessionGate.startOver()
    await refused
    expect(assign).toHaveBeenCalledWith('/')
    expect(calls).toHaveLength(0)
  })
})
