import { describe, expect, test, vi } from 'vitest'
import { buildTestApp, TEST_PASSWORD, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import {
  beforeTheNextWrite,
  enrolApp,
  HOME_OPERATOR,
  lastEvent,
  type Person,
  personAt,
} from '../../../../test/person.ts'
import { createProspect, type ListPage, type Problem } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import type { AuditEvent } from '../../audit/audit.ts'
import { addMembership } from '../accounts/tenants-and-users.ts'
import type { User } from '../accounts/users.schema.ts'
import type { Session, Tenant } from '../identity.schema.ts'
import { resetFactorsByOperator, resetPasswordByOperator } from '../people/operator-resets.ts'

const userAt = (client: TestClient, id: string) => client.get<User>(`/users/${id}`)

async function edit(client: TestClient, id: string, change: Record<string, unknown>) {
  const { body } = await userAt(client, id)
  return client.patch<Omit<User, 'status'> & Problem>(`/users/${id}`, change, { 'if-match': `"${body.version}"` })
}

const patch = (by: TestClient, id: string, seen: string, change: Record<string, unknown>) =>
  by.patch<Problem>(`/users/${id}`, change, { 'if-match': seen })

async function setUp() {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const { users } = t.tenants.home
  return { t, administrator, users }
}

/** Makes the operator of Home a manager of Other too. */
async function share(t: TestApp): Promise<void> {
  const userId = t.tenants.home.users.operator.id
  await addMembership(t.store, 'command line', { tenantId: t.tenants.other.id, userId, role: 'manager' })
}

/** Signs in the operator of Home in two browsers, and switches the second one to Other. */
async function signedInBoth(t: TestApp): Promise<{ here: Person; there: Person }> {
  const [here, there] = [personAt(t), personAt(t)]
  for (const person of [here, there]) await person.signIn(HOME_OPERATOR)
  expect((await enter(there, t.tenants.other.id)).status).toBe(200)
  return { here, there }
}

const enter = (person: Person, tenantId: string) => person.post<Problem & Session>('/session/tenant', { tenantId })

describe('the people of a tenant', () => {
  test('are listed for its administrators with role, status, factors and last sign-in', async () => {
    const { t, administrator, users } = await setUp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    await enrolApp(t, operator)
    const { body } = await administrator.get<ListPage<User>>('/users?limit=3')
    expect(body.items.map(({ name }) => name)).toEqual(['Home administrator', 'Home manager', 'Home operator'])
    expect(body.page).toMatchObject({ nextCursor: expect.any(String), total: { value: 4 } })
    expect(body.items[2]).toEqual({
      id: users.operator.id,
      version: 1,
      email: HOME_OPERATOR,
      name: 'Home operator',
      role: 'operator',
      status: 'active',
      secondFactors: { totp: true, passkeys: 0 },
      hasCompanyAccount: false,
      mustChangePassword: false,
      isShared: false,
      lastSignInAt: '2026-11-21T08:00:00.000Z',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const rest = await administrator.get<ListPage<User>>(`/users?limit=3&cursor=${body.page.nextCursor}`)
    expect(rest.body.items.map(({ name }) => name)).toEqual(['Home viewer'])
  })

  test.each(['manager', 'operator', 'viewer'] as const)('are hidden from a %s', async (role) => {
    const { t, users } = await setUp()
    const client = await t.as(role)
    const id = users.viewer.id
    const changes = await t.changes(async () => {
      for (const ask of [
        client.get('/users'),
        client.get(`/users/${id}`),
        client.post('/users', { email: 'a@b.example', name: 'A', role: 'viewer' }),
        client.patch(`/users/${id}`, { role: 'administrator' }, { 'if-match': '"1"' }),
        client.delete(`/users/${id}`),
        client.post(`/users/${id}/password-reset`, {}),
        client.post(`/users/${id}/second-factor-reset`, {}),
        client.post(`/users/${id}/session-revocation`, {}),
        client.get('/invitations'),
        client.get('/security-events'),
        client.patch('/tenant', { name: 'Mine' }, { 'if-match': '"1"' }),
      ])
        expect(await ask).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    })
    expect(changes).toEqual({})
  })
})

describe('another role or status', () => {
  test('ends the sessions of the person in the tenant, at once, and is audited with before and after', async () => {
    const { t, administrator, users } = await setUp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const { status, body, headers } = await edit(administrator, users.operator.id, { role: 'viewer' })
    expect([status, body.role, body.version, headers.etag]).toEqual([200, 'viewer', 2, '"2"'])
    expect((await operator.get('/session')).status).toBe(401)
    expect(await lastEvent(t, 'user.change_role')).toMatchObject({
      actor: users.administrator.id,
      subject_id: users.operator.id,
      before_json: '{"role":"operator"}',
      after_json: expect.stringContaining('"role":"viewer"'),
    })
  })

  test('disabled, the person cannot sign in or be assigned work, until enabled again; no earlier session is restored', async () => {
    const { t, administrator, users } = await setUp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    await edit(administrator, users.operator.id, { status: 'disabled' })
    expect(await lastEvent(t, 'user.disable')).toMatchObject({
      subject_id: users.operator.id,
      before_json: '{"status":"active"}',
      after_json: expect.stringContaining('"status":"disabled"'),
    })
    expect(await personAt(t).signIn(HOME_OPERATOR)).toMatchObject({ status: 401 })
    const given = await administrator.post<Problem>('/businesses', { name: 'X', assigneeId: users.operator.id })
    expect(given.body.code).toBe('assignee_not_a_member')
    expect((await edit(administrator, users.operator.id, { status: 'active' })).status).toBe(200)
    expect((await operator.get('/session')).status).toBe(401)
    expect((await personAt(t).signIn(HOME_OPERATOR)).status).toBe(201)
  })

  test('disabled in one tenant, the person continues in the other', async () => {
    const { t, administrator, users } = await setUp()
    await share(t)
    await edit(administrator, users.operator.id, { status: 'disabled' })
    const operator = personAt(t)
    const { body } = await operator.signIn(HOME_OPERATOR)
    expect(body).toMatchObject({ tenant: { name: 'Other' }, role: 'manager', tenants: [{ name: 'Other' }] })
    expect((await operator.post('/session/tenant', { tenantId: t.tenants.home.id })).status).toBe(404)
  })

  test('of the own account is refused, with any other changes in the request', async () => {
    const { t, administrator, users } = await setUp()
    const changes = await t.changes(async () => {
      for (const change of [{ role: 'viewer' }, { status: 'disabled' }, { name: 'Me', role: 'manager' }])
        expect(await edit(administrator, users.administrator.id, change)).toMatchObject({
          status: 422,
          body: { code: 'own_account' },
        })
      expect((await administrator.delete(`/users/${users.administrator.id}`)).body).toMatchObject({
        code: 'own_account',
      })
    })
    expect(changes).toEqual({})
    expect((await edit(administrator, users.administrator.id, { name: 'Me' })).body.name).toBe('Me')
  })

  test('requires the version that was read', async () => {
    const { administrator, users } = await setUp()
    const at = `/users/${users.viewer.id}`
    expect((await administrator.patch(at, { role: 'operator' })).status).toBe(428)
    const stale = await administrator.patch(at, { role: 'operator' }, { 'if-match': '"7"' })
    expect(stale).toMatchObject({ status: 412, body: { currentVersion: 1 } })
  })

  test('that is unchanged writes nothing', async () => {
    const { t, administrator, users } = await setUp()
    const changes = await t.changes(() => edit(administrator, users.viewer.id, { role: 'viewer', status: 'active' }))
    expect(changes).toEqual({})
  })
})

describe('the last administrator', () => {
  test.each([
    ['demoted', (by: TestClient, id: string, seen: string) => patch(by, id, seen, { role: 'viewer' })],
    ['disabled', (by: TestClient, id: string, seen: string) => patch(by, id, seen, { status: 'disabled' })],
    ['removed', (by: TestClient, id: string) => by.delete<Problem>(`/users/${id}`)],
  ])('is not %s, also not by two of them at once', async (_how, end) => {
    const { t, administrator, users } = await setUp()
    expect((await edit(administrator, users.manager.id, { role: 'administrator' })).status).toBe(200)
    const second = personAt(t)
    await second.signIn('manager@home.example')
    // Makes a second user an administrator and disables that user, who then does not count as an administrator.
    await (await writerOf(t.store))
      .updateTable('memberships')
      .set({ role: 'administrator' })
      .where('user_id', '=', users.viewer.id)
      .execute()
    await (await writerOf(t.store))
      .updateTable('users')
      .set({ status: 'disabled' })
      .where('id', '=', users.viewer.id)
      .execute()
    const answers = await Promise.all([
      end(administrator, users.manager.id, '"2"'),
      end(second, users.administrator.id, '"1"'),
    ])
    const refused = answers.filter(({ status }) => status >= 300)
    expect(refused).toMatchObject([{ status: 422, body: { code: 'last_administrator' } }])
    const left = await t.store.reader
      .selectFrom('memberships')
      .select('user_id')
      .where('tenant_id', '=', t.tenants.home.id)
      .where('role', '=', 'administrator')
      .where('status', '=', 'active')
      .where('user_id', '<>', users.viewer.id)
      .execute()
    expect(left).toHaveLength(1)
  })
})

describe('a removed person', () => {
  test('is a pseudonym in history, and no trace of name or email address is left', async () => {
    const { t, administrator, users } = await setUp()
    const { id, name, email } = users.operator
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    await enrolApp(t, operator)
    const { id: businessId } = await createProspect(operator, { assigneeId: id })
    await administrator.post(`/users/${id}/password-reset`, {})
    expect((await administrator.delete(`/users/${id}`)).status).toBe(204)
    expect(await lastEvent(t, 'user.remove')).toMatchObject({ before_json: '{"role":"operator","status":"active"}' })
    expect(await t.store.reader.selectFrom('one_time_links').select('id').execute()).toEqual([])
    const activity = await administrator.get<ListPage<AuditEvent>>(`/businesses/${businessId}/activity`)
    expect(activity.body.items[0]?.actor).toEqual({ kind: 'user', id, name: `Former user ${id.slice(-4)}` })
    expect((await administrator.get(`/businesses/${businessId}`)).body).toMatchObject({ assignee: { id } })
    expect((await administrator.get<ListPage<unknown>>('/audit-events/verification')).body).toMatchObject({
      status: 'intact',
    })
    expect(await personAt(t).signIn(HOME_OPERATOR)).toMatchObject({ status: 401 })
    expect((await userAt(administrator, id)).status).toBe(404)
    const tables = ['users', 'audit_events', 'totp_factors', 'recovery_codes', 'sessions', 'one_time_links'] as const
    const rows = await Promise.all(tables.map((table) => t.store.reader.selectFrom(table).selectAll().execute()))
    for (const trace of [name, email]) expect(JSON.stringify(rows)).not.toContain(trace)
    const factors = await Promise.all(
      (['totp_factors', 'recovery_codes'] as const).map((table) =>
        t.store.reader.selectFrom(table).select('user_id').where('user_id', '=', id).execute(),
      ),
    )
    expect(factors).toEqual([[], []])
  })

  test('of another tenant too keeps the account', async () => {
    const { t, administrator, users } = await setUp()
    await share(t)
    await personAt(t).signIn(HOME_OPERATOR)
    expect((await administrator.delete(`/users/${users.operator.id}`)).status).toBe(204)
    // All sessions are deleted, so that a person who joins again later has none of them.
    const left = t.store.reader.selectFrom('sessions').select('id').where('user_id', '=', users.operator.id)
    expect(await left.execute()).toEqual([])
    expect((await personAt(t).signIn(HOME_OPERATOR)).body).toMatchObject({ tenant: { name: 'Other' } })
  })

  test('may be invited again, as a new person', async () => {
    const { t, administrator, users } = await setUp()
    await administrator.delete(`/users/${users.operator.id}`)
    const { body } = await administrator.post<{ link: { token: string } }>('/users', {
      email: HOME_OPERATOR,
      name: 'Back again',
      role: 'viewer',
    })
    const use = { token: body.link.token, password: 'thirteen quiet lanterns' }
    expect((await t.visitor().post('/one-time-links/use', use)).status).toBe(204)
    const signedIn = await personAt(t).signIn(HOME_OPERATOR, use.password)
    expect(signedIn).toMatchObject({ status: 201, body: { role: 'viewer' } })
    expect(signedIn.body.user.id).not.toBe(users.operator.id)
  })
})

describe('a person of two tenants', () => {
  const revoke = (by: TestClient, id: string) => by.post(`/users/${id}/session-revocation`, {})
  test.each([
    ['got another role', 'user.change_role', (by: TestClient, id: string) => edit(by, id, { role: 'viewer' })],
    ['was disabled', 'user.disable', (by: TestClient, id: string) => edit(by, id, { status: 'disabled' })],
    ['was signed out', 'session.revoke', revoke],
    ['was removed', 'user.remove', (by: TestClient, id: string) => by.delete(`/users/${id}`)],
  ])(
    'and %s in one of them is signed out of that one, continues in the other, and returns only by a new sign-in',
    async (...row) => {
      const [, action, end] = row
      const { t, administrator, users } = await setUp()
      const { home, other } = t.tenants
      await share(t)
      const { here, there } = await signedInBoth(t)
      expect((await end(administrator, users.operator.id)).status).toBeLessThan(300)
      expect((await lastEvent(t, action))?.tenant_id).toBe(home.id)
      expect((await here.get('/session')).status).toBe(401)
      expect((await there.get<Session>('/session')).body.tenant.id).toBe(other.id)
      // Returns the person to Home: a removed person joins again, a disabled person is enabled.
      if (action === 'user.remove')
        await addMembership(t.store, 'command line', { tenantId: home.id, userId: users.operator.id, role: 'viewer' })
      if (action === 'user.disable') await edit(administrator, users.operator.id, { status: 'active' })
      const changes = await t.changes(async () => {
        const { status, body } = await enter(there, home.id)
        expect([status, body.code, body.detail]).toEqual([
          401,
          'authentication_required',
          'Your sessions in that workspace ended after you signed in here. Sign out, then sign in again to enter that workspace.',
        ])
      })
      expect(changes).toEqual({})
      expect((await there.get<Session>('/session')).body.tenant.id).toBe(other.id)
      const again = personAt(t)
      await again.signIn(HOME_OPERATOR)
      if ((await again.get<Session>('/session')).body.tenant.id !== home.id)
        expect((await enter(again, home.id)).status).toBe(200)
      expect((await again.get('/businesses')).status).toBe(200)
      for (const { id } of [other, home]) expect((await enter(again, id)).status).toBe(200)
    },
  )

  test('and was disabled in one of them can return, once enabled, with a session that began in the other meanwhile', async () => {
    const { t, administrator, users } = await setUp()
    await share(t)
    await edit(administrator, users.operator.id, { status: 'disabled' })
    const operator = personAt(t)
    expect((await operator.signIn(HOME_OPERATOR)).body.tenant.id).toBe(t.tenants.other.id)
    await edit(administrator, users.operator.id, { status: 'active' })
    expect((await enter(operator, t.tenants.home.id)).status).toBe(200)
  })

  test('is counted by the sessions in the acting tenant, without revealing others', async () => {
    const { t, administrator, users } = await setUp()
    await share(t)
    const { here, there } = await signedInBoth(t)
    expect((await revoke(administrator, users.operator.id)).body).toEqual({ ended: 1 })
    const ended = async () => JSON.parse((await lastEvent(t, 'session.revoke'))?.after_json ?? '{}').ended
    expect(await ended()).toBe(1)
    // Revokes again. The response and the writes are the same whether the person has a session in Other or not.
    const once = await t.changes(async () =>
      expect((await revoke(administrator, users.operator.id)).body).toEqual({ ended: 0 }),
    )
    expect(await ended()).toBe(0)
    await there.delete('/session')
    const twice = await t.changes(async () =>
      expect((await revoke(administrator, users.operator.id)).body).toEqual({ ended: 0 }),
    )
    expect([once, twice]).toEqual([once, once])
    expect((await here.get('/session')).status).toBe(401)
  })

  test('ends all sessions with a new password of their own; each tenant reads only of its own sessions', async () => {
    const { t } = await setUp()
    await share(t)
    const { here, there } = await signedInBoth(t)
    const another = personAt(t)
    await another.signIn(HOME_OPERATOR)
    const change = { currentPassword: TEST_PASSWORD, newPassword: 'thirteen quiet lanterns' }
    expect((await another.post('/password', change)).status).toBe(200)
    for (const person of [here, there]) expect((await person.get('/session')).status).toBe(401)
    expect(await lastEvent(t, 'session.revoke')).toMatchObject({
      tenant_id: t.tenants.home.id,
      after_json: expect.stringContaining('"ended":1'),
    })
  })

  test('ends all sessions when the operator of the platform resets the password or the factors', async () => {
    for (const reset of [resetPasswordByOperator, resetFactorsByOperator]) {
      const { t } = await setUp()
      await share(t)
      const { here, there } = await signedInBoth(t)
      await reset(t.store, HOME_OPERATOR)
      for (const person of [here, there]) expect((await person.get('/session')).status).toBe(401)
    }
  })

  test('enters the tenant after a new sign-in also when the clock was set back since their sessions were ended', async () => {
    const { t, administrator, users } = await setUp()
    await share(t)
    await revoke(administrator, users.operator.id)
    const HOUR_MS = 3_600_000
    t.clock.advance(-HOUR_MS)
    const set = Date.now() - HOUR_MS
    vi.spyOn(Date, 'now').mockImplementation(() => set)
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    for (const { id } of [t.tenants.other, t.tenants.home]) expect((await enter(operator, id)).status).toBe(200)
  })

  test('cannot enter the tenant while it ends their sessions', async () => {
    const { t, administrator, users } = await setUp()
    await share(t)
    const { there } = await signedInBoth(t)
    beforeTheNextWrite(t, () => revoke(administrator, users.operator.id))
    expect((await enter(there, t.tenants.home.id)).status).toBe(401)
    expect((await there.get<Session>('/session')).body.tenant.id).toBe(t.tenants.other.id)
  })

  test('cannot act in the tenant with a session that was moved into it in the store', async () => {
    const { t, administrator, users } = await setUp()
    await share(t)
    const { there } = await signedInBoth(t)
    await revoke(administrator, users.operator.id)
    await (await writerOf(t.store)).updateTable('sessions').set({ tenant_id: t.tenants.home.id }).execute()
    expect((await there.get('/businesses')).status).toBe(401)
  })
})

describe('signing a person out', () => {
  test('ends their sessions and returns the number', async () => {
    const { t, administrator, users } = await setUp()
    const people = [personAt(t), personAt(t)]
    for (const person of people) await person.signIn(HOME_OPERATOR)
    const at = `/users/${users.operator.id}/session-revocation`
    expect((await administrator.post(at, {})).body).toEqual({ ended: 2 })
    for (const person of people) expect((await person.get('/session')).status).toBe(401)
    expect(await t.changes(() => administrator.post(at, {}))).toEqual({})
  })

  test('and removing lost factors lets them enrol again', async () => {
    const { t, administrator, users } = await setUp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    await enrolApp(t, operator)
    expect((await administrator.post(`/users/${users.operator.id}/second-factor-reset`, {})).status).toBe(204)
    expect((await operator.get('/session')).status).toBe(401)
    expect((await personAt(t).signIn(HOME_OPERATOR)).body).toMatchObject({ hold: null, secondFactor: { methods: [] } })
    expect((await lastEvent(t, 'mfa.reset'))?.actor).toBe(users.administrator.id)
  })
})

test('an account of several tenants cannot be renamed, reset or stripped of factors by one of them', async () => {
  const { t, administrator, users } = await setUp()
  await share(t)
  const at = `/users/${users.operator.id}`
  const changes = await t.changes(async () => {
    expect((await edit(administrator, users.operator.id, { name: 'Other' })).body.code).toBe('account_shared')
    for (const what of ['password-reset', 'second-factor-reset'])
      expect((await administrator.post<Problem>(`${at}/${what}`, {})).body.code).toBe('account_shared')
  })
  expect(changes).toEqual({})
  // The other tenant removes the person, who then belongs only to this tenant.
  expect((await (await t.as('administrator', 'other')).delete(at)).status).toBe(204)
  expect((await edit(administrator, users.operator.id, { name: 'Other' })).status).toBe(200)
})

describe('the page of security events', () => {
  test('shows sign-ins, failures and factors with address and agent, newest first, and no prospects', async () => {
    const { t, administrator, users } = await setUp()
    await createProspect(administrator)
    const operator = personAt(t, { address: '10.9.9.9', agent: 'Phone' })
    await operator.signIn(HOME_OPERATOR, 'wrong words all of them')
    await operator.signIn(HOME_OPERATOR)
    await enrolApp(t, operator)
    const { body } = await administrator.get<ListPage<AuditEvent>>(`/security-events?user=${users.operator.id}`)
    expect(body.items.map(({ action }) => action)).toEqual([
      'mfa.enrol',
      'mfa.begin',
      'session.start',
      'session.fail',
      'user.create',
    ])
    expect(body.items[3]).toMatchObject({
      actor: { kind: 'system', name: 'sign-in' },
      after: { address: '10.9.9.9', agent: 'Phone', by: 'password' },
    })
    const failures = await administrator.get<ListPage<AuditEvent>>('/security-events?action=session.fail')
    expect(failures.body.items).toHaveLength(1)
    const all = await administrator.get<ListPage<AuditEvent>>('/security-events')
    expect(all.body.items.filter(({ subject }) => subject.type === 'business')).toEqual([])
  })

  test('for a time range begins at its first moment and ends before its last', async () => {
    const { t, administrator } = await setUp()
    const times: string[] = []
    for (let one = 0; one < 3; one++) {
      t.clock.advance(60_000)
      times.push(t.clock().toISOString())
      await personAt(t, { address: '10.9.9.9', agent: 'Phone' }).signIn(HOME_OPERATOR)
    }
    const [from, to] = times
    const { body } = await administrator.get<ListPage<AuditEvent>>(`/security-events?from=${from}&to=${to}`)
    expect(body.items.map(({ at, action }) => [at, action])).toEqual([[from, 'session.start']])
  })
})

describe('the tenant', () => {
  test('is renamed by an administrator, for everybody', async () => {
    const { t, administrator } = await setUp()
    const seen = await administrator.get('/tenant')
    expect(seen.headers.etag).toBe('"1"')
    const changed = { name: 'Karoo Desk', timeZone: 'Africa/Windhoek' }
    const { status, body } = await administrator.patch('/tenant', changed, { 'if-match': '"1"' })
    expect([status, body]).toMatchObject([200, { ...changed, version: 2 }])
    expect((await (await t.as('viewer')).get('/tenant')).body).toMatchObject(changed)
    expect((await administrator.patch('/tenant', { timeZone: '+02:00' }, { 'if-match': '"2"' })).status).toBe(400)
    expect((await administrator.patch('/tenant', changed, { 'if-match': '"1"' })).status).toBe(412)
    const changes = await t.changes(async () => {
      expect((await administrator.patch('/tenant', changed, { 'if-match': '"2"' })).headers.etag).toBe('"2"')
    })
    expect(changes).toEqual({})
  })

  test('is in South Africa until an administrator chooses another country, which each of its sessions shows', async () => {
    const { t, administrator } = await setUp()
    const viewer = await t.as('viewer')
    const countryInSession = async () => (await viewer.get<Session>('/session')).body.tenant.country
    expect(await countryInSession()).toBe('ZA')
    const choose = (country: unknown, version: number) =>
      administrator.patch<Tenant>('/tenant', { country }, { 'if-match': `"${version}"` })
    const changes = await t.changes(async () => {
      const { status, body } = await choose('US', 1)
      expect([status, body.country, body.version]).toEqual([200, 'US', 2])
    })
    expect(changes).toEqual({ audit_events: 1, tenants: 0 })
    expect(await countryInSession()).toBe('US')
    const { items } = (await administrator.get<ListPage<AuditEvent>>('/audit-events?action=tenant.configure')).body
    expect(items).toMatchObject([{ before: { country: 'ZA' }, after: { country: 'US' } }])
    // Changes another setting, which must leave the country unchanged.
    await administrator.patch('/tenant', { name: 'Prairie Desk' }, { 'if-match': '"2"' })
    expect(await countryInSession()).toBe('US')
    for (const wrong of ['UK', 'us', 'South Africa', '', null]) expect((await choose(wrong, 3)).status).toBe(400)
  })

  test('uses the date and number format that an administrator chose, which each of its sessions shows', async () => {
    const { t, administrator } = await setUp()
    const viewer = await t.as('viewer')
    const localeInSession = async () => (await viewer.get<Session>('/session')).body.tenant.locale
    expect(await localeInSession()).toBe('en-ZA')
    const choose = (locale: unknown, version: number) =>
      administrator.patch<Tenant>('/tenant', { locale }, { 'if-match': `"${version}"` })
    const changes = await t.changes(async () => {
      const { status, body } = await choose('en-US', 1)
      expect([status, body.locale, body.version]).toEqual([200, 'en-US', 2])
    })
    expect(changes).toEqual({ audit_events: 1, tenants: 0 })
    expect(await localeInSession()).toBe('en-US')
    const { items } = (await administrator.get<ListPage<AuditEvent>>('/audit-events?action=tenant.configure')).body
    expect(items).toMatchObject([{ before: { locale: 'en-ZA' }, after: { locale: 'en-US' } }])
    // Changes the country, which must leave the locale unchanged.
    await administrator.patch('/tenant', { country: 'NA' }, { 'if-match': '"2"' })
    expect(await localeInSession()).toBe('en-US')
    for (const wrong of ['fr-FR', 'en', 'EN-ZA', '', null]) expect((await choose(wrong, 3)).status).toBe(400)
  })
})
