import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { RouteOptions } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { createTestToken } from './access-tokens.ts'
import { buildTestApp, WEB_ORIGIN } from './build-app.ts'
import { connected } from './raw-connection.ts'

/* Tests requests that need a raw connection: bytes that are not a valid request, and slow bodies. */

async function answerOf(socket: Socket) {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { head, status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}

describe('an unreadable request', () => {
  const big = 'x'.repeat(20_000)
  test.each([
    ['an unknown method', 'FOO /api/v1/businesses HTTP/1.1', '', 400, 'invalid_request'],
    ['a broken first line', 'GET /api/v1/busin esses HTTP/1.1', '', 400, 'invalid_request'],
    [
      'two lengths',
      'POST /api/v1/session HTTP/1.1',
      'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n',
      400,
      'invalid_request',
    ],
    ['an overlong address', `GET /api/v1/businesses?q=${big} HTTP/1.1`, '', 431, 'headers_too_large'],
    ['an overlong header', 'GET /api/v1/businesses HTTP/1.1', `X-Big: ${big}\r\n`, 431, 'headers_too_large'],
  ])('%s gets a problem response, and is logged without its content', async (_what, line, headers, status, code) => {
    const t = await buildTestApp({ config: { environment: 'production' } })
    const token = await t.startSession({
      tenantId: t.tenants.home.id,
      userId: t.tenants.home.users.operator.id,
      role: 'operator',
    })
    const socket = await connected(t.app)
    socket.write(`${line}\r\nHost: localhost\r\nCookie: prospect_session=${token}\r\n${headers}\r\n`)
    const answer = await answerOf(socket)
    expect(answer).toMatchObject({ status, body: { status, code, requestId: expect.any(String) } })
    for (const header of [
      'content-type: application/problem+json',
      `x-request-id: ${answer.body.requestId}`,
      'x-content-type-options: nosniff',
      'strict-transport-security: max-age=63072000',
    ])
      expect(answer.head).toContain(header)
    const lines = t.logged().split('\n')
    expect(lines.filter((logged) => logged.includes(answer.body.requestId))).toHaveLength(1)
    // The token must not be in the log as text, nor as the list of its byte values, which is how a logged buffer appears.
    const bytes = JSON.stringify([...Buffer.from(token)]).slice(1, -1)
    expect(t.logged()).not.toContain(token)
    expect(t.logged()).not.toContain(bytes)
  })
})

test('a HEAD writes only the headers to its connection, with the length that the body would have', async () => {
  const t = await buildTestApp()
  const socket = await connected(t.app)
  for (const [method, connection] of [
    ['HEAD', 'keep-alive'],
    ['GET', 'close'],
  ])
    socket.write(`${method} /api/v1/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  const [head = '', second = '', body = '', ...more] = text.split('\r\n\r\n')
  expect([body, more]).toEqual(['{"status":"ok"}', []])
  for (const headers of [head, second]) {
    expect(headers).toContain('HTTP/1.1 200 OK\r\n')
    expect(headers.toLowerCase()).toContain(`content-length: ${body.length}`)
  }
})

describe('a slow body', () => {
  const BODY = JSON.stringify({ name: 'Sent slowly' })

  /** Creates an app, and a promise that resolves when a request was accepted by its headers. */
  async function admittingApp() {
    let tell = () => {}
    const admitted = new Promise<void>((resolve) => {
      tell = resolve
    })
    const onRoute = (route: RouteOptions) => {
      if (route.method !== 'POST' || !route.url.endsWith('/businesses')) return
      route.preParsing = (_request, _reply, payload, done) => {
        tell()
        done(null, payload)
      }
    }
    return { t: await buildTestApp({ onRoute }), admitted }
  }

  /** Sends the headers of a change in a session, runs `meanwhile` when the headers were accepted, and sends the body much later. */
  async function sendSlowly(
    slow: Awaited<ReturnType<typeof admittingApp>>,
    meanwhile: (token: string) => Promise<unknown>,
  ) {
    const { t } = slow
    const { id: tenantId, users } = t.tenants.home
    const token = await t.startSession({ tenantId, userId: users.operator.id, role: 'operator' })
    const { body: session } = await t.withSession(token).get<{ csrfToken: string }>('/session')
    const credentials = [
      `Origin: ${WEB_ORIGIN}`,
      `Cookie: prospect_session=${token}`,
      `X-CSRF-Token: ${session.csrfToken}`,
    ]
    return sendSlowlyWith(slow, credentials, () => meanwhile(token))
  }

  async function sendSlowlyWith(
    { t, admitted }: Awaited<ReturnType<typeof admittingApp>>,
    credentials: readonly string[],
    meanwhile: () => Promise<unknown>,
  ) {
    const socket = await connected(t.app)
    const headers = [
      'POST /api/v1/businesses HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      ...credentials,
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
    ]
    socket.write(`${headers.join('\r\n')}\r\n\r\n`)
    await admitted
    await meanwhile()
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 600)
    socket.write(BODY)
    return answerOf(socket)
  }

  test('is accepted of a person who is still signed in', async () => {
    const slow = await admittingApp()
    expect(await sendSlowly(slow, async () => undefined)).toMatchObject({ status: 201, body: { name: 'Sent slowly' } })
  })

  test('is refused when the session ended meanwhile, and nothing is written', async () => {
    const slow = await admittingApp()
    const { t } = slow
    const answer = await sendSlowly(slow, (token) => t.withSession(token).delete('/session'))
    expect(answer).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
    const { body } = await (await t.as('viewer')).get('/businesses')
    expect(body).toMatchObject({ items: [] })
  })

  test('is refused when its access token was revoked meanwhile, and nothing is written', async () => {
    const slow = await admittingApp()
    const { t } = slow
    const { secret, id } = await createTestToken(t)
    const operator = await t.as('operator')
    const credentials = [`Authorization: Bearer ${secret}`]
    const answer = await sendSlowlyWith(slow, credentials, () => operator.delete(`/tokens/${id}`))
    expect(answer).toMatchObject({ status: 401, body: { code: 'token_invalid' } })
    expect(answer.head).toMatch(/www-authenticate: Bearer .*revoked/i)
    expect((await operator.get('/businesses')).body).toMatchObject({ items: [] })
  })

  test('is refused when the role no longer permits it', async () => {
    const slow = await admittingApp()
    const { t } = slow
    const { id: tenantId, users } = t.tenants.home
    const answer = await sendSlowly(slow, () =>
      t.store.write('upkeep', async (db) => {
        const membership = db.updateTable('memberships').set({ role: 'viewer' })
        await membership.where('tenant_id', '=', tenantId).where('user_id', '=', users.operator.id).execute()
        return { keep: true, value: undefined }
      }),
    )
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  })

  test('is refused when the session switched to another tenant', async () => {
    const slow = await admittingApp()
    const { t } = slow
    const { other } = t.tenants
    const answer = await sendSlowly(slow, () =>
      t.store.write('upkeep', async (db) => {
        const { operator } = t.tenants.home.users
        const joined = { tenant_id: other.id, user_id: operator.id, role: 'operator', status: 'active' } as const
        await db
          .insertInto('memberships')
          .columns(['tenant_id', 'user_id', 'role', 'status', 'created_at', 'updated_at'])
          .values({ ...joined, created_at: t.clock().toISOString(), updated_at: t.clock().toISOString() })
          .execute()
        await db.updateTable('sessions').set({ tenant_id: other.id }).where('user_id', '=', operator.id).execute()
        return { keep: true, value: undefined }
      }),
    )
    expect(answer).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
  })

  test('has a limit: half an hour for a whole request, a minute for its headers', async () => {
    const { app } = await buildTestApp()
    expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([1_800_000, 60_000])
  })
})

describe('a body that the client aborts', () => {
  /**
   * Returns the log lines about a request whose body ends early, because its connection ends or is reset while the body is read or after the
   * response.
   */
  async function linesOf(line: string, how: string, { answered = false, isSignedIn = false } = {}) {
    let read = () => {}
    const reading = new Promise<void>((resolve) => {
      read = resolve
    })
    const onRoute = (route: RouteOptions) => {
      route.preParsing = (_request, _reply, payload, done) => {
        read()
        done(null, payload)
      }
    }
    const t = await buildTestApp({ onRoute })
    const { id: tenantId, users } = t.tenants.home
    const token = await t.startSession({ tenantId, userId: users.operator.id, role: 'operator' })
    const { body: session } = await t.withSession(token).get<{ csrfToken: string }>('/session')
    const socket = await connected(t.app)
    const before = t.logged().length
    const closed = new Promise<void>((resolve) =>
      t.app.server.once('request', ({ socket: it }) => it.once('close', resolve)),
    )
    socket.on('error', () => {})
    const own = [`Cookie: prospect_session=${token}`, `X-CSRF-Token: ${session.csrfToken}`]
    const type = line.endsWith('csv-previews') ? 'text/csv' : 'application/json'
    const head = [`${line} HTTP/1.1`, 'Host: localhost', 'Content-Length: 100', `Content-Type: ${type}`]
    socket.write([...head, ...(isSignedIn ? own : []), '', '{"email":"jan@karoo.example'].join('\r\n'))
    await (answered ? once(socket, 'data') : reading)
    if (how === 'end') socket.end()
    else socket.resetAndDestroy()
    await closed
    await t.app.close()
    const logged = t.logged().slice(before).trim().split('\n')
    return logged.map((text): Record<string, unknown> => JSON.parse(text))
  }

  test.each([
    ['end', '/session', {}],
    ['reset', '/session', {}],
    ['end', '/businesses', { isSignedIn: true }],
    ['reset', '/businesses', { isSignedIn: true }],
    ['end', '/csv-previews', { isSignedIn: true }],
    ['reset', '/csv-previews', { isSignedIn: true }],
  ])('by an %s, while %s reads it, is one line without a stack or its content', async (how, path, options) => {
    const lines = await linesOf(`POST /api/v1${path}`, how, options)
    expect(lines).toMatchObject([
      { level: 30, method: 'POST', route: `/api/v1${path}`, msg: 'the client aborted while sending the body' },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/stack|karoo/)
  })

  test.each([
    ['end', '/businesses'],
    ['reset', '/businesses'],
    ['end', '/csv-previews'],
    ['reset', '/csv-previews'],
  ])('without a session, by an %s, once %s refused it, is the line of that response', async (how, path) => {
    const lines = await linesOf(`POST /api/v1${path}`, how, { answered: true })
    expect(lines).toMatchObject([{ level: 30, method: 'POST', status: 401, msg: 'answered' }])
  })
})
