import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { enrolApp, HOME_OPERATOR, lastEvent, type Person, personAt } from '../../../../test/person.ts'
import type { Problem } from '../../../../test/prospects.ts'
import { createAuthenticator, type Page, type SoftwareAuthenticator } from '../../../../test/software-authenticator.ts'
import { createTestClock } from '../../../../test/test-clock.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { createChallenges, MAX_OPEN } from '../factors/challenges.ts'
import type { Factors, Passkey } from '../factors/factors.schema.ts'
import { checkInThread, MAX_WAITING } from '../factors/passkey-thread.ts'
import type { Session } from '../identity.schema.ts'
import { OF_ONE_SOURCE } from '../limits/sign-in-limits.ts'

async function enrol(person: Person, authenticator: SoftwareAuthenticator, page: Page = {}) {
  const options = (await person.post('/mfa/passkeys/options', {})).body
  const passkey = authenticator.create(options, page)
  return person.post<{ passkey: Passkey; recoveryCodes: string[] | null }>('/mfa/passkeys', { name: 'Laptop', passkey })
}

async function operatorWithPasskey() {
  const t = await buildTestApp()
  const operator = personAt(t)
  await operator.signIn(HOME_OPERATOR)
  const authenticator = createAuthenticator()
  const { body } = await enrol(operator, authenticator)
  return { t, operator, authenticator, enrolled: body }
}

async function heldPerson(t: TestApp): Promise<Person> {
  const person = personAt(t, { address: '10.2.2.2' })
  expect((await person.signIn(HOME_OPERATOR)).body.hold).toBe('second_factor')
  return person
}

async function signInByPasskey(person: Person, authenticator: SoftwareAuthenticator, page: Page = {}) {
  const options = (await person.post('/session/passkey/options', {})).body
  return person.post<Session & Problem>('/session/passkey', { passkey: authenticator.get(options, page) })
}

describe('enrolling a passkey', () => {
  test('counts as a second factor, includes recovery codes, and is listed by its name', async () => {
    const { t, operator, enrolled } = await operatorWithPasskey()
    expect(enrolled.recoveryCodes).toHaveLength(10)
    expect((await operator.get<Factors>('/mfa')).body.passkeys).toEqual([
      { id: enrolled.passkey.id, name: 'Laptop', createdAt: t.clock().toISOString(), lastUsedAt: null },
    ])
    expect((await operator.get<Session>('/session')).body).toMatchObject({
      assurance: 'mfa',
      secondFactor: { enrolled: true, methods: ['passkey', 'recovery_code'] },
    })
    expect((await lastEvent(t, 'mfa.enrol'))?.subject_id).toBe(t.tenants.home.users.operator.id)
  })

  test('from another origin, for another host or by another session is refused and changes only the audit', async () => {
    const t = await buildTestApp()
    const [operator, viewer] = [personAt(t), personAt(t)]
    await operator.signIn(HOME_OPERATOR)
    await viewer.signIn('viewer@home.example')
    const options = (await operator.post('/mfa/passkeys/options', {})).body
    const attempts = [
      await enrol(operator, createAuthenticator(), { origin: 'https://evil.example' }),
      await enrol(operator, createAuthenticator('evil.example')),
      await viewer.post('/mfa/passkeys', { name: 'Mine', passkey: createAuthenticator().create(options) }),
    ]
    for (const answer of attempts) expect(answer).toMatchObject({ status: 422, body: { code: 'passkey_invalid' } })
    expect(await t.store.reader.selectFrom('passkeys').selectAll().execute()).toEqual([])
    expect((await lastEvent(t, 'mfa.fail'))?.after_json).toContain('passkey enrolment')
  })

  test('answers each challenge once, and not after five minutes', async () => {
    const t = await buildTestApp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const options = (await operator.post('/mfa/passkeys/options', {})).body
    const first = { name: 'Laptop', passkey: createAuthenticator().create(options) }
    expect((await operator.post('/mfa/passkeys', first)).status).toBe(201)
    const second = { name: 'Copy', passkey: createAuthenticator().create(options) }
    expect((await operator.post('/mfa/passkeys', second)).status).toBe(422)
    const late = (await operator.post('/mfa/passkeys/options', {})).body
    t.clock.advance(5 * 60_000)
    const tooLate = { name: 'Late', passkey: createAuthenticator().create(late) }
    expect((await operator.post('/mfa/passkeys', tooLate)).status).toBe(422)
  })

  test('is refused for a known one, and beyond ten', async () => {
    const { operator, authenticator } = await operatorWithPasskey()
    expect(await enrol(operator, authenticator)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (let i = 0; i < 9; i++) expect((await enrol(operator, createAuthenticator())).status).toBe(201)
    expect(await enrol(operator, createAuthenticator())).toMatchObject({
      status: 422,
      body: { code: 'limit_reached', limit: 'passkeys', size: 10, max: 10 },
    })
  })
})

describe('a passkey as second factor', () => {
  test('completes a sign-in', async () => {
    const { t, authenticator } = await operatorWithPasskey()
    const held = await heldPerson(t)
    const options = (await held.post('/session/passkey-options', {})).body
    const { status, body } = await held.post<Session>('/session/mfa', { passkey: authenticator.get(options) })
    expect([status, body.hold, body.assurance]).toEqual([200, null, 'mfa'])
  })

  test('of another person, from another origin, replayed, with a decreased counter or unknown is refused alike', async () => {
    const { t, operator, authenticator } = await operatorWithPasskey()
    const strangers = createAuthenticator()
    const viewer = personAt(t)
    await viewer.signIn('viewer@home.example')
    await enrol(viewer, strangers)
    const held = await heldPerson(t)
    const ask = async (make: (options: unknown) => unknown) => {
      const options = (await held.post('/session/passkey-options', {})).body
      return held.post<Problem>('/session/mfa', { passkey: make(options) })
    }
    const others = (await operator.post('/session/passkey-options', {})).body
    const answers = [
      await ask((options) => strangers.get(options)),
      await ask((options) => authenticator.get(options, { origin: 'https://evil.example' })),
      await ask(() => authenticator.get(others)),
      await ask((options) => createAuthenticator().get(options)),
    ]
    const bodies = answers.map(({ body }) => ({ ...body, requestId: '' }))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 422, body: { code: 'second_factor_invalid' } })
    t.clock.advance(3_600_000)
    expect((await ask((options) => authenticator.get(options, { counter: 50 }))).status).toBe(200)
    expect((await ask((options) => authenticator.get(options, { counter: 49 }))).status).toBe(422)
  })
})

