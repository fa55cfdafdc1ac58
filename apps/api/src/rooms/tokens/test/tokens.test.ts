import { expect, test } from 'vitest'
import { createTestToken, grantableTo } from '../../../../test/access-tokens.ts'
import { freshClient } from '../../../../test/asking.ts'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { jobWorld, testKind } from '../../../../test/job-world.ts'
import { lastEvent } from '../../../../test/person.ts'
import { createProspect, type Problem } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import type { Page } from '../../../http/pagination.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { residueOf } from '../../../store/change/audit-redaction.ts'
import type { AuditEventTable } from '../../../store/store.table.ts'
import type { AuditEvent } from '../../audit/audit.ts'
import { verifyTenant } from '../../audit/audit.ts'
import type { User as Member } from '../../identity/accounts/users.schema.ts'
import type { Tenant } from '../../identity/identity.schema.ts'
import { TOKEN_REQUESTS } from '../admit-token.ts'
import type { AccessToken, TokenPermissions } from '../tokens.schema.ts'

const DAY_MS = 86_400_000
const inDays = (t: TestApp, days: number) => new Date(t.clock().getTime() + days * DAY_MS).toISOString()
const tokensOf = async (client: TestClient, query = '') =>
  (await client.get<Page<AccessToken>>(`/tokens${query}`)).body.items
const statusOf = async (client: TestClient) => (await client.get<Problem>('/businesses')).status

/** Changes role or status of a member of Home, as an administrator. */
async function editMember(t: TestApp, userId: string, edit: object): Promise<void> {
  const administrator = await freshClient(t, 'administrator')
  const { headers } = await administrator.get<Member>(`/users/${userId}`)
  const { status } = await administrator.patch(`/users/${userId}`, edit, { 'if-match': String(headers.etag) })
  expect(status).toBe(200)
}

test('a program acts with a token as its person, without a cookie, an Origin and a CSRF token', async () => {
  const t = await buildTestApp()
  const { client, ...token } = await createTestToken(t, { permissions: ['businesses.read', 'businesses.write'] })
  expect(token).toMatchObject({ name: 'Warehouse sync', status: 'active', lastUsedAt: null, revokedAt: null })
  const { id } = await createProspect(client, { name: 'Karoo Windpumps' })
  const { body, headers } = await client.get<{ name: string }>(`/businesses/${id}`)
  expect(body.name).toBe('Karoo Windpumps')
  const edited = { 'if-match': String(headers.etag) }
  expect((await client.patch(`/businesses/${id}`, { name: 'Karoo Pumps' }, edited)).status).toBe(200)
  expect((await client.patch(`/businesses/${id}`, { name: 'Karoo' }, edited)).status).toBe(412)
})

test('a change by a token names the person and the token in the audit, and the chain stays provable', async () => {
  const t = await buildTestApp()
  const { client, id } = await createTestToken(t)
  await createProspect(client)
  const event = await lastEvent(t, 'business.create')
  expect(event).toMatchObject({ actor: t.tenants.home.users.operator.id, token_id: id })
  const manager = await t.as('manager')
  const { body } = await manager.get<Page<AuditEvent>>('/audit-events?action=business.create')
  expect(body.items[0]).toMatchObject({ actor: { name: 'Home operator' }, token: { id, name: 'Warehouse sync' } })
  await createProspect(manager)
  const [own] = (await manager.get<Page<AuditEvent>>('/audit-events?action=business.create')).body.items
  expect(own?.token).toBeNull()
  expect((await verifyTenant(t.store, t.tenants.home.id)).firstBroken).toBeNull()
})

test('an event whose token was altered no longer matches its hash', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t)
  await createProspect(client)
  const { auditEventHash } = await import('../../../store/change/audit-chain.ts')
  const event = await lastEvent(t, 'business.create')
  if (event === undefined) throw new Error('The prospect was created.')
  expect(auditEventHash(event)).toBe(event.hash)
  for (const token_id of [null, newId()]) expect(auditEventHash({ ...event, token_id })).not.toBe(event.hash)
})

