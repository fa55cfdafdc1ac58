import { parseSetCookie } from 'cookie'
import { describe, expect, test } from 'vitest'
import { buildTestApp, TEST_PASSWORD, type TestApp } from '../../../../test/build-app.ts'
import { beforeTheNextWrite, HOME_OPERATOR, lastEvent, personAt } from '../../../../test/person.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { sha256 } from '../../../lib/hashing.ts'
import type { Session } from '../identity.schema.ts'
import { OF_ONE_SOURCE } from '../limits/sign-in-limits.ts'

const EMAIL = 'operator@home.example'
const credentials = { email: EMAIL, password: TEST_PASSWORD }
const wrong = { email: EMAIL, password: 'not the right words at all' }

function cookieOf(headers: Record<string, unknown>) {
  const [cookie] = [headers['set-cookie']]
    .flat()
    .map((header) => parseSetCookie(String(header)))
    .filter((parsed) => parsed?.name.endsWith('prospect_session'))
  return { ...cookie, value: cookie?.value ?? '' }
}

async function disable(t: TestApp, email: string): Promise<void> {
  const db = await writerOf(t.store)
  await db.updateTable('users').set({ status: 'disabled' }).where('email', '=', email).execute()
}

describe('signing in', () => {
  test('returns the session and writes one session and one audit event', async () => {
    const t = await buildTestApp()
    const { home } = t.tenants
    const changes = await t.changes(async () => {
      const { status, body, headers } = await t.visitor().post<Session>('/session', credentials)
      expect(status).toBe(201)
      expect(headers.location).toBe('/api/v1/session')
      expect(body).toEqual({
        user: home.users.operator,
        tenant: { id: home.id, name: 'Home', timeZone: 'Africa/Johannesburg', country: 'ZA', locale: 'en-ZA' },
        tenants: [{ id: home.id, name: 'Home', role: 'operator' }],
        role: 'operator',
        permissions: expect.arrayContaining(['businesses.read', 'pipeline.move']),
        csrfToken: expect.stringMatching(/^[\w-]{43}$/),
        sessionId: expect.any(String),
        assurance: 'password',
        hold: null,
        mustChangePassword: false,
        secondFactor: { enrolled: false, required: false, methods: [], verifiedAt: null },
        stepUp: { method: 'password', freshUntil: '2026-11-21T08:15:00.000Z' },
        idleExpiresAt: '2026-11-21T16:00:00.000Z',
        expiresAt: '2026-11-28T08:00:00.000Z',
      })
    })
    expect(changes).toEqual({ audit_events: 1, memberships: 0, sessions: 1 })
  })

  test('is audited as an act of the signed-in person, with the id of the session', async () => {
    const t = await buildTestApp()
    await t.visitor().post('/session', credentials, { 'user-agent': `é${'x'.repeat(400)}` })
    const session = await t.store.reader.selectFrom('sessions').select(['id', 'tenant_id']).executeTakeFirstOrThrow()
    const event = await t.store.reader
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'session.start')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      tenant_id: session.tenant_id,
      actor: t.tenants.home.users.operator.id,
      subject_type: 'session',
      subject_id: session.id,
      after_json: expect.stringContaining(`"agent":"?${'x'.repeat(299)}"`),
    })
  })

  test('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const t = await buildTestApp()
    const { headers } = await t.visitor().post('/session', credentials)
    expect(cookieOf(headers)).toEqual({
      name: 'prospect_session',
      value: expect.stringMatching(/^[\w-]{43}$/),
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      maxAge: 7 * 24 * 3_600,
    })
  })

  test('over TLS sets a cookie that is bound to this host and never sent unencrypted', async () => {
    const t = await buildTestApp({ config: { environment: 'production' } })
    const { headers } = await t.visitor().post('/session', credentials)
    expect(cookieOf(headers)).toMatchObject({
      name: '__Host-prospect_session',
      secure: true,
      path: '/',
      httpOnly: true,
    })
    expect(cookieOf(headers)).not.toHaveProperty('domain')
    const browser = t.withSession(cookieOf(headers).value)
    expect((await browser.get('/session')).status).toBe(200)
  })

  test('stores the hash of the cookie and never the cookie, in the store or in the log', async () => {
    const t = await buildTestApp()
    const { headers } = await t.visitor().post('/session', credentials)
    const token = cookieOf(headers).value
    const session = await t.store.reader.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
    const events = await t.store.reader.selectFrom('audit_events').selectAll().execute()
    expect(session.token_hash).toBe(sha256(token))
    expect(JSON.stringify([session, events])).not.toContain(token)
    expect(t.logged()).not.toContain(token)
  })

  test('logs neither the email address nor the password, right or wrong', async () => {
    const t = await buildTestApp()
    await t.visitor().post('/session', credentials)
    await t.visitor().post('/session', wrong)
    await t.visitor().post('/session', { ...wrong, password: 5 })
    for (const secret of [EMAIL, TEST_PASSWORD, wrong.password]) expect(t.logged()).not.toContain(secret)
  })

  test.each([
    ['capitals', 'OPERATOR@Home.Example'],
    ['spaces around it', '  operator@home.example '],
  ])('accepts the email address with %s', async (_what, email) => {
    const t = await buildTestApp()
    expect((await t.visitor().post('/session', { ...credentials, email })).status).toBe(201)
  })

  test('over a session ends that one and begins another', async () => {
    const t = await buildTestApp()
    const token = await t.startSession({
      tenantId: t.tenants.home.id,
      userId: t.tenants.home.users.viewer.id,
      role: 'viewer',
    })
    const changes = await t.changes(async () => {
      const { headers } = await t.withSession(token).post('/session', credentials)
      expect(cookieOf(headers).value).not.toBe(token)
    })
    expect(changes).toEqual({ audit_events: 2, memberships: 0, sessions: 0, spent_tokens: 1 })
    expect((await t.withSession(token).get('/session')).status).toBe(401)
  })

  test('that fails keeps the existing session', async () => {
    const t = await buildTestApp()
    const viewer = await t.as('viewer')
    expect((await viewer.post('/session', wrong)).status).toBe(401)
    expect((await viewer.get('/session')).status).toBe(200)
  })

  test('deletes expired sessions', async () => {
    const t = await buildTestApp()
    await t.as('viewer')
    t.clock.advance(8 * 24 * 3_600_000)
    expect(await t.changes(() => t.visitor().post('/session', credentials))).toEqual({
      audit_events: 1,
      memberships: 0,
      sessions: 0,
      spent_tokens: 1,
    })
  })

  test('deletes records of ended sessions a week after their end, and no sooner', async () => {
    const t = await buildTestApp()
    const keptAfterSignIn = async () => {
      expect((await t.visitor().post('/session', credentials)).status).toBe(201)
      return (await t.store.reader.selectFrom('spent_tokens').select('token_hash').execute()).length
    }
    expect((await (await t.as('viewer')).delete('/session')).status).toBe(204)
    t.clock.advance(14 * 24 * 3_600_000 - 1)
    expect(await keptAfterSignIn()).toBe(1)
    t.clock.advance(1)
    expect(await keptAfterSignIn()).toBe(0)
  })

  test('in several tenants begins in that of the oldest membership', async () => {
    const t = await buildTestApp()
    const { home, other } = t.tenants
    const at = '2026-01-01T00:00:00.000Z'
    await (await writerOf(t.store))
      .insertInto('memberships')
      .values({ tenant_id: other.id, user_id: home.users.operator.id, role: 'viewer', created_at: at })
      .execute()
    const { body } = await t.visitor().post<Session>('/session', credentials)
    expect(body).toMatchObject({ tenant: { id: other.id }, role: 'viewer' })
    expect(body.tenants.map(({ name, role }) => [name, role])).toEqual([
      ['Home', 'operator'],
      ['Other', 'viewer'],
    ])
  })
})