describe('a passkey in place of the password', () => {
  test('signs in with the assurance of both, without a password', async () => {
    const { t, authenticator } = await operatorWithPasskey()
    const person = personAt(t)
    const { status, body } = await signInByPasskey(person, authenticator)
    expect([status, body.assurance, body.hold]).toEqual([201, 'mfa', null])
    expect(body.user.email).toBe(HOME_OPERATOR)
    expect((await lastEvent(t, 'session.start'))?.after_json).toContain('"by":"passkey"')
  })

  test('that is unknown, does not verify its holder, has another origin or belongs to a disabled user gets the same response', async () => {
    const { t, operator, authenticator } = await operatorWithPasskey()
    const answers = [
      await signInByPasskey(personAt(t), createAuthenticator()),
      await signInByPasskey(personAt(t), authenticator, { userVerified: false }),
      await signInByPasskey(personAt(t), authenticator, { origin: 'https://evil.example' }),
    ]
    await (await writerOf(t.store))
      .updateTable('users')
      .set({ status: 'disabled' })
      .where('email', '=', HOME_OPERATOR)
      .execute()
    answers.push(await signInByPasskey(personAt(t), authenticator))
    for (const answer of answers) expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect((await operator.get('/session')).status).toBe(401)
    expect((await lastEvent(t, 'session.fail'))?.after_json).toContain('"by":"passkey"')
    expect(await t.store.reader.selectFrom('unknown_attempts').select('tried').execute()).toEqual([
      { tried: 'passkey' },
    ])
  })

  test('does not accept a challenge of a step-up', async () => {
    const { t, operator, authenticator } = await operatorWithPasskey()
    const options = (await operator.post('/session/passkey-options', {})).body
    const answer = await personAt(t).post('/session/passkey', { passkey: authenticator.get(options) })
    expect(answer.status).toBe(401)
  })

  test.each(['a b', '[::1', 'karoo:99999', ':'])('issues no challenge for an impossible host: %j', async (host) => {
    const t = await buildTestApp()
    const url = '/api/v1/session/passkey/options'
    const answer = await t.app.inject({ method: 'POST', url, headers: { host }, payload: {} })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request'])
  })

  test('limits the number of challenges', async () => {
    const t = await buildTestApp()
    const visitor = t.visitor('10.3.3.3')
    for (let i = 0; i < 120; i++) await visitor.post('/session/passkey/options', {})
    expect(await visitor.post('/session/passkey/options', {})).toMatchObject({ status: 429 })
    // The routes of one-time links count against the same limit.
    const token = 'made-up'
    expect(await visitor.post('/one-time-links/check', { token })).toMatchObject({ status: 429 })
    expect(await visitor.post('/one-time-links/use', { token, password: 'x' })).toMatchObject({ status: 429 })
  })

  test('waits after too many refusals, and does not count when it is correct', async () => {
    const { t, authenticator } = await operatorWithPasskey()
    const person = personAt(t, { address: '10.3.3.3' })
    const evil = { origin: 'https://evil.example' }
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) expect((await signInByPasskey(person, authenticator)).status).toBe(201)
    for (let i = 0; i < OF_ONE_SOURCE.free; i++)
      expect((await signInByPasskey(person, authenticator, evil)).status).toBe(401)
    expect((await signInByPasskey(person, authenticator)).status).toBe(429)
  })
})

