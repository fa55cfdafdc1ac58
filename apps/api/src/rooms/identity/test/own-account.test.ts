import { describe, expect, test } from 'vitest'
import { buildTestApp, TEST_PASSWORD } from '../../../../test/build-app.ts'
import { codeOf, enrolApp, HOME_ADMINISTRATOR, HOME_OPERATOR, lastEvent, personAt } from '../../../../test/person.ts'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import type { OwnSession } from '../accounts/users.schema.ts'
import { findCredentialsOfUser } from '../identity.queries.ts'
import type { Session } from '../identity.schema.ts'
import { hashPassword } from '../passwords/passwords.ts'

const MINUTE_MS = 60_000
const CHOSEN = 'thirteen quiet lanterns'

async function operatorTwice() {
  const t = await buildTestApp()
  const here = personAt(t, { address: '10.1.1.1', agent: 'Laptop' })
  const there = personAt(t, { address: '10.2.2.2', agent: 'Phone' })
  await here.signIn(HOME_OPERATOR)
  t.clock.advance(MINUTE_MS / 2)
  await there.signIn(HOME_OPERATOR)
  return { t, here, there }
}

describe('one’s own sessions', () => {
  test('are listed with device, address, times and assurance, this one marked', async () => {
    const { t, here } = await operatorTwice()
    const { body } = await here.get<ListPage<OwnSession>>('/sessions')
    expect(body.items).toMatchObject([
      { current: false, address: '10.2.2.2', agent: 'Phone', assurance: 'password', tenant: { name: 'Home' } },
      { current: true, address: '10.1.1.1', agent: 'Laptop', assurance: 'password' },
    ])
    expect(body.page).toMatchObject({ returned: 2, total: { value: 2 } })
    const first = await here.get<ListPage<OwnSession>>('/sessions?limit=1')
    const second = await here.get<ListPage<OwnSession>>(`/sessions?limit=1&cursor=${first.body.page.nextCursor}`)
    expect(second.body.items[0]?.agent).toBe('Laptop')
    expect(JSON.stringify(body)).not.toContain(t.tenants.other.id)
    // Only this session is used again, so the other one exceeds its idle timeout and is no longer listed.
    t.clock.advance(7 * 60 * MINUTE_MS)
    await here.get('/roles')
    await t.store.writes.idle()
    t.clock.advance(60 * MINUTE_MS)
    expect((await here.get<ListPage<OwnSession>>('/sessions')).body).toMatchObject({
      items: [{ current: true, agent: 'Laptop' }],
      page: { total: { value: 1 } },
    })
  })

  test('are revoked one by one: a stolen cookie is then invalid', async () => {
    const { t, here, there } = await operatorTwice()
    const stolen = there.token()
    const { body } = await there.get<Session>('/session')
    expect((await here.delete(`/sessions/${body.sessionId}`)).status).toBe(204)
    const changes = await t.changes(async () => {
      expect(await t.withSession(stolen).get('/session')).toMatchObject({ status: 401 })
      expect(await t.withSession(stolen).post('/businesses', { name: 'No' })).toMatchObject({ status: 401 })
    })
    // The repeated attempts are recorded in the audit once, and nothing else changed.
    expect(changes).toEqual({ audit_events: 1, spent_tokens: 0 })
    const refused = await lastEvent(t, 'session.refuse')
    expect(refused).toMatchObject({ actor: 'sign-in', subject_id: t.tenants.home.users.operator.id })
    expect(refused?.after_json).toContain(body.sessionId)
    expect((await here.delete(`/sessions/${body.sessionId}`)).status).toBe(404)
    const revoked = await lastEvent(t, 'session.revoke')
    expect(revoked).toMatchObject({ subject_id: body.sessionId })
    expect(JSON.parse(revoked?.after_json ?? '')).toEqual({ address: '10.1.1.1', agent: 'Laptop' })
  })

  test('report a cookie that a fresh proof replaced: its use is recorded in the audit', async () => {
    const { t, here } = await operatorTwice()
    const copied = here.token()
    expect((await here.post('/session/mfa', { password: TEST_PASSWORD })).status).toBe(200)
    expect(here.token()).not.toBe(copied)
    const changes = await t.changes(async () => {
      for (let times = 0; times < 3; times++) expect((await t.withSession(copied).get('/session')).status).toBe(401)
    })
    expect(changes).toEqual({ audit_events: 1, spent_tokens: 0 })
    expect(await lastEvent(t, 'session.refuse')).toMatchObject({ subject_id: t.tenants.home.users.operator.id })
    expect((await here.get('/session')).status).toBe(200)
  })

  test('are revoked all but this one', async () => {
    const { t, here, there } = await operatorTwice()
    expect((await here.delete('/sessions')).body).toEqual({ ended: 1 })
    const revoked = await lastEvent(t, 'session.revoke')
    expect(JSON.parse(revoked?.after_json ?? '')).toEqual({ address: '10.1.1.1', agent: 'Laptop', ended: 1 })
    expect((await here.get('/session')).status).toBe(200)
    expect((await there.get('/session')).status).toBe(401)
    expect((await here.delete('/sessions')).body).toEqual({ ended: 0 })
  })

  test('of another person are not found', async () => {
    const { t, here } = await operatorTwice()
    const viewer = personAt(t)
    const { body } = await viewer.signIn('viewer@home.example')
    expect((await here.delete(`/sessions/${body.sessionId}`)).status).toBe(404)
    expect((await viewer.get('/session')).status).toBe(200)
  })
})