test('the secret is in the response of its creation only: the store has its hash, and neither log nor audit has either', async () => {
  const t = await buildTestApp()
  const { client, secret, id } = await createTestToken(t, { role: 'manager' })
  await client.get('/businesses')
  await client.get('/nothing')
  const stored = await t.store.reader.selectFrom('access_tokens').selectAll().execute()
  expect(stored).toMatchObject([{ id, secret_hash: sha256(secret) }])
  expect(JSON.stringify(stored)).not.toContain(secret)
  const manager = await t.as('manager')
  const shown = JSON.stringify([await tokensOf(manager), await tokensOf(manager, '?scope=workspace')])
  const events = JSON.stringify(await t.store.reader.selectFrom('audit_events').selectAll().execute())
  for (const text of [shown, events, t.logged()]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(sha256(secret))
  }
  expect(t.logged()).toContain(`"token":"${id}"`)
})

test('a token needs a fresh proof, a permission of its person and an end within a year', async () => {
  const t = await buildTestApp()
  const operator = await freshClient(t, 'operator')
  const body = { name: 'A script', permissions: ['businesses.read'], endsAt: inDays(t, 30) }
  const errorOf = async (changed: object) => {
    const answer = await operator.post<Problem>('/tokens', { ...body, ...changed })
    return [answer.status, answer.body.errors?.map(({ path, code }) => `${path} ${code}`)]
  }
  const changes = await t.changes(async () => {
    expect(await errorOf({ permissions: ['audit.read'] })).toEqual([400, ['permissions.0 not_held']])
    expect(await errorOf({ permissions: ['businesses.read', 'users.manage'] })).toEqual([
      400,
      ['permissions.1 not_grantable'],
    ])
    expect(await errorOf({ endsAt: inDays(t, 0) })).toEqual([400, ['endsAt past']])
    expect(await errorOf({ endsAt: inDays(t, 367) })).toEqual([400, ['endsAt too_late']])
    for (const changed of [
      { permissions: [] },
      { permissions: ['businesses.read', 'businesses.read'] },
      { addresses: ['10.0.0.0/40'] },
      { name: ' ' },
      { endsAt: 'soon' },
      { secret: 'mine' },
    ])
      expect((await errorOf(changed))[0]).toBe(400)
    t.clock.advance(16 * 60_000)
  })
  expect(changes).toEqual({})
  expect((await operator.post<Problem>('/tokens', { ...body, endsAt: inDays(t, 30) })).body.code).toBe(
    'step_up_required',
  )
})

test('a viewer can create a token, and a group shows which permissions the person has', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t, { role: 'viewer' })
  expect(await statusOf(client)).toBe(200)
  const { groups } = (await client.get<TokenPermissions>('/token-permissions')).body
  const named = groups.flatMap(({ permissions }) => permissions)
  expect(named.map(({ permission }) => permission).toSorted()).toEqual(grantableTo('administrator'))
  expect(
    named
      .filter(({ isHeld }) => isHeld)
      .map(({ permission }) => permission)
      .toSorted(),
  ).toEqual(grantableTo('viewer'))
})

test('a malformed, unknown or altered token gets 401 with a sentence and a challenge, and its cookie is ignored', async () => {
  const t = await buildTestApp()
  const { secret } = await createTestToken(t)
  const { secretOf } = await import('../secret.rules.ts')
  const unknown = secretOf(newId(), new Uint8Array(32))
  const forged = secretOf((await tokensOf(await t.as('operator')))[0]?.id ?? '', new Uint8Array(32))
  const token = await t.startSession({
    tenantId: t.tenants.home.id,
    userId: t.tenants.home.users.manager.id,
    role: 'manager',
  })
  const cookie = `prospect_session=${token}`
  const changes = await t.changes(async () => {
    for (const wrong of [
      '',
      'pp_',
      'x',
      unknown,
      forged,
      `${secret}0`,
      secret.slice(0, -1),
      `${secret} ${secret}`.replace(' ', ''),
    ])
      for (const headers of [{}, { cookie }]) {
        const answer = await t.withToken(wrong).get<Problem>('/businesses', headers)
        expect([wrong, answer.status, answer.body.code]).toEqual([wrong, 401, 'token_invalid'])
        expect(answer.body.detail).toBe('This access token is not valid.')
        expect(answer.headers['www-authenticate']).toMatch(
          /^Bearer realm="Prospect Platform", error="invalid_token", error_description=".+"$/,
        )
      }
  })
  expect(changes).toEqual({})
})