describe('removing a passkey', () => {
  test('ends the other sessions; another person’s passkey is not found', async () => {
    const { t, operator, authenticator, enrolled } = await operatorWithPasskey()
    const elsewhere = personAt(t)
    await signInByPasskey(elsewhere, authenticator)
    const viewer = personAt(t)
    await viewer.signIn('viewer@home.example')
    expect((await viewer.delete(`/mfa/passkeys/${enrolled.passkey.id}`)).status).toBe(404)
    expect((await operator.delete(`/mfa/passkeys/${enrolled.passkey.id}`)).status).toBe(204)
    expect((await elsewhere.get('/session')).status).toBe(401)
    expect((await signInByPasskey(elsewhere, authenticator)).status).toBe(401)
  })
})

test('when the queue of checks is full, the last passkey gets a retry response', async () => {
  const checks = await Promise.allSettled(Array.from({ length: MAX_WAITING + 1 }, () => checkInThread({})))
  expect(checks.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_WAITING)
  expect(checks.at(-1)).toMatchObject({ reason: { code: 'unavailable' } })
})

test('a valid passkey that finds the queue full is not counted or recorded as wrong', async () => {
  const { t, authenticator } = await operatorWithPasskey()
  const held = personAt(t, { address: '10.2.2.2' })
  await held.signIn(HOME_OPERATOR)
  for (let tries = 0; tries <= OF_ONE_SOURCE.free; tries++) {
    const { body: asked } = await held.post<Parameters<SoftwareAuthenticator['get']>[0]>('/session/passkey-options', {})
    const passkey = authenticator.get(asked)
    let isOver = false
    const keepBusy = async () => {
      while (!isOver) await checkInThread({}).catch(() => delay(1))
    }
    const busy = Promise.all(Array.from({ length: MAX_WAITING * 2 }, keepBusy))
    await delay(20)
    const { status, body } = await held.post<Problem>('/session/mfa', { passkey })
    isOver = true
    await busy
    expect([status, body.code]).toEqual([503, 'unavailable'])
  }
  expect(await lastEvent(t, 'mfa.fail')).toBeUndefined()
})

test('the number of open challenges is bounded: the oldest is dropped', () => {
  const challenges = createChallenges(createTestClock())
  const issued = Array.from({ length: MAX_OPEN + 1 }, () => challenges.issue('sign in'))
  const [oldest = '', next = ''] = issued
  expect([challenges.take('sign in', oldest), challenges.take('sign in', next)]).toEqual([false, true])
})

describe('a passkey and an app', () => {
  test('share the recovery codes: the second factor adds none, and removing the last deletes them', async () => {
    const { t, operator, enrolled } = await operatorWithPasskey()
    const { recoveryCodes } = await enrolApp(t, operator)
    expect(recoveryCodes).toEqual([])
    const [code] = enrolled.recoveryCodes ?? []
    expect((await operator.delete(`/mfa/passkeys/${enrolled.passkey.id}`)).status).toBe(204)
    expect((await (await heldPerson(t)).post('/session/mfa', { recoveryCode: code })).status).toBe(200)
    expect((await operator.delete('/mfa/totp')).status).toBe(204)
    expect((await operator.get<Factors>('/mfa')).body.recoveryCodesLeft).toBe(0)
  })

  test('are both removed when an administrator resets the factors', async () => {
    const { t, operator, authenticator } = await operatorWithPasskey()
    await enrolApp(t, operator)
    const { id } = t.tenants.home.users.operator
    const administrator = await t.as('administrator')
    expect((await administrator.post(`/users/${id}/second-factor-reset`, {})).status).toBe(204)
    expect((await signInByPasskey(personAt(t), authenticator)).status).toBe(401)
    expect((await personAt(t).signIn(HOME_OPERATOR)).body).toMatchObject({ hold: null, secondFactor: { methods: [] } })
  })
})
