import { generateSync } from 'otplib'

/** A check found a deviation from the specification; the message goes into the report. */
export class CheckFailed extends Error {}

const PATIENCE_MS = 30_000

export type Answer = { status: number; headers: Headers; body: unknown; text: string }
export type Sent = {
  body?: unknown
  /** a body that is not JSON */
  text?: string | Buffer
  headers?: Record<string, string>
  /** closes a stream after its head, because a stream may never end; its text is then empty */
  leavesStreams?: true
}

/** One person's browser session: stores cookies and sends the CSRF token. */
export type Client = {
  send(method: string, path: string, sent?: Sent): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** sends a page's request without its token, as a forged request */
  forge(method: string, path: string, body: unknown): Promise<Answer>
}

/** Credentials of a person; a run changes them when the service requires a new password or issues codes. */
export type Account = { email: string; password: string; recoveryCodes: string[] }

/** A client of the API at `base`, which may be the web app in front of it. */
export function createClient(base: string, account?: Account): Client {
  const cookies = new Map<string, string>()
  let csrfToken: string | undefined

  const ask = async (method: string, path: string, sent: Sent, token: string | undefined): Promise<Answer> => {
    const headers = new Headers(sent.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (token !== undefined && method !== 'GET') headers.set('x-csrf-token', token)
    if (sent.text === undefined && method !== 'GET' && method !== 'DELETE')
      headers.set('content-type', 'application/json')
    const body = sent.text ?? (method === 'GET' || method === 'DELETE' ? null : JSON.stringify(sent.body ?? {}))
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(`${base}/api/v1${path}`, { method, headers, body, signal, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(header) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const type = response.headers.get('content-type') ?? ''
    const isLeft = sent.leavesStreams === true && type.startsWith('text/event-stream')
    if (isLeft) await response.body?.cancel()
    const text = isLeft ? '' : await response.text()
    const isJson = type.includes('json')
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    }
    const renewed = find(answer.body, 'csrfToken')
    if (typeof renewed === 'string') csrfToken = renewed
    const codes = find(answer.body, 'recoveryCodes')
    if (account !== undefined && Array.isArray(codes)) account.recoveryCodes = codes.map(String)
    return answer
  }

  const send = (method: string, path: string, sent: Sent = {}) => ask(method, path, sent, csrfToken)
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    patch: (path, body, headers = {}) => send('PATCH', path, { body, headers }),
    forge: (method, path, body) => ask(method, path, { body }, undefined),
  }
}

/** Signs in and completes the steps that the session requires: new password, authenticator app, recovery code. */
export async function signIn(base: string, account: Account): Promise<Client> {
  const client = createClient(base, account)
  const { email, password } = account
  let answer = expectStatus(await client.post('/session', { email, password }), 201, 'signing in')
  for (let hold = find(answer.body, 'hold'); hold !== null; hold = find(answer.body, 'hold')) {
    await lift(hold, client, account)
    const before = hold
    answer = expectStatus(await client.get('/session'), 200, 'reading the session')
    if (find(answer.body, 'hold') === before) throw new CheckFailed(`The session stays on hold for ${before}.`)
  }
  return client
}

async function lift(hold: unknown, client: Client, account: Account): Promise<void> {
  if (hold === 'password_change') {
    const change = { currentPassword: account.password, newPassword: `${account.password} anew` }
    expectStatus(await client.post('/password', change), 200, 'setting a new password')
    account.password = change.newPassword
  } else if (hold === 'enrolment') {
    const begun = expectStatus(await client.post('/mfa/enrolment'), 201, 'enrolling a second factor')
    const code = generateSync({ secret: textAt(begun.body, 'secret') })
    expectStatus(await client.post('/mfa/enrolment/confirmation', { code }), 200, 'confirming a second factor')
  } else if (hold === 'second_factor') {
    // An authenticator code is accepted once per half minute; recovery codes need no wait.
    const recoveryCode = account.recoveryCodes.pop()
    expectStatus(await client.post('/session/mfa', { recoveryCode }), 200, 'a recovery code')
  } else throw new CheckFailed(`The session is on hold for ${String(hold)}.`)
}

export function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status === status) return answer
  const code = find(answer.body, 'code')
  throw new CheckFailed(
    `${capitalized(what)} returned ${answer.status}${typeof code === 'string' ? ` ${code}` : ''}, not ${status}.`,
  )
}

/** Requires a refusal with the given status and code. */
export function expectRefusal(answer: Answer, status: number, code: string, what: string): void {
  expectStatus(answer, status, what)
  if (find(answer.body, 'code') !== code) throw new CheckFailed(`${capitalized(what)} was refused, but not as ${code}.`)
}

export function expectThat(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new CheckFailed(otherwise)
}

/** Returns the value at `path` (`page.total.value`, `items.0.id`) of a response; undefined if it is absent. */
export function find(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).find(([name]) => name === key)?.[1]
  }, body)
}

export function textAt(body: unknown, path: string): string {
  const value = find(body, path)
  if (typeof value !== 'string') throw new CheckFailed(`The response has no text at ${path}.`)
  return value
}

export function numberAt(body: unknown, path: string): number {
  const value = find(body, path)
  if (typeof value !== 'number') throw new CheckFailed(`The response has no number at ${path}.`)
  return value
}

export function listAt(body: unknown, path: string): unknown[] {
  const value = find(body, path)
  if (!Array.isArray(value)) throw new CheckFailed(`The response has no list at ${path}.`)
  return value
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