test('with a token and a cookie, the token decides; another scheme leaves the cookie in force', async () => {
  const t = await buildTestApp()
  const { client, id } = await createTestToken(t, { permissions: ['businesses.read', 'businesses.write'] })
  const { users, id: tenantId } = t.tenants.home
  const token = await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' })
  const cookie = `prospect_session=${token}`
  const made = await client.post<{ id: string }>('/businesses', { name: 'By the token' }, { cookie })
  expect(made.status).toBe(201)
  expect(await lastEvent(t, 'business.create')).toMatchObject({ actor: users.operator.id, token_id: id })
  expect((await client.get('/audit-events', { cookie })).status).toBe(403)
  const basic = await t.visitor().get('/audit-events', { cookie, authorization: 'Basic cHJveHk6cHJveHk=' })
  expect(basic.status).toBe(200)
  // The cookie alone cannot change anything without its CSRF token, whatever else the request has.
  const forged = { cookie, authorization: 'Basic cHJveHk6cHJveHk=' }
  expect((await t.visitor().post<Problem>('/businesses', { name: 'Forged' }, forged)).body.code).toBe(
    'csrf_token_invalid',
  )
})

test('a revoked token is refused at the next request, and the refusal is recorded once', async () => {
  const t = await buildTestApp()
  const { client, id } = await createTestToken(t)
  expect(await statusOf(client)).toBe(200)
  const operator = await t.as('operator')
  expect((await operator.delete(`/tokens/${id}`)).status).toBe(204)
  const first = await t.changes(async () => {
    const { status, body } = await client.get<Problem>('/businesses')
    expect([status, body.detail]).toEqual([401, 'This access token was revoked. Create another one.'])
  })
  expect(first).toEqual({ audit_events: 1, access_tokens: 0 })
  expect(await lastEvent(t, 'token.refuse')).toMatchObject({ subject_id: id, actor: 'sign-in' })
  expect(await t.changes(() => client.get('/businesses'))).toEqual({})
  expect(await t.changes(() => operator.delete(`/tokens/${id}`))).toEqual({})
  expect(await tokensOf(operator)).toMatchObject([{ id, status: 'revoked', revokedBy: { name: 'Home operator' } }])
})

test('an expired token is refused, with the time of its end', async () => {
  const t = await buildTestApp()
  const { client, endsAt } = await createTestToken(t, { days: 2 })
  t.clock.advance(2 * DAY_MS - 1)
  expect(await statusOf(client)).toBe(200)
  t.clock.advance(1)
  const { status, body } = await client.get<Problem>('/businesses')
  expect([status, body.detail]).toEqual([401, `This access token expired at ${endsAt}. Create another one.`])
})

test('a token with address ranges is refused from elsewhere', async () => {
  const t = await buildTestApp()
  const { secret } = await createTestToken(t, { addresses: ['10.1.0.0/16', '2001:db8::/32'] })
  for (const address of ['10.1.2.3', '2001:db8::7', '::ffff:10.1.2.3'])
    expect([address, await statusOf(t.withToken(secret, address))]).toEqual([address, 200])
  const { status, body } = await t.withToken(secret, '10.2.0.1').get<Problem>('/businesses')
  expect([status, body.detail]).toEqual([401, 'This access token is not valid at the address of this request.'])
  expect(await lastEvent(t, 'token.refuse')).toBeDefined()
})

test('the last use is written at most once a minute', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t, { permissions: ['businesses.read'] })
  const use = async () => {
    await client.get('/businesses')
    await client.get('/businesses')
    await t.store.writes.idle()
  }
  const lastUse = async () => (await tokensOf(await t.as('operator')))[0]?.lastUsedAt
  const firstUse = t.clock().toISOString()
  await use()
  expect(await lastUse()).toBe(firstUse)
  t.clock.advance(59_000)
  expect(await t.changes(use)).toEqual({})
  t.clock.advance(1_000)
  await use()
  expect(await lastUse()).toBe(t.clock().toISOString())
})

