import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildTestApp, type TestApp, WEB_ORIGIN } from '../../../../test/build-app.ts'
import { lastEvent } from '../../../../test/person.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import type { Limits } from '../../limits/limits.schema.ts'
import type { Session } from '../identity.schema.ts'
import { sessionLimit } from '../sessions/sessions.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const operatorOf = ({ home }: TestApp['tenants']) => ({
  tenantId: home.id,
  userId: home.users.operator.id,
  role: 'operator' as const,
})

/** Creates an app in which the operator of Home is also a viewer of Other. */
async function appWithTwoMemberships() {
  const t = await buildTestApp()
  await (await writerOf(t.store))
    .insertInto('memberships')
    .values({
      tenant_id: t.tenants.other.id,
      user_id: t.tenants.home.users.operator.id,
      role: 'viewer',
      created_at: '2026-11-21T09:00:00.000Z',
    })
    .execute()
  return t
}

describe('a session', () => {
  test('is required by every closed route', async () => {
    const t = await buildTestApp()
    expect(await t.visitor().get('/session')).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
    expect((await t.withSession('A'.repeat(43)).get('/session')).status).toBe(401)
  })

  test('idles out after eight hours without a request', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    t.clock.advance(8 * HOUR_MS - 1)
    expect((await operator.get('/session')).status).toBe(200)
    await t.store.writes.idle()
    t.clock.advance(8 * HOUR_MS)
    expect((await operator.get('/session')).status).toBe(401)
  })

  test('that is used stays alive, and writes its use at most once a minute', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    t.clock.advance(MINUTE_MS - 1)
    expect(await t.changes(() => operator.get('/session'))).toEqual({})
    t.clock.advance(1)
    expect(await t.changes(() => Promise.all([operator.get('/session'), operator.get('/session')]))).toEqual({
      sessions: 0,
    })
    expect(await t.changes(() => operator.get('/session'))).toEqual({})
    const { body } = await operator.get<Session>('/session')
    expect(body.idleExpiresAt).toBe('2026-11-21T16:01:00.000Z')
  })

  test('ends after seven days of any use', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    for (let hour = 0; hour < 7 * 24 - 1; hour++) {
      t.clock.advance(HOUR_MS)
      expect((await operator.get('/roles')).status).toBe(200)
      await t.store.writes.idle()
    }
    const { body } = await operator.get<Session>('/session')
    expect(body.idleExpiresAt).toBe(body.expiresAt)
    t.clock.advance(HOUR_MS)
    expect((await operator.get('/session')).status).toBe(401)
  })

  test('that is used by a clock that was set back has its idle timeout from then on', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    t.clock.advance(6 * HOUR_MS)
    await operator.get('/session')
    await t.store.writes.idle()
    t.clock.advance(-5 * HOUR_MS)
    await operator.get('/session')
    await t.store.writes.idle()
    expect((await operator.get<Session>('/session')).body.idleExpiresAt).toBe('2026-11-21T17:00:00.000Z')
  })

  test.each([
    [
      'began by a clock that was set back since',
      'clock_set_back',
      async ({ clock }: TestApp) => clock.advance(-HOUR_MS),
    ],
    ['idled out', 'idle', async ({ clock }: TestApp) => clock.advance(8 * HOUR_MS)],
    [
      'ended while it was used',
      'absolute',
      async ({ clock, store, as }: TestApp) => {
        for (let hours = 0; hours < 7 * 24; hours += 7) {
          expect((await (await as('operator')).get('/roles')).status).toBe(200)
          await store.writes.idle()
          clock.advance(7 * HOUR_MS)
        }
      },
    ],
  ])(
    'that %s is recorded once in the audit when its cookie is sent again, with the account and the origin',
    async (...row) => {
      const [, expired, wait] = row
      const t = await buildTestApp()
      const operator = await t.as('operator')
      const { body } = await operator.get<Session>('/session')
      await wait(t)
      const changes = await t.changes(async () => {
        const many = await Promise.all([operator.get('/session'), operator.post('/businesses', { name: 'No' })])
        expect([...many, await operator.get('/session')].map(({ status }) => status)).toEqual([401, 401, 401])
      })
      expect(changes).toEqual({ audit_events: 1, sessions: -1, spent_tokens: 1 })
      const event = await lastEvent(t, 'session.expire')
      expect(event).toMatchObject({ actor: 'sign-in', subject_id: t.tenants.home.users.operator.id })
      expect(JSON.parse(event?.after_json ?? '')).toEqual({
        address: '127.0.0.1',
        agent: 'lightMyRequest',
        sessionId: body.sessionId,
        expired,
      })
      expect(await lastEvent(t, 'session.refuse')).toBeUndefined()
    },
  )

  test('that is in use is not ended by a forged cookie', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    expect(await t.changes(() => t.withSession('A'.repeat(43)).get('/session'))).toEqual({})
    expect((await operator.get('/session')).status).toBe(200)
  })

  test.each([
    ['its user is disabled', "UPDATE users SET status = 'disabled'", 401],
    ['its membership is disabled', "UPDATE memberships SET status = 'disabled'", 401],
    ['its membership is removed', 'DELETE FROM sessions', 401],
    ['its role loses permissions', "UPDATE memberships SET role = 'viewer'", 403],
    ['a new password is required', 'UPDATE users SET must_change_password = 1', 403],
  ])('that was just used reacts in its next request when %s, by another program', async (_what, text, status) => {
    const t = await buildTestApp()
    const other = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
    onTestFinished(() => void other.close())
    const operator = await t.as('operator')
    expect((await operator.post('/businesses', { name: 'One' })).status).toBe(201)
    expect((await operator.get('/businesses')).status).toBe(200)
    other.exec(text)
    await nextTurn()
    expect((await operator.post('/businesses', { name: 'Two' })).status).toBe(status)
  })

  test('continues when its last use cannot be written, and logs the failure', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    t.clock.advance(MINUTE_MS)
    t.store.write = () => Promise.reject(new Error('the disk is gone'))
    expect((await operator.get('/session')).status).toBe(200)
    await new Promise((turn) => setImmediate(turn))
    expect(t.logged()).toContain('the last use of a session could not be written')
  })

  test('beyond the limit of its person ends the oldest one, in every tenant, with an event', async () => {
    const t = await appWithTwoMemberships()
    const member = operatorOf(t.tenants)
    const elsewhere = { ...member, tenantId: t.tenants.other.id, role: 'viewer' as const }
    const start = (of: typeof member | typeof elsewhere) => t.startSession(of).then(t.withSession)
    const oldest = await start(elsewhere)
    const { sessionId } = (await oldest.get<Session>('/session')).body
    t.clock.advance(MINUTE_MS)
    const others = []
    for (let n = 1; n < sessionLimit.max; n++) others.push(await start(member))
    expect((await oldest.get('/session')).status).toBe(200)
    expect(await lastEvent(t, 'session.revoke')).toBeUndefined()

    const newest = await start(member)
    expect((await oldest.get('/session')).status).toBe(401)
    for (const one of [...others, newest]) expect((await one.get('/session')).status).toBe(200)
    const event = await lastEvent(t, 'session.revoke')
    expect(event).toMatchObject({ tenant_id: t.tenants.home.id, actor: member.userId, subject_id: sessionId })
    expect(JSON.parse(event?.after_json ?? '')).toMatchObject({ limit: 'sessions' })
    expect((await newest.get<Limits>('/limits')).body.items).toContainEqual(
      expect.objectContaining({ name: 'sessions', used: 20, max: 20 }),
    )
    const colleague = await t.as('manager')
    expect((await colleague.get('/session')).status).toBe(200)
  })

  test('that has expired does not count for the limit of its person', async () => {
    const t = await buildTestApp()
    const member = operatorOf(t.tenants)
    for (let n = 0; n < sessionLimit.max; n++) await t.startSession(member)
    t.clock.advance(8 * HOUR_MS)
    await t.startSession(member)
    expect(await lastEvent(t, 'session.revoke')).toBeUndefined()
  })

  test('is never cached', async () => {
    const t = await buildTestApp()
    const { headers } = await (await t.as('operator')).get('/session')
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('signing out', () => {
  test('ends the session permanently, deletes the cookie and is audited', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      const { status, body, headers } = await operator.delete('/session')
      expect({ status, body }).toEqual({ status: 204, body: null })
      expect(headers['set-cookie']).toMatch(/^prospect_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)
    })
    expect(changes).toEqual({ audit_events: 1, sessions: -1, spent_tokens: 1 })
    const { action } = await t.store.reader
      .selectFrom('audit_events')
      .select('action')
      .where('tenant_id', '=', t.tenants.home.id)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(action).toBe('session.end')
    expect((await operator.get('/session')).status).toBe(401)
  })

  test('ends this session and no other of the same person', async () => {
    const t = await buildTestApp()
    const here = t.withSession(await t.startSession(operatorOf(t.tenants)))
    const there = t.withSession(await t.startSession(operatorOf(t.tenants)))
    await here.delete('/session')
    expect((await there.get('/session')).status).toBe(200)
  })
})