describe('a dangerous action', () => {
  test('requires a recent password if there is no factor, within a quarter of an hour', async () => {
    const t = await buildTestApp()
    const administrator = personAt(t)
    await administrator.signIn(HOME_ADMINISTRATOR)
    const invite = () => administrator.post<Problem>('/users', { email: 'a@b.example', name: 'A', role: 'viewer' })
    t.clock.advance(15 * MINUTE_MS - 1)
    expect((await invite()).status).toBe(201)
    t.clock.advance(1)
    expect(await invite()).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    const before = administrator.token()
    expect((await administrator.post('/session/mfa', { password: 'not it at all' })).status).toBe(422)
    // Replaces the hash after it was checked and before it is consumed.
    const { write } = t.store
    const keep = (password_hash: string) =>
      write('accounts', async (db) => {
        const ofAdministrator = db.updateTable('users').set({ password_hash })
        await ofAdministrator.where('id', '=', t.tenants.home.users.administrator.id).execute()
        return { keep: true, value: undefined }
      })
    const hash = (await findCredentialsOfUser(t.store.reader, t.tenants.home.users.administrator.id))?.passwordHash
    t.store.write = async (...given) => {
      t.store.write = write
      await keep('of another password')
      return write(...given)
    }
    expect((await administrator.post('/session/mfa', { password: TEST_PASSWORD })).status).toBe(422)
    await keep(hash ?? '')
    const { status, body } = await administrator.post<Session>('/session/mfa', { password: TEST_PASSWORD })
    expect([status, body.assurance, body.stepUp.method]).toEqual([200, 'password', 'password'])
    expect(administrator.token()).not.toBe(before)
    expect((await t.withSession(before).get('/session')).status).toBe(401)
    expect((await invite()).status).toBe(201)
  })

  test('requires the second factor if there is one; the password is not enough', async () => {
    const t = await buildTestApp()
    const administrator = personAt(t)
    await administrator.signIn(HOME_ADMINISTRATOR)
    const { secret } = await enrolApp(t, administrator)
    t.clock.advance(15 * MINUTE_MS)
    expect((await administrator.get<Session>('/session')).body.stepUp).toEqual({
      method: 'second_factor',
      freshUntil: null,
    })
    expect((await administrator.post('/session/mfa', { password: TEST_PASSWORD })).status).toBe(422)
    const invite = () => administrator.post('/users', { email: 'a@b.example', name: 'A', role: 'viewer' })
    expect((await invite()).status).toBe(403)
    expect((await administrator.post('/session/mfa', { code: codeOf(t, secret) })).status).toBe(200)
    expect((await invite()).status).toBe(201)
  })
})

