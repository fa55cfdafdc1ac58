import { parseSetCookie } from 'cookie'
import { describe, expect, test } from 'vitest'
import { buildTestApp, TEST_PASSWORD, type TestApp, WEB_ORIGIN } from '../../../../test/build-app.ts'
import {
  type Answered,
  answerFor,
  createSigner,
  createTestProvider,
  ISSUER,
  type TestProvider,
} from '../../../../test/company-provider.ts'
import {
  codeOf,
  enrolApp,
  HOME_ADMINISTRATOR,
  HOME_OPERATOR,
  lastEvent,
  type Person,
  personAt,
} from '../../../../test/person.ts'
import type { Problem } from '../../../../test/prospects.ts'
import { copyTemplateStore } from '../../../../test/template-store.ts'
import { createTestClock } from '../../../../test/test-clock.ts'
import type { CompanySettings, Config } from '../../../config.ts'
import type { OwnSession, User } from '../accounts/users.schema.ts'
import type { CompanyIdentities } from '../company/company.schema.ts'
import type { Session } from '../identity.schema.ts'

type Opened = { t: TestApp; provider: TestProvider }

async function open(settings: Partial<CompanySettings> = {}, config: Partial<Config> = {}): Promise<Opened> {
  const clock = createTestClock()
  const provider = await createTestProvider(settings, clock)
  const over = { ...(await copyTemplateStore()), clock }
  return { t: await buildTestApp({ over, config: { ...config, companySignIn: provider.settings } }), provider }
}

async function link(person: Person, provider: TestProvider): Promise<void> {
  const { status, body } = await person.post('/company-identities', await answerFor(person, provider, { link: true }))
  expect([status, body]).toEqual([204, null])
}

/** Opens the app with an operator who has linked a company account and has signed out. */
async function openLinked(settings: Partial<CompanySettings> = {}, config: Partial<Config> = {}) {
  const opened = await open(settings, config)
  const operator = personAt(opened.t)
  await operator.signIn(HOME_OPERATOR)
  await link(operator, opened.provider)
  await operator.delete('/session')
  return { ...opened, operator }
}

const signInBy = (person: Person, answer: object) => person.post<Session & Problem>('/session/company', answer)

async function signInByCompany(person: Person, provider: TestProvider, claims = {}) {
  return signInBy(person, await answerFor(person, provider, { claims }))
}

async function unknownAttempts(t: TestApp): Promise<string[]> {
  const rows = await t.store.reader.selectFrom('unknown_attempts').select('tried').orderBy('id').execute()
  return rows.map(({ tried }) => tried)
}

const afterOf = async (t: TestApp, action: string): Promise<unknown> =>
  JSON.parse((await lastEvent(t, action))?.after_json ?? 'null')

const refused = (reason: string) => ({ status: 422, body: { code: 'company_sign_in_refused', reason } })

describe('without a provider', () => {
  test('company sign-in is off: nothing is offered, started, accepted or linked', async () => {
    const t = await buildTestApp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    expect((await operator.get('/session/company')).body).toEqual({ name: null })
    expect((await operator.get('/company-identities')).body).toEqual({ name: null, identities: [] })
    const answer = { idToken: 'a.b.c', state: 's' }
    const tried: [string, object][] = [
      ['/session/company/request', {}],
      ['/session/company', answer],
      ['/company-identities/request', {}],
      ['/company-identities', answer],
    ]
    for (const [path, body] of tried)
      expect(await operator.post(path, body)).toMatchObject({ status: 422, body: { code: 'company_sign_in_off' } })
  })
})