test('a manager sees and revokes the tokens of all members of the workspace, and nobody those of another one', async () => {
  const t = await buildTestApp()
  const { client, id } = await createTestToken(t, { role: 'viewer', name: 'Of the viewer' })
  const elsewhere = await createTestToken(t, { tenant: 'other', name: 'Elsewhere' })
  const manager = await t.as('manager')
  const operator = await t.as('operator')
  expect((await tokensOf(manager, '?scope=workspace')).map(({ name }) => name)).toEqual(['Of the viewer'])
  expect(await tokensOf(manager)).toEqual([])
  expect((await operator.get<Problem>('/tokens?scope=workspace')).body.code).toBe('permission_denied')
  for (const [other, tokenId] of [
    [operator, id],
    [manager, elsewhere.id],
  ] as const)
    expect((await other.delete<Problem>(`/tokens/${tokenId}`)).status).toBe(404)
  expect(await statusOf(client)).toBe(200)
  expect((await manager.delete(`/tokens/${id}`)).status).toBe(204)
  expect(await statusOf(client)).toBe(401)
  expect(await statusOf(elsewhere.client)).toBe(200)
})

test('a new role shrinks the token with its person at once, and gives it back nothing that it was not given', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t, { role: 'manager', permissions: ['audit.read', 'businesses.read'] })
  expect((await client.get('/audit-events')).status).toBe(200)
  const { id } = t.tenants.home.users.manager
  await editMember(t, id, { role: 'viewer' })
  expect((await client.get('/audit-events')).status).toBe(403)
  expect(await statusOf(client)).toBe(200)
  await editMember(t, id, { role: 'administrator' })
  expect((await client.get('/audit-events')).status).toBe(200)
  expect((await client.post<Problem>('/businesses', { name: 'Not permitted' })).body.code).toBe('permission_denied')
})

test('a token ends with the membership of its person, also if the person returns', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t)
  const { id } = t.tenants.home.users.operator
  await editMember(t, id, { status: 'disabled' })
  expect(await statusOf(client)).toBe(401)
  await editMember(t, id, { status: 'active' })
  const { body } = await client.get<Problem>('/businesses')
  expect(body.detail).toContain('ended')
  expect(await tokensOf(await freshClient(t, 'operator'))).toMatchObject([{ status: 'ended' }])
  const again = await createTestToken(t)
  expect(await statusOf(again.client)).toBe(200)
  await (await freshClient(t, 'administrator')).delete(`/users/${id}`)
  expect(await statusOf(again.client)).toBe(401)
})

test('an administrator switches the tokens of a workspace off and on again', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t)
  const elsewhere = await createTestToken(t, { tenant: 'other' })
  const administrator = await freshClient(t, 'administrator')
  const set = async (tokensAllowed: boolean) => {
    const { headers } = await administrator.get<Tenant>('/tenant')
    const sent = { 'if-match': String(headers.etag) }
    expect((await administrator.patch<Tenant>('/tenant', { tokensAllowed }, sent)).body).toMatchObject({
      tokensAllowed,
    })
  }
  await set(false)
  const off = await client.get<Problem>('/businesses')
  expect([off.status, off.body.code]).toEqual([403, 'tokens_off'])
  const body = { name: 'No', permissions: ['businesses.read'], endsAt: inDays(t, 1) }
  expect((await administrator.post<Problem>('/tokens', body)).body.code).toBe('tokens_off')
  expect(await statusOf(elsewhere.client)).toBe(200)
  await set(true)
  expect(await statusOf(client)).toBe(200)
})

