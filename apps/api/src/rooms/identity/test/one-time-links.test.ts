import { describe, expect, test } from 'vitest'
import { buildTestApp, TEST_PASSWORD, type TestApp } from '../../../../test/build-app.ts'
import { beforeTheNextWrite, HOME_OPERATOR, lastEvent, personAt } from '../../../../test/person.ts'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { addMembership } from '../accounts/tenants-and-users.ts'
import type { CheckedLink, Invitation } from '../accounts/users.schema.ts'
import { OF_ONE_SOURCE } from '../limits/sign-in-limits.ts'
import { resetPasswordByOperator } from '../people/operator-resets.ts'

const HOUR_MS = 3_600_000
const CHOSEN = 'thirteen quiet lanterns'
const guest = { email: 'Guest@Example.com', name: 'A guest', role: 'operator' as const }

async function invite(t: TestApp, input: Record<string, unknown> = guest) {
  const administrator = await t.as('administrator')
  const { status, body } = await administrator.post<{ invitation: Invitation; link: { token: string } }>(
    '/users',
    input,
  )
  expect(status).toBe(201)
  return { administrator, invitation: body.invitation, token: body.link.token }
}

async function reset(t: TestApp) {
  const administrator = await t.as('administrator')
  const { id } = t.tenants.home.users.operator
  const { status, body } = await administrator.post<{ link: { token: string } }>(`/users/${id}/password-reset`, {})
  expect(status).toBe(201)
  return { administrator, token: body.link.token }
}

const check = (t: TestApp, token: string) => t.visitor().post<CheckedLink & Problem>('/one-time-links/check', { token })
const use = (t: TestApp, token: string, password = CHOSEN) =>
  t.visitor().post<Problem>('/one-time-links/use', { token, password })