describe('starting at the provider', () => {
  test('asks for an ID token by form post, with a state and a nonce of this browser, and keeps the query of the endpoint', async () => {
    const { t } = await open()
    const { body, headers } = await t.visitor().post<{ url: string }>('/session/company/request', {})
    const url = new URL(body.url)
    expect(`${url.origin}${url.pathname}`).toBe('https://id.company.example/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: 'one',
      response_type: 'id_token',
      response_mode: 'form_post',
      scope: 'openid',
      client_id: 'prospect-platform',
      redirect_uri: `${WEB_ORIGIN}/sign-in/company`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const cookie = parseSetCookie(String(headers['set-cookie']))
    expect(cookie).toMatchObject({ name: 'prospect_company', httpOnly: true, sameSite: 'lax', maxAge: 900, path: '/' })
    expect(body.url).not.toContain(cookie?.value)
  })

  test('in production the cookie is sent over TLS only and to this host only', async () => {
    const { t } = await open({}, { environment: 'production' })
    const { headers } = await t.visitor().post('/session/company/request', {})
    expect(headers['set-cookie']).toMatch(/^__Host-prospect_company=.*Secure/)
  })

  test('from a page of another site is refused', async () => {
    const { t } = await open()
    const answer = await t.visitor().post('/session/company/request', {}, { origin: 'https://evil.example' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'csrf_token_invalid' } })
  })

  test('two tabs of one browser can each complete their sign-in', async () => {
    const { provider, operator } = await openLinked()
    const first = await answerFor(operator, provider)
    const second = await answerFor(operator, provider)
    expect((await signInBy(operator, first)).status).toBe(201)
    expect((await signInBy(operator, second)).status).toBe(201)
  })
})