test('a token of a person who must first set a password or enrol a factor waits for that', async () => {
  const t = await buildTestApp({ config: { environment: 'production' } })
  const { client } = await createTestToken(t, { role: 'operator' })
  const { id } = t.tenants.home.users.operator
  expect(await statusOf(client)).toBe(200)
  await t.store.write('accounts', async (db) => {
    await db.updateTable('users').set({ must_change_password: 1 }).where('id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  expect((await client.get<Problem>('/businesses')).body.code).toBe('password_change_required')
  await t.store.write('accounts', async (db) => {
    await db.updateTable('users').set({ must_change_password: 0 }).where('id', '=', id).execute()
    await db.updateTable('memberships').set({ role: 'administrator' }).where('user_id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  expect((await client.get<Problem>('/businesses')).body.code).toBe('mfa_required')
})

test('each token has its own rate, which the headers state', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t)
  const other = await createTestToken(t)
  const { max } = TOKEN_REQUESTS
  const { headers } = await client.get('/capabilities')
  expect(headers).toMatchObject({ 'ratelimit-policy': `"token";q=${max};w=60`, ratelimit: `"token";r=${max - 1};t=60` })
  t.clock.advance(20_000)
  for (let count = 1; count < max; count += 1) await client.head('/contact-hours')
  const refused = await client.get<Problem>('/capabilities')
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', limit: 'token_requests', max } })
  expect(refused.headers).toMatchObject({ 'retry-after': '40', ratelimit: '"token";r=0;t=40' })
  expect((await other.client.get('/capabilities')).status).toBe(200)
  t.clock.advance(40_000)
  expect((await client.get('/capabilities')).status).toBe(200)
  expect((await (await t.as('operator')).get('/capabilities')).headers.ratelimit).toBeUndefined()
})

test('a repeated Idempotency-Key returns the result of the first request, also in a session of the person', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t)
  const key = { 'idempotency-key': newId() }
  const made = await client.post<{ id: string }>('/businesses', { name: 'Once' }, key)
  for (const again of [client, await t.as('operator')]) {
    const replay = await again.post<{ id: string }>('/businesses', { name: 'Once' }, key)
    expect(replay).toMatchObject({
      status: 201,
      body: { id: made.body.id },
      headers: { 'idempotency-replayed': 'true' },
    })
  }
})

test('a token without suppression.see_values gets the values of do-not-contact records hidden, as a viewer does', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { emails: [{ value: 'quagga@karoo.co.za' }] })
  await operator.post('/suppressions', {
    kind: 'email',
    value: 'quagga@karoo.co.za',
    reason: 'They asked.',
    channel: 'phone',
  })
  const little = await createTestToken(t, { permissions: ['businesses.read'] })
  const much = await createTestToken(t, { permissions: ['businesses.read', 'suppression.see_values'] })
  const shown = async (client: TestClient) => JSON.stringify((await client.get(`/businesses/${id}`)).body)
  expect(await shown(little.client)).not.toContain('quagga')
  expect(await shown(much.client)).toContain('quagga')
})

test('the administrator of a restored workspace creates tokens again: none of the backup is valid', async () => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t)
  const { change } = await import('../../../store/change/change.ts')
  const { endAccessToTenant, systemActor } = await import('../../identity/identity.ts')
  const actor = systemActor('command line', t.tenants.home.id)
  await change(t.store, actor, { permission: null, action: 'store.restore' }, async (tx) => {
    await endAccessToTenant(tx)
    await tx.record({ subject: { type: 'tenant', id: t.tenants.home.id } })
  })
  expect(await statusOf(client)).toBe(401)
})

test('the work of a job that a token requested names the token', async () => {
  const w = await jobWorld([
    testKind(async ({ effect }) => {
      await effect('one', { action: 'test.trace' }, (tx) => tx.record({ subject: { type: 'test.trace', id: newId() } }))
      return undefined
    }),
  ])
  const { client, id } = await createTestToken(w.t)
  const job = await w.create({}, client)
  w.work()
  await w.ended(job.id)
  const actor = w.t.tenants.home.users.operator.id
  for (const action of ['job.create', 'test.trace'])
    expect([action, await lastEvent(w.t, action)]).toMatchObject([action, { actor, token_id: id }])
})

test('an erasure empties the events of a token and leaves the chain provable, and an emptied event keeps its token', async () => {
  const t = await buildTestApp()
  const { client, id: tokenId } = await createTestToken(t)
  const { id } = await createProspect(client, { name: 'Baobab Bakery' })
  const administrator = await freshClient(t, 'administrator')
  const key = { 'idempotency-key': newId() }
  const erased = await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.', suppress: false }, key)
  expect(erased.status).toBe(200)
  const event = await lastEvent(t, 'business.create')
  expect(event).toMatchObject({ token_id: tokenId, after_json: null })
  expect((await verifyTenant(t.store, t.tenants.home.id)).firstBroken).toBeNull()
  const writer = await writerOf(t.store)
  const relabel = writer
    .updateTable('audit_events')
    .set({ token_id: null })
    .where('id', '=', event?.id ?? '')
  await expect(relabel.execute()).rejects.toThrow('append-only')
  expect(residueOf({ ...event, token_id: null } as AuditEventTable)).not.toBe(residueOf(event as AuditEventTable))
})
