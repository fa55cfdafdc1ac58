import { parseSetCookie } from 'cookie'
import { generateSync } from 'otplib'
import { csrfTokens } from '../src/http/session-guard.ts'
import type { Enrolment } from '../src/rooms/identity/factors/factors.schema.ts'
import type { Session } from '../src/rooms/identity/identity.schema.ts'
import { type Answer, TEST_PASSWORD, type TestApp, WEB_ORIGIN } from './build-app.ts'
import { createTestClient, type Headers, type TestClient } from './test-client.ts'

/** A person with a browser that stores the cookies it receives and sends the CSRF token. */
export type Person = TestClient & {
  /** returns the session cookie that the browser currently has */
  token(): string
  signIn(email: string, password?: string, code?: string): Promise<Answer<Session>>
}

export function personAt(t: TestApp, options: { address?: string; agent?: string; origin?: string } = {}): Person {
  const { address = '10.1.1.1', agent = 'Test browser', origin = WEB_ORIGIN } = options
  const csrfToken = csrfTokens(t.store.keys)
  const cookies = new Map<string, string>()
  const plain = createTestClient(t.app, { origin, 'user-agent': agent }, address)
  const sessionCookie = () => [...cookies].find(([name]) => name.endsWith('prospect_session'))?.[1] ?? ''

  async function keeping<T>(ask: (headers: Headers) => Promise<Answer<T>>, headers: Headers = {}): Promise<Answer<T>> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const held = cookie === '' ? {} : { cookie, 'x-csrf-token': csrfToken(sessionCookie()) }
    const answer = await ask({ ...held, ...headers })
    for (const header of [answer.headers['set-cookie'] ?? []].flat()) {
      const parsed = parseSetCookie(String(header))
      if (parsed !== undefined) cookies.set(parsed.name, parsed.value ?? '')
    }
    return answer
  }

  const person: TestClient = {
    get: (path, headers) => keeping((held) => plain.get(path, held), headers),
    head: (path, headers) => keeping((held) => plain.head(path, held), headers),
    post: (path, body, headers) => keeping((held) => plain.post(path, body, held), headers),
    put: (path, body, headers) => keeping((held) => plain.put(path, body, held), headers),
    patch: (path, body, headers) => keeping((held) => plain.patch(path, body, held), headers),
    delete: (path, body, headers) => keeping((held) => plain.delete(path, body, held), headers),
  }
  return {
    ...person,
    token: sessionCookie,
    signIn: (email, password = TEST_PASSWORD, code) =>
      person.post('/session', { email, password, ...(code === undefined ? {} : { code }) }),
  }
}

export const HOME_ADMINISTRATOR = 'administrator@home.example'
export const HOME_OPERATOR = 'operator@home.example'

/** Returns the code of an authenticator app with this secret, `steps` steps of 30 seconds from now. */
export function codeOf(t: TestApp, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(t.clock().getTime() / 1_000) + 30 * steps })
}

/** Enrols an authenticator app for the signed-in person, and advances the clock until its code has expired. */
export async function enrolApp(t: TestApp, person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await person.post<Enrolment>('/mfa/enrolment', {})).body
  const confirmed = await person.post<{ recoveryCodes: string[] | null }>('/mfa/enrolment/confirmation', {
    code: codeOf(t, secret),
  })
  if (confirmed.status !== 200) throw new Error(`Not enrolled: ${JSON.stringify(confirmed.body)}`)
  t.clock.advance(60_000)
  return { secret, recoveryCodes: confirmed.body.recoveryCodes ?? [] }
}

/** Returns the newest audit event of that action, in any tenant. */
export async function lastEvent(t: TestApp, action: string) {
  return t.store.reader
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Runs `between` after the next request has verified its password and before that request writes. `between` must return 200. */
export function beforeTheNextWrite(t: TestApp, between: () => Promise<{ status: number }>): void {
  const { write } = t.store
  t.store.write = async (...given) => {
    t.store.write = write
    const { status } = await between()
    if (status !== 200) throw new Error(`the request in between got ${status}`)
    return write(...given)
  }
}