describe('a change', () => {
  test.each([
    ['no CSRF token', { 'x-csrf-token': undefined }],
    ['an empty CSRF token', { 'x-csrf-token': '' }],
    ['a made-up CSRF token', { 'x-csrf-token': 'A'.repeat(43) }],
    ['an Origin of another site', { origin: 'https://elsewhere.example' }],
    ['an Origin that only resembles the own one', { origin: `${WEB_ORIGIN}.elsewhere.example` }],
    ['an opaque Origin', { origin: 'null' }],
  ])('with %s is 403 and writes nothing', async (_what, headers) => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      const answer = await operator.delete('/session', undefined, headers)
      expect(answer).toMatchObject({ status: 403, body: { code: 'csrf_token_invalid' } })
    })
    expect(changes).toEqual({})
  })

  test('with the CSRF token of another session is 403', async () => {
    const t = await buildTestApp()
    const { body } = await (await t.as('manager')).get<Session>('/session')
    const answer = await (await t.as('operator')).delete('/session', undefined, { 'x-csrf-token': body.csrfToken })
    expect(answer.status).toBe(403)
  })

  test('without an Origin depends on its CSRF token alone', async () => {
    const t = await buildTestApp()
    expect((await (await t.as('operator')).delete('/session', undefined, { origin: undefined })).status).toBe(204)
  })
})