describe('an invitation', () => {
  test('lets the person set a password and sign in with the assigned role', async () => {
    const t = await buildTestApp()
    const { administrator, token, invitation } = await invite(t)
    expect(invitation).toMatchObject({ email: 'guest@example.com', createdBy: { name: 'Home administrator' } })
    expect((await administrator.get<ListPage<Invitation>>('/invitations')).body.items).toEqual([invitation])
    expect((await check(t, token)).body).toEqual({
      purpose: 'invitation',
      email: 'guest@example.com',
      name: 'A guest',
      tenantName: 'Home',
      needs: 'new_password',
      expiresAt: '2026-11-24T08:00:00.000Z',
    })
    expect((await use(t, token)).status).toBe(204)
    expect((await personAt(t).signIn(guest.email, CHOSEN)).body).toMatchObject({ role: 'operator', hold: null })
    expect((await administrator.get<ListPage<Invitation>>('/invitations')).body.items).toEqual([])
  })

  test('is stored as a hash; its token is in no log, event or list', async () => {
    const t = await buildTestApp()
    const { administrator, token } = await invite(t)
    await check(t, token)
    const links = await t.store.reader.selectFrom('one_time_links').selectAll().execute()
    const events = await t.store.reader.selectFrom('audit_events').selectAll().execute()
    const listed = (await administrator.get('/invitations')).body
    expect(links[0]?.token_hash).toBe(sha256(token))
    expect(JSON.stringify([links, events, listed])).not.toContain(token)
    expect(t.logged()).not.toContain(token)
  })

  test('is valid once', async () => {
    const t = await buildTestApp()
    const { token } = await invite(t)
    const answers = await Promise.all([use(t, token), use(t, token, 'another set of words')])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
    expect((await use(t, token)).body.code).toBe('link_invalid')
    expect((await check(t, token)).body.code).toBe('link_invalid')
  })

  test.each([
    ['removed', undefined],
    ['disabled', { status: 'disabled' }],
    ['a manager from now on', { role: 'manager' }],
  ])(
    'of an administrator who is %s is withdrawn, and their password reset becomes invalid: they cannot return by it',
    async (_how, change) => {
      const t = await buildTestApp()
      const { manager, operator } = t.tenants.home.users
      const administrator = await t.as('administrator')
      const edit = async (input: Record<string, unknown>) => {
        const seen = (await administrator.get(`/users/${manager.id}`)).headers.etag
        return administrator.patch(`/users/${manager.id}`, input, { 'if-match': String(seen) })
      }
      expect((await edit({ role: 'administrator' })).status).toBe(200)
      const leaving = personAt(t)
      await leaving.signIn(manager.email)
      const invited = await leaving.post<{ link: { token: string } }>('/users', { ...guest, role: 'administrator' })
      const resetting = await leaving.post<{ link: { token: string } }>(`/users/${operator.id}/password-reset`, {})
      const others = await invite(t, { ...guest, email: 'other@example.com' })
      await (change === undefined ? administrator.delete(`/users/${manager.id}`) : edit(change))
      for (const { body } of [invited, resetting])
        expect((await use(t, body.link.token)).body.code).toBe('link_invalid')
      expect(await lastEvent(t, 'invitation.withdraw')).toMatchObject({
        actor: t.tenants.home.users.administrator.id,
        after_json: expect.stringContaining('address'),
      })
      expect((await use(t, others.token)).status).toBe(204)
    },
  )

  test('that a person created for another tenant, where they are still administrator, stays valid', async () => {
    const t = await buildTestApp()
    const { home, other } = t.tenants
    const { manager } = home.users
    await addMembership(t.store, 'command line', { tenantId: other.id, userId: manager.id, role: 'administrator' })
    const elsewhere = await t.startSession({ tenantId: other.id, userId: manager.id, role: 'administrator' })
    const invited = await t.withSession(elsewhere).post<{ link: { token: string } }>('/users', guest)
    const administrator = await t.as('administrator')
    for (const [seen, role] of [
      ['"1"', 'administrator'],
      ['"2"', 'manager'],
    ] as const)
      await administrator.patch(`/users/${manager.id}`, { role }, { 'if-match': seen })
    expect((await use(t, invited.body.link.token)).status).toBe(204)
  })

  test('that is used, expired, withdrawn, replaced or forged gets the same response, and changes no account', async () => {
    const t = await buildTestApp()
    const used = await invite(t)
    await use(t, used.token)
    const replaced = await invite(t, { ...guest, email: 'second@example.com' })
    await invite(t, { ...guest, email: 'second@example.com' })
    const withdrawn = await invite(t, { ...guest, email: 'third@example.com' })
    expect((await withdrawn.administrator.delete(`/invitations/${withdrawn.invitation.id}`)).status).toBe(204)
    expect((await withdrawn.administrator.delete(`/invitations/${withdrawn.invitation.id}`)).status).toBe(404)
    const expired = await invite(t, { ...guest, email: 'fourth@example.com' })
    t.clock.advance(72 * HOUR_MS)
    const bodies: unknown[] = []
    const changes = await t.changes(async () => {
      for (const { token } of [used, replaced, withdrawn, expired, { token: 'made-up' }])
        for (const answer of [await check(t, token), await use(t, token)])
          bodies.push({ ...answer.body, requestId: '' })
    })
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(bodies[0]).toMatchObject({ status: 422, code: 'link_invalid' })
    // The first use of each former link is recorded in the audit. A forged link, and each further use, counts as an unknown attempt.
    expect(changes).toEqual({ audit_events: 4, one_time_links: -1, spent_tokens: 1, unknown_attempts: 6 })
    expect(await lastEvent(t, 'link.refuse')).toMatchObject({ actor: 'sign-in', subject_type: 'invitation' })
  })

  test('stays valid after a refused password', async () => {
    const t = await buildTestApp()
    const { token } = await invite(t)
    const { status, body } = await use(t, token, 'password1234')
    expect([status, body.errors?.[0]]).toMatchObject([400, { path: 'password', code: 'weak_password' }])
    expect((await use(t, token)).status).toBe(204)
  })

  test('for a person with an account elsewhere joins it with its own password, and reveals nothing to the inviter', async () => {
    const t = await buildTestApp()
    const known = await invite(t, { email: 'viewer@other.example', name: 'Typed name', role: 'manager' })
    const unknown = await invite(t)
    expect(Object.keys(known.invitation)).toEqual(Object.keys(unknown.invitation))
    expect(known.invitation.name).toBe('Typed name')
    expect((await check(t, known.token)).body.needs).toBe('own_password')
    expect(await use(t, known.token)).toMatchObject({ status: 422, body: { code: 'password_incorrect' } })
    const failures = t.store.reader.selectFrom('audit_events').select('tenant_id').where('action', '=', 'link.fail')
    const told = (await failures.execute()).map(({ tenant_id }) => tenant_id)
    expect(told.sort()).toEqual([t.tenants.home.id, t.tenants.other.id].sort())
    for (let i = 1; i < OF_ONE_SOURCE.free; i++) await use(t, known.token)
    expect(await use(t, known.token, TEST_PASSWORD)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    t.clock.advance(OF_ONE_SOURCE.firstMs)
    expect((await use(t, known.token, TEST_PASSWORD)).status).toBe(204)
    const { body } = await personAt(t).signIn('viewer@other.example')
    expect(body.tenants.map(({ name, role }) => [name, role])).toEqual([
      ['Home', 'manager'],
      ['Other', 'viewer'],
    ])
    expect(body.user.name).toBe('Other viewer')
  })

  test('for a person who became a member meanwhile is invalid: it does not change their role', async () => {
    const t = await buildTestApp()
    const { home, other } = t.tenants
    const { token } = await invite(t, { email: 'viewer@other.example', name: 'X', role: 'administrator' })
    const { id: userId } = other.users.viewer
    await addMembership(t.store, 'command line', { tenantId: home.id, userId, role: 'viewer' })
    expect((await use(t, token, TEST_PASSWORD)).body.code).toBe('link_invalid')
    const { body } = await personAt(t).signIn('viewer@other.example')
    expect(body.tenants.map(({ role }) => role)).toEqual(['viewer', 'viewer'])
  })

  test('for a member is refused', async () => {
    const t = await buildTestApp()
    const administrator = await t.as('administrator')
    const answer = await administrator.post('/users', { ...guest, email: HOME_OPERATOR })
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe('a reset', () => {
  test('ends the sessions, invalidates the old password, and lets the person set another', async () => {
    const t = await buildTestApp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const { token } = await reset(t)
    expect((await operator.get('/session')).status).toBe(401)
    const refusals: unknown[] = []
    for (const password of [TEST_PASSWORD, 'not their password']) {
      const { status, body } = await operator.signIn(HOME_OPERATOR, password)
      refusals.push([status, { ...body, requestId: '' }])
    }
    expect(refusals[0]).toEqual(refusals[1])
    expect((await check(t, token)).body).toMatchObject({ purpose: 'password_reset', needs: 'new_password' })
    expect((await use(t, token)).status).toBe(204)
    expect((await operator.get('/session')).status).toBe(401)
    expect((await personAt(t).signIn(HOME_OPERATOR)).status).toBe(401)
    expect((await personAt(t).signIn(HOME_OPERATOR, CHOSEN)).body).toMatchObject({ hold: null })
    expect((await lastEvent(t, 'user.reset_password'))?.actor).toBe(t.tenants.home.users.administrator.id)
  })

  test('ends sessions that were begun without the password while it was open', async () => {
    const t = await buildTestApp()
    const { token } = await reset(t)
    const { home } = t.tenants
    const begun = await t.startSession({ tenantId: home.id, userId: home.users.operator.id, role: 'operator' })
    expect((await t.withSession(begun).get('/session')).status).toBe(200)
    await use(t, token)
    expect((await t.withSession(begun).get('/session')).status).toBe(401)
  })

  test('is no invitation: it is not listed or withdrawn as one', async () => {
    const t = await buildTestApp()
    const { administrator, token } = await reset(t)
    const { id } = await t.store.reader.selectFrom('one_time_links').select('id').executeTakeFirstOrThrow()
    expect((await administrator.get<ListPage<Invitation>>('/invitations')).body).toMatchObject({
      items: [],
      page: { total: { value: 0 } },
    })
    expect((await administrator.delete(`/invitations/${id}`)).status).toBe(404)
    expect((await use(t, token)).status).toBe(204)
  })

  test('is valid for an hour', async () => {
    const t = await buildTestApp()
    const { token } = await reset(t)
    t.clock.advance(HOUR_MS)
    expect((await use(t, token)).body.code).toBe('link_invalid')
  })

  test('is invalid when the clock was set back since: it would live longer', async () => {
    const t = await buildTestApp()
    const { token } = await reset(t)
    t.clock.advance(-HOUR_MS)
    expect((await use(t, token)).body.code).toBe('link_invalid')
  })

  test('for the own account is refused', async () => {
    const t = await buildTestApp()
    const administrator = await t.as('administrator')
    const { id } = t.tenants.home.users.administrator
    expect((await administrator.post<Problem>(`/users/${id}/password-reset`, {})).body.code).toBe('own_account')
  })

  test('is invalid once the person has joined another tenant; the operator of the platform may still reset', async () => {
    const t = await buildTestApp()
    const { token } = await reset(t)
    const userId = t.tenants.home.users.operator.id
    await addMembership(t.store, 'command line', { tenantId: t.tenants.other.id, userId, role: 'manager' })
    expect((await use(t, token)).body.code).toBe('link_invalid')
    const link = await resetPasswordByOperator(t.store, HOME_OPERATOR)
    expect((await use(t, link.token)).status).toBe(204)
  })

  test('does not bypass the second factor', async () => {
    const t = await buildTestApp()
    await (await writerOf(t.store))
      .updateTable('users')
      .set({ has_second_factor: 1 })
      .where('email', '=', HOME_OPERATOR)
      .execute()
    const { token } = await reset(t)
    await use(t, token)
    expect((await personAt(t).signIn(HOME_OPERATOR, CHOSEN)).body.hold).toBe('second_factor')
  })
})

test('a password cannot be guessed by inviting its owner again: attempts count for the account', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const invited = { email: 'viewer@other.example', name: 'X', role: 'viewer' }
  const answers: number[] = []
  for (let round = 0; round < 2; round++) {
    const { body } = await administrator.post<{ link: { token: string } }>('/users', invited)
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) {
      const guess = { token: body.link.token, password: `guess number ${round} ${i}` }
      answers.push((await t.visitor('10.5.5.5').post('/one-time-links/use', guess)).status)
    }
  }
  expect(answers.slice(0, OF_ONE_SOURCE.free)).not.toContain(429)
  expect(answers.slice(OF_ONE_SOURCE.free)).not.toContain(422)
  const signIn = { email: invited.email, password: 'one guess more' }
  expect((await t.visitor('10.5.5.5').post('/session', signIn)).status).toBe(429)
})

test('guessing through an invitation does not delay a device on which the owner has signed in', async () => {
  const t = await buildTestApp()
  const { token } = await invite(t, { email: 'viewer@other.example', name: 'Guessed at', role: 'viewer' })
  const owner = personAt(t)
  await owner.signIn('viewer@other.example')
  const guess = () => owner.post<Problem>('/one-time-links/use', { token, password: 'whatever it may be' })
  const stranger = personAt(t)
  for (let i = 0; i <= OF_ONE_SOURCE.free; i++)
    await stranger.post('/one-time-links/use', { token, password: 'whatever it may be' })
  expect((await stranger.post('/one-time-links/use', { token, password: TEST_PASSWORD })).status).toBe(429)
  expect((await guess()).body.code).toBe('password_incorrect')
  expect((await owner.post('/one-time-links/use', { token, password: TEST_PASSWORD })).status).toBe(204)
})

test('a removed person cannot return by an open invitation', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const { id: userId } = t.tenants.other.users.viewer
  const invited = { email: 'viewer@other.example', name: 'X', role: 'administrator' }
  const { body } = await administrator.post<{ link: { token: string } }>('/users', invited)
  await addMembership(t.store, 'command line', { tenantId: t.tenants.home.id, userId, role: 'viewer' })
  expect((await administrator.delete(`/users/${userId}`)).status).toBe(204)
  const use = { token: body.link.token, password: TEST_PASSWORD }
  const { status, body: problem } = await t.visitor('10.5.5.5').post<Problem>('/one-time-links/use', use)
  expect([status, problem.code]).toEqual([422, 'link_invalid'])
})

test('joining with the old password fails when it is changed meanwhile', async () => {
  const t = await buildTestApp()
  const { token } = await invite(t, { email: 'viewer@other.example', name: 'Joins late', role: 'viewer' })
  const owner = personAt(t)
  await owner.signIn('viewer@other.example')
  beforeTheNextWrite(t, () => owner.post('/password', { currentPassword: TEST_PASSWORD, newPassword: CHOSEN }))
  expect(await use(t, token, TEST_PASSWORD)).toMatchObject({ status: 422, body: { code: 'password_incorrect' } })
  expect((await use(t, token)).status).toBe(204)
})

test('of two password reset links, one becomes invalid once the other was used', async () => {
  const t = await buildTestApp()
  const { home, other } = t.tenants
  const { id: userId } = home.users.operator
  await addMembership(t.store, 'command line', { tenantId: other.id, userId, role: 'viewer' })
  const first = await resetPasswordByOperator(t.store, HOME_OPERATOR)
  const administrator = await t.as('administrator')
  expect((await administrator.patch(`/users/${userId}`, { status: 'disabled' }, { 'if-match': '"1"' })).status).toBe(
    200,
  )
  const second = await resetPasswordByOperator(t.store, HOME_OPERATOR)
  expect((await use(t, second.token)).status).toBe(204)
  expect((await use(t, first.token, 'another set of words')).body.code).toBe('link_invalid')
})

test('changing a password fails when it is reset meanwhile', async () => {
  const t = await buildTestApp()
  const thief = personAt(t)
  await thief.signIn(HOME_OPERATOR)
  let token = ''
  beforeTheNextWrite(t, async () => {
    token = (await reset(t)).token
    return { status: 200 }
  })
  const taken = { currentPassword: TEST_PASSWORD, newPassword: 'another set of words' }
  expect((await thief.post('/password', taken)).status).toBe(409)
  expect((await use(t, token)).status).toBe(204)
})