describe('linking', () => {
  test('lists the account, records it, ends the other sessions, and shows it to administrators', async () => {
    const { t, provider } = await open()
    const [operator, elsewhere] = [personAt(t), personAt(t)]
    await elsewhere.signIn(HOME_OPERATOR)
    await operator.signIn(HOME_OPERATOR)
    await link(operator, provider)
    const { body } = await operator.get<CompanyIdentities>('/company-identities')
    const id = body.identities[0]?.id
    const linkedAt = t.clock().toISOString()
    expect(body).toEqual({
      name: 'Example Directory',
      identities: [{ id, issuer: ISSUER, isCurrent: true, linkedAt, lastUsedAt: null }],
    })
    const { id: userId } = t.tenants.home.users.operator
    expect(await lastEvent(t, 'company.link')).toMatchObject({
      actor: userId,
      subject_type: 'user',
      subject_id: userId,
    })
    expect(await afterOf(t, 'company.link')).toEqual({
      address: '10.1.1.1',
      agent: 'Test browser',
      issuer: ISSUER,
      identityId: id,
    })
    expect((await elsewhere.get('/session')).status).toBe(401)
    const users = (await (await t.as('administrator')).get<{ items: User[] }>('/users')).body.items
    expect(users.filter(({ hasCompanyAccount }) => hasCompanyAccount).map((user) => user.id)).toEqual([userId])
  })

  test('requires a fresh proof, both to start and to finish', async () => {
    const { t, provider } = await open()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const answer = await answerFor(operator, provider, { link: true })
    t.clock.advance(16 * 60_000)
    const stale = { status: 403, body: { code: 'step_up_required' } }
    expect(await operator.post('/company-identities/request', {})).toMatchObject(stale)
    expect(await operator.post('/company-identities', answer)).toMatchObject(stale)
  })

  test('an answer to a sign-in, to another session or to another browser links nothing', async () => {
    const { t, provider } = await open()
    const [operator, viewer] = [personAt(t), personAt(t)]
    await operator.signIn(HOME_OPERATOR)
    await viewer.signIn('viewer@home.example')
    const answers = [await answerFor(operator, provider), await answerFor(viewer, provider, { link: true })]
    for (const answer of answers)
      expect(await operator.post('/company-identities', answer)).toMatchObject(refused('state'))
    expect(await afterOf(t, 'company.fail')).toMatchObject({ by: 'company sign-in', reason: 'state' })
    expect(await t.store.reader.selectFrom('company_identities').selectAll().execute()).toEqual([])
  })

  test('an account that is linked to somebody else is refused and recorded', async () => {
    const { t, provider } = await openLinked()
    const viewer = personAt(t)
    await viewer.signIn('viewer@home.example')
    const answer = await answerFor(viewer, provider, { link: true })
    expect(await viewer.post('/company-identities', answer)).toMatchObject(refused('linked_elsewhere'))
    expect(await lastEvent(t, 'company.fail')).toMatchObject({ subject_id: t.tenants.home.users.viewer.id })
    expect(await afterOf(t, 'company.fail')).toMatchObject({ reason: 'linked_elsewhere' })
  })

  test('a second account of the same provider is a conflict', async () => {
    const { provider, operator } = await openLinked()
    await operator.signIn(HOME_OPERATOR)
    const answer = await answerFor(operator, provider, { link: true, claims: { sub: 'another' } })
    expect(await operator.post('/company-identities', answer)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  test('unlinking requires a fresh proof, ends the other sessions, and makes the account useless', async () => {
    const { t, provider, operator } = await openLinked()
    expect((await signInByCompany(operator, provider)).status).toBe(201)
    const { identities } = (await operator.get<CompanyIdentities>('/company-identities')).body
    const path = `/company-identities/${identities[0]?.id}`
    expect(await operator.delete(path)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    const other = personAt(t)
    await other.signIn(HOME_OPERATOR)
    await operator.post('/session/mfa', { password: TEST_PASSWORD })
    const viewer = personAt(t)
    await viewer.signIn('viewer@home.example')
    expect((await viewer.delete(path)).status).toBe(404)
    expect((await operator.delete(path)).status).toBe(204)
    expect(await afterOf(t, 'company.unlink')).toMatchObject({ identityId: identities[0]?.id })
    expect((await other.get('/session')).status).toBe(401)
    expect(await signInByCompany(personAt(t), provider)).toMatchObject(refused('not_linked'))
  })

  test('an account that is deleted can be linked by somebody else', async () => {
    const { t, provider } = await openLinked()
    const administrator = personAt(t)
    await administrator.signIn(HOME_ADMINISTRATOR)
    expect((await administrator.delete(`/users/${t.tenants.home.users.operator.id}`)).status).toBe(204)
    const viewer = personAt(t)
    await viewer.signIn('viewer@home.example')
    await link(viewer, provider)
  })

  test('an account of a provider that the operator replaced is shown as such and can be unlinked', async () => {
    const { t } = await openLinked()
    const { dataDir } = t.store
    const provider = await createTestProvider({ issuer: 'https://new.example' }, t.clock)
    const config = { companySignIn: provider.settings }
    const again = await buildTestApp({ over: { dataDir, tenants: t.tenants, clock: t.clock }, config })
    const operator = personAt(again)
    await operator.signIn(HOME_OPERATOR)
    const [old] = (await operator.get<CompanyIdentities>('/company-identities')).body.identities
    expect(old).toMatchObject({ issuer: ISSUER, isCurrent: false })
    const claims = { iss: 'https://new.example' }
    const answer = await answerFor(operator, provider, { link: true, claims })
    expect((await operator.post('/company-identities', answer)).status).toBe(204)
    expect((await operator.delete(`/company-identities/${old?.id}`)).status).toBe(204)
  })
})

describe('signing in', () => {
  test('begins one session that is recorded as such, and proves nothing that a dangerous action needs', async () => {
    const { t, provider, operator } = await openLinked()
    const answer = await answerFor(operator, provider)
    const changes = await t.changes(async () => {
      const { status, body, headers } = await signInBy(operator, answer)
      expect([status, headers.location]).toEqual([201, '/api/v1/session'])
      expect(body).toMatchObject({
        user: { email: HOME_OPERATOR },
        assurance: 'company',
        hold: null,
        stepUp: { method: 'password', freshUntil: null },
      })
    })
    expect(changes).toEqual({ audit_events: 1, company_identities: 0, sessions: 1 })
    expect(await afterOf(t, 'session.start')).toMatchObject({ by: 'company sign-in' })
    const { items } = (await operator.get<{ items: OwnSession[] }>('/sessions')).body
    expect(items).toMatchObject([{ current: true, assurance: 'company' }])
    const { identities } = (await operator.get<CompanyIdentities>('/company-identities')).body
    expect(identities[0]?.lastUsedAt).toBe(t.clock().toISOString())
  })

  test('a token whose email address has an account here signs nobody in', async () => {
    const { t, provider } = await open()
    const claims = { sub: 'unlinked', email: HOME_OPERATOR, email_verified: true }
    expect(await signInByCompany(personAt(t), provider, claims)).toMatchObject(refused('not_linked'))
    expect(await unknownAttempts(t)).toEqual(['company sign-in: not_linked'])
  })

  test('asks for the second factor as after a password, and only it is a fresh proof', async () => {
    const { t, provider } = await open()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const { secret } = await enrolApp(t, operator)
    await link(operator, provider)
    await operator.delete('/session')
    expect((await signInByCompany(operator, provider, { amr: ['mfa'] })).body.hold).toBe('second_factor')
    const { body } = await operator.post<Session>('/session/mfa', { code: codeOf(t, secret) })
    expect(body).toMatchObject({ hold: null, assurance: 'mfa', stepUp: { freshUntil: expect.any(String) } })
  })

  test('with a trusted value, the factor of the provider counts, from the time at which it was checked', async () => {
    const { t, provider, operator } = await openLinked({ trustedAmr: ['mfa'] })
    const auth_time = t.clock().getTime() / 1_000 - 600
    const { body } = await signInByCompany(operator, provider, { amr: ['mfa'], auth_time })
    const at = t.clock().getTime()
    expect(body).toMatchObject({ hold: null, stepUp: { freshUntil: new Date(at + 300_000).toISOString() } })
    expect(await afterOf(t, 'session.start')).toMatchObject({ companyFactorAt: new Date(at - 600_000).toISOString() })
  })

  test('administrators in production prove a factor to this server, also with a trusted value', async () => {
    const { t, provider } = await open({ trustedAmr: ['mfa'] }, { environment: 'production' })
    const administrator = personAt(t)
    await administrator.signIn(HOME_ADMINISTRATOR)
    const { secret } = await enrolApp(t, administrator)
    await link(administrator, provider)
    await administrator.delete('/session')
    const auth_time = t.clock().getTime() / 1_000
    const { body } = await signInByCompany(administrator, provider, { amr: ['mfa'], auth_time })
    expect(body).toMatchObject({ hold: 'second_factor', stepUp: { freshUntil: null } })
    const proven = await administrator.post<Session>('/session/mfa', { code: codeOf(t, secret) })
    expect(proven.body.hold).toBe(null)
  })

  test('ends the session that the browser had', async () => {
    const { t, provider, operator } = await openLinked()
    await operator.signIn(HOME_OPERATOR)
    const before = operator.token()
    expect((await signInByCompany(operator, provider)).status).toBe(201)
    expect((await t.withSession(before).get('/session')).status).toBe(401)
  })

  test('of a member who was disabled is refused like an account that is not linked', async () => {
    const { t, provider, operator } = await openLinked()
    const administrator = personAt(t)
    await administrator.signIn(HOME_ADMINISTRATOR)
    const { id } = t.tenants.home.users.operator
    const path = `/users/${id}`
    const { headers } = await administrator.get(path)
    await administrator.patch(path, { status: 'disabled' }, { 'if-match': String(headers.etag) })
    expect(await signInByCompany(operator, provider)).toMatchObject(refused('not_linked'))
  })
})

describe('a refused answer', () => {
  test('that is correctly signed is recorded for the person whom it names, otherwise for nobody', async () => {
    const { t, provider, operator } = await openLinked()
    const { id } = t.tenants.home.users.operator
    const before = t.clock().getTime() / 1_000
    expect(await signInByCompany(operator, provider, { exp: before - 100 })).toMatchObject(refused('expired'))
    expect(await lastEvent(t, 'session.fail')).toMatchObject({ subject_id: id })
    expect(await afterOf(t, 'session.fail')).toMatchObject({ by: 'company sign-in', reason: 'expired' })
    const by = await createSigner('unknown key')
    expect(await signInBy(operator, await answerFor(operator, provider, { by }))).toMatchObject(refused('unknown_key'))
    expect(await unknownAttempts(t)).toEqual(['company sign-in: unknown_key'])
  })

  test.each<[string, (answer: Answered) => object, reason: string]>([
    ['of an unknown state', (answer) => ({ ...answer, state: 'unknown' }), 'state'],
    ['that is too long', (answer) => ({ ...answer, idToken: 'x'.repeat(20_000) }), 'too_long'],
    ['without a token', () => ({ error: 'access_denied' }), 'provider_refused'],
  ])('%s', async (_what, changed, reason) => {
    const { t, provider, operator } = await openLinked()
    const answer = await signInBy(operator, changed(await answerFor(operator, provider)))
    expect(answer).toMatchObject(refused(reason))
    expect(await unknownAttempts(t)).toEqual([`company sign-in: ${reason}`])
  })

  test('a token of half a megabyte is refused before it is read', async () => {
    const { operator } = await openLinked()
    const answer = await signInBy(operator, { idToken: 'x'.repeat(500_000), state: 's' })
    expect(answer).toMatchObject({ status: 413, body: { code: 'too_large' } })
  })

  test('replayed, also after it was refused for another reason', async () => {
    const { provider, operator } = await openLinked()
    const answer = await answerFor(operator, provider)
    expect((await signInBy(operator, answer)).status).toBe(201)
    expect(await signInBy(operator, answer)).toMatchObject(refused('state'))
    const spoiled = await answerFor(operator, provider)
    expect(await signInBy(operator, { ...spoiled, idToken: 'a.b.c' })).toMatchObject(refused('malformed'))
    expect(await signInBy(operator, spoiled)).toMatchObject(refused('state'))
  })

  test('with the state of one sign-in and the token of another', async () => {
    const { provider, operator } = await openLinked()
    const [one, other] = [await answerFor(operator, provider), await answerFor(operator, provider)]
    expect(await signInBy(operator, { ...one, idToken: other.idToken })).toMatchObject(refused('nonce'))
  })

  test('obtained by somebody else signs nobody in under their account: the state belongs to their browser', async () => {
    const { t, provider } = await openLinked()
    const [attacker, victim] = [personAt(t), personAt(t)]
    const answer = await answerFor(attacker, provider)
    await answerFor(victim, provider)
    expect(await signInBy(victim, answer)).toMatchObject(refused('state'))
  })

  test('later than a quarter of an hour', async () => {
    const { t, provider, operator } = await openLinked()
    const answer = await answerFor(operator, provider)
    t.clock.advance(15 * 60_000)
    expect(await signInBy(operator, answer)).toMatchObject(refused('state'))
  })

  test('repeated often from one address waits like wrong passwords', async () => {
    const { t, operator } = await openLinked()
    const wrong = { idToken: 'a.b.c', state: 's' }
    const statuses = []
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await signInBy(operator, wrong)).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect(t.logged()).not.toContain('a.b.c')
  })
})

describe('a key file that cannot be used', () => {
  const secret = { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }
  test.each<[string, (provider: TestProvider) => void]>([
    ['missing', (provider) => provider.removeKeys()],
    ['without keys', (provider) => provider.writeKeys({ keys: [] })],
    ['half written', (provider) => provider.writeKeys('{"keys":')],
    ['with secret keys', (provider) => provider.writeKeys(secret)],
  ])('%s: nobody signs in, passwords work, and the next file is used at once', async (_what, spoil) => {
    const { t, provider, operator } = await openLinked()
    const answer = await answerFor(operator, provider)
    spoil(provider)
    const unavailable = { status: 503, body: { code: 'unavailable', reason: 'company_keys' } }
    expect(await signInBy(operator, answer)).toMatchObject(unavailable)
    expect(t.logged()).toContain('company_keys')
    expect((await operator.signIn(HOME_OPERATOR)).status).toBe(201)
    provider.writeKeys()
    expect((await signInBy(operator, answer)).status).toBe(201)
  })

  test('renewed keys are used without a restart, and a removed one is no longer trusted', async () => {
    const { provider, operator } = await openLinked()
    const by = await createSigner('second key')
    provider.writeKeys({ keys: [by.jwk] })
    expect((await signInBy(operator, await answerFor(operator, provider, { by }))).status).toBe(201)
    expect(await signInByCompany(operator, provider)).toMatchObject(refused('unknown_key'))
  })
})