describe('a refused sign-in', () => {
  test('gets the same response for a wrong password, an unknown account, a disabled user and one without a tenant', async () => {
    const t = await buildTestApp()
    await disable(t, 'manager@home.example')
    await (await writerOf(t.store))
      .deleteFrom('memberships')
      .where('user_id', '=', t.tenants.home.users.viewer.id)
      .execute()
    const changes = await t.changes(async () => {
      const answers = await Promise.all(
        [
          wrong,
          { email: 'nobody@home.example', password: TEST_PASSWORD },
          { email: 'manager@home.example', password: TEST_PASSWORD },
          { email: 'viewer@home.example', password: TEST_PASSWORD },
        ].map((body) => t.visitor().post('/session', body)),
      )
      for (const { status, body, headers } of answers) {
        expect(status).toBe(401)
        expect(headers).not.toHaveProperty('set-cookie')
        expect(body).toEqual({
          type: 'urn:prospect-platform:problem:invalid_credentials',
          title: 'Sign-in failed',
          status: 401,
          detail: 'The email address or the password is incorrect.',
          code: 'invalid_credentials',
          requestId: expect.any(String),
        })
      }
    })
    expect(changes).toEqual({ audit_events: 2, unknown_attempts: 2 })
  })

  test.each([
    ['no password', { email: EMAIL }],
    ['an unknown property', { ...credentials, remember: true }],
    ['a password that is no text', { email: EMAIL, password: 5 }],
    ['an empty address', { ...credentials, email: '' }],
    ['a password of a megabyte', { ...credentials, password: 'a'.repeat(100_000) }],
  ])('with %s is 400 and writes nothing', async (_what, body) => {
    const t = await buildTestApp()
    const changes = await t.changes(async () => {
      expect(await t.visitor().post('/session', body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    })
    expect(changes).toEqual({})
  })

  test('of an unknown account is stored among the newest ten thousand', async () => {
    const t = await buildTestApp()
    const kept = () => t.store.reader.selectFrom('unknown_attempts').select('id').orderBy('id').execute()
    for (const id of [1, 2, 10_000])
      await (await writerOf(t.store)).insertInto('unknown_attempts').values({ id, at: '', tried: 'password' }).execute()
    await t.visitor().post('/session', { email: 'nobody@home.example', password: TEST_PASSWORD })
    expect((await kept()).map(({ id }) => id)).toEqual([2, 10_000, 10_001])
  })

  test('from another site is refused', async () => {
    const t = await buildTestApp()
    const changes = await t.changes(async () => {
      for (const headers of [
        { origin: 'https://elsewhere.example' },
        { 'sec-fetch-site': 'cross-site' },
        // A page of another host of the same domain counts as a foreign page.
        { 'sec-fetch-site': 'same-site' },
      ]) {
        const answer = await t.visitor().post('/session', credentials, headers)
        expect(answer).toMatchObject({ status: 403, body: { code: 'csrf_token_invalid' } })
      }
    })
    expect(changes).toEqual({})
  })
})

describe('too many failures', () => {
  const { free, firstMs, maxMs } = OF_ONE_SOURCE

  test('get 429 with a growing time to wait, even with the right password, from that address only', async () => {
    const t = await buildTestApp()
    const guesser = t.visitor('10.0.0.66')
    const guesses = Array.from({ length: free + 2 }, () => guesser.post('/session', wrong))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(free)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)

    const refused = await guesser.post('/session', credentials)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers['retry-after']).toBe(String(firstMs / 1_000))
    expect((await t.visitor('10.0.0.7').post('/session', credentials)).status).toBe(201)

    t.clock.advance(firstMs)
    expect((await guesser.post('/session', wrong)).status).toBe(401)
    expect((await guesser.post('/session', wrong)).headers['retry-after']).toBe(String((2 * firstMs) / 1_000))
    t.clock.advance(maxMs)
    expect((await guesser.post('/session', credentials)).status).toBe(201)
  })

  test('are reset by a successful sign-in', async () => {
    const t = await buildTestApp()
    const forgetful = t.visitor('10.0.0.66')
    for (let i = 1; i < free; i++) await forgetful.post('/session', wrong)
    expect((await forgetful.post('/session', credentials)).status).toBe(201)
    for (let i = 1; i < free; i++) expect((await forgetful.post('/session', wrong)).status).toBe(401)
  })

  test('never delay a device on which the owner has signed in before, from any address', async () => {
    const t = await buildTestApp()
    const { headers } = await t.visitor('10.0.0.7').post('/session', credentials)
    const device = [headers['set-cookie']].flat().find((cookie) => String(cookie).startsWith('prospect_device='))
    const cookie = String(device).split(';')[0] ?? ''
    for (let i = 0; i < free; i++) await t.visitor('10.0.0.7').post('/session', wrong)
    expect((await t.visitor('10.0.0.7').post('/session', credentials)).status).toBe(429)
    expect((await t.visitor('10.0.0.7').post('/session', credentials, { cookie })).status).toBe(201)
    const other = { ...credentials, email: 'viewer@home.example' }
    for (let i = 0; i < free; i++) await t.visitor('10.0.0.7').post('/session', { ...wrong, email: other.email })
    expect((await t.visitor('10.0.0.7').post('/session', other, { cookie })).status).toBe(429)
  })

  test('are counted for unknown accounts as for known ones', async () => {
    const t = await buildTestApp()
    const guess = () => t.visitor().post('/session', { email: 'nobody@home.example', password: 'whatever it may be' })
    for (let i = 0; i < free; i++) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })
})

test('signing in with the old password fails when it is changed meanwhile', async () => {
  const t = await buildTestApp()
  const owner = personAt(t)
  await owner.signIn(HOME_OPERATOR)
  const change = { currentPassword: TEST_PASSWORD, newPassword: 'thirteen quiet lanterns' }
  beforeTheNextWrite(t, () => owner.post('/password', change))
  const late = await personAt(t, { address: '10.9.9.9' }).signIn(HOME_OPERATOR)
  expect([late.status, late.body]).toMatchObject([401, { code: 'invalid_credentials' }])
  expect((await lastEvent(t, 'session.fail'))?.after_json).toContain('10.9.9.9')
})

test('signing in fails for a user who is disabled meanwhile', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const path = `/users/${t.tenants.home.users.operator.id}`
  const { body } = await administrator.get<{ version: number }>(path)
  beforeTheNextWrite(t, () => administrator.patch(path, { status: 'disabled' }, { 'if-match': `"${body.version}"` }))
  expect((await personAt(t).signIn(HOME_OPERATOR)).status).toBe(401)
})