describe('switching the tenant', () => {
  test('continues in the other one with the role held there, audited there', async () => {
    const t = await appWithTwoMemberships()
    const { other } = t.tenants
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      const { status, body } = await operator.post<Session>('/session/tenant', { tenantId: other.id })
      expect(status).toBe(200)
      expect(body).toMatchObject({ tenant: { id: other.id, name: 'Other' }, role: 'viewer' })
      expect(body.permissions).not.toContain('businesses.write')
    })
    expect(changes).toEqual({ audit_events: 1, memberships: 0, sessions: 0 })
    const event = await t.store.reader
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'session.switch_tenant')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      tenant_id: other.id,
      actor: t.tenants.home.users.operator.id,
      subject_type: 'session',
    })
    expect(JSON.stringify(event)).not.toContain(t.tenants.home.id)
  })

  test('moves this session only: other sessions of the person stay in their tenants', async () => {
    const t = await appWithTwoMemberships()
    const [here, elsewhere] = [await t.as('operator'), t.withSession(await t.startSession(operatorOf(t.tenants)))]
    expect((await here.post('/session/tenant', { tenantId: t.tenants.other.id })).status).toBe(200)
    expect((await elsewhere.get('/session')).body).toMatchObject({ tenant: { name: 'Home' } })
  })

  test('into the current tenant writes nothing', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      const { status, body } = await operator.post('/session/tenant', { tenantId: t.tenants.home.id })
      expect(status).toBe(200)
      expect(body).toMatchObject({ tenant: { name: 'Home' } })
    })
    expect(changes).toEqual({})
  })

  test('into a tenant without membership gets the 404 of a missing tenant', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      const foreign = await operator.post<object>('/session/tenant', { tenantId: t.tenants.other.id })
      const missing = await operator.post<object>('/session/tenant', {
        tenantId: '01a1fbe6-0000-7000-8000-000000000000',
      })
      const malformed = await operator.post<object>('/session/tenant', { tenantId: 'nothing of the kind' })
      expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
      for (const answer of [missing, malformed]) {
        expect(answer.body).toEqual({ ...foreign.body, requestId: expect.any(String) })
      }
    })
    expect(changes).toEqual({})
    expect((await operator.get('/session')).body).toMatchObject({ tenant: { name: 'Home' } })
  })

  test('ignores an Idempotency-Key: the same key moves the session there and back, and is not stored', async () => {
    const t = await appWithTwoMemberships()
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      for (const { id, name } of [t.tenants.other, t.tenants.home, t.tenants.other]) {
        const answer = await operator.post<Session>('/session/tenant', { tenantId: id }, { 'idempotency-key': 'once' })
        expect([answer.status, answer.body.tenant?.name]).toEqual([200, name])
        expect(answer.headers['idempotency-replayed']).toBeUndefined()
      }
    })
    expect(changes).toEqual({ audit_events: 3, memberships: 0, sessions: 0 })
  })

  test('with anything else in the body is 400', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      expect((await operator.post('/session/tenant', {})).status).toBe(400)
      expect(
        (await operator.post('/session/tenant', { tenantId: t.tenants.home.id, role: 'administrator' })).status,
      ).toBe(400)
    })
    expect(changes).toEqual({})
  })
})