describe('changing the password', () => {
  const change = { currentPassword: TEST_PASSWORD, newPassword: CHOSEN }

  test('ends the other sessions, replaces the cookie of this one, and accepts only the new password', async () => {
    const { t, here, there } = await operatorTwice()
    const before = here.token()
    expect((await here.post('/password', change)).status).toBe(200)
    expect(here.token()).not.toBe(before)
    expect((await there.get('/session')).status).toBe(401)
    expect((await personAt(t).signIn(HOME_OPERATOR)).status).toBe(401)
    expect((await personAt(t).signIn(HOME_OPERATOR, CHOSEN)).status).toBe(201)
    const events = await t.store.reader.selectFrom('audit_events').select(['action', 'after_json']).execute()
    expect(events.map(({ action }) => action)).toContain('password.change')
    for (const secret of [TEST_PASSWORD, CHOSEN, 'argon2id']) {
      expect(JSON.stringify(events)).not.toContain(secret)
      expect(t.logged()).not.toContain(secret)
    }
  })

  test('with a wrong current password is refused, audited, and delayed after too many', async () => {
    const { t, here } = await operatorTwice()
    const wrong = { ...change, currentPassword: 'something else here' }
    const changes = await t.changes(async () => {
      expect(await here.post('/password', wrong)).toMatchObject({ status: 422, body: { code: 'password_incorrect' } })
    })
    expect(changes).toEqual({ audit_events: 1 })
    for (let i = 0; i < 4; i++) await here.post('/password', wrong)
    expect((await here.post('/password', change)).status).toBe(429)
  })

  test.each([
    ['short', 'eleven char'],
    ['common', 'iloveyou2026!!'],
    ['the address', `${HOME_OPERATOR} it is`],
    ['the present one', TEST_PASSWORD],
  ])('to an unacceptable one (%s) is refused at its field', async (_what, newPassword) => {
    const { t, here } = await operatorTwice()
    const changes = await t.changes(async () => {
      const { status, body } = await here.post<Problem>('/password', { ...change, newPassword })
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([400, 'newPassword', 'weak_password'])
    })
    expect(changes).toEqual({})
  })

  test('is the only permitted action of a person who must', async () => {
    const t = await buildTestApp()
    await (await writerOf(t.store))
      .updateTable('users')
      .set({ must_change_password: 1 })
      .where('email', '=', HOME_OPERATOR)
      .execute()
    const person = personAt(t)
    expect((await person.signIn(HOME_OPERATOR)).body).toMatchObject({
      hold: 'password_change',
      mustChangePassword: true,
    })
    for (const path of ['/businesses', '/sessions', '/mfa']) {
      expect(await person.get(path)).toMatchObject({ status: 403, body: { code: 'password_change_required' } })
    }
    expect((await person.post<Session>('/password', change)).body).toMatchObject({ hold: null })
    expect((await person.get('/businesses')).status).toBe(200)
  })
})

describe('a hash of another cost', () => {
  async function withOlderHash() {
    const t = await buildTestApp()
    const older = await hashPassword(TEST_PASSWORD, { memoryKib: 8_192, passes: 1, lanes: 1 })
    await (await writerOf(t.store))
      .updateTable('users')
      .set({ password_hash: older })
      .where('email', '=', HOME_OPERATOR)
      .execute()
    const users = t.store.reader.selectFrom('users').select('password_hash').where('email', '=', HOME_OPERATOR)
    return { t, older, hashOf: async () => (await users.executeTakeFirst())?.password_hash }
  }

  test('is replaced at sign-in, and only then', async () => {
    const { t, older, hashOf } = await withOlderHash()
    expect((await personAt(t).signIn(HOME_OPERATOR, 'wrong words all of them')).status).toBe(401)
    expect(await hashOf()).toBe(older)
    expect((await personAt(t).signIn(HOME_OPERATOR)).status).toBe(201)
    const renewed = await hashOf()
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await lastEvent(t, 'password.rehash')).toMatchObject({ subject_id: t.tenants.home.users.operator.id })
    expect((await personAt(t).signIn(HOME_OPERATOR)).status).toBe(201)
    expect(await hashOf()).toBe(renewed)
  })

  test('stays, without an event, when it was replaced in between', async () => {
    const { t, hashOf } = await withOlderHash()
    const other = await hashPassword(CHOSEN, { memoryKib: 8_192, passes: 1, lanes: 1 })
    const { write } = t.store
    let writes = 0
    t.store.write = async (...given) => {
      writes += 1
      // Replaces the hash before the second write, which writes the renewed hash. The first write is the session.
      if (writes === 2)
        await write('accounts', async (db) => {
          await db.updateTable('users').set({ password_hash: other }).where('email', '=', HOME_OPERATOR).execute()
          return { keep: true, value: undefined }
        })
      return write(...given)
    }
    expect((await personAt(t).signIn(HOME_OPERATOR)).status).toBe(201)
    expect(writes).toBe(2)
    expect(await hashOf()).toBe(other)
    expect(await lastEvent(t, 'password.rehash')).toBeUndefined()
  })
})

describe('a request that another site makes the browser send', () => {
  test.each(['cross-site', 'same-site', 'anything'])('is refused when Fetch Metadata says %s', async (site) => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const changes = await t.changes(async () => {
      const answer = await operator.post('/businesses', { name: 'No' }, { 'sec-fetch-site': site, origin: undefined })
      expect(answer).toMatchObject({ status: 403, body: { code: 'csrf_token_invalid' } })
      const visitor = t.visitor()
      const credentials = { email: HOME_OPERATOR, password: TEST_PASSWORD }
      expect((await visitor.post('/session', credentials, { 'sec-fetch-site': site })).status).toBe(403)
    })
    expect(changes).toEqual({})
  })

  test('is distinguished from a request of an own page', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const headers = { 'sec-fetch-site': 'same-origin' }
    expect((await operator.post('/businesses', { name: 'Yes' }, headers)).status).toBe(201)
  })
})
