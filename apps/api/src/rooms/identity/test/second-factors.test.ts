import { describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
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
import type { Enrolment, Factors } from '../factors/factors.schema.ts'
import type { Session } from '../identity.schema.ts'
import { OF_ONE_SOURCE } from '../limits/sign-in-limits.ts'

const MINUTE_MS = 60_000

async function operatorWithApp() {
  const t = await buildTestApp()
  const operator = personAt(t)
  await operator.signIn(HOME_OPERATOR)
  const enrolled = await enrolApp(t, operator)
  return { t, operator, ...enrolled }
}

/** Signs in with the password from another browser. The session then waits for the second factor. */
async function heldPerson(t: TestApp, email = HOME_OPERATOR): Promise<Person> {
  const person = personAt(t, { address: '10.2.2.2' })
  expect((await person.signIn(email)).body.hold).toBe('second_factor')
  return person
}

describe('enrolling an authenticator app', () => {
  test('shows the secret once, stores it encrypted, and returns ten recovery codes of which only hashes are stored', async () => {
    const { t, operator, secret, recoveryCodes } = await operatorWithApp()
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    const factor = await t.store.reader.selectFrom('totp_factors').selectAll().executeTakeFirstOrThrow()
    const kept = await t.store.reader.selectFrom('recovery_codes').selectAll().execute()
    const events = await t.store.reader.selectFrom('audit_events').selectAll().execute()
    const stored = JSON.stringify([factor, kept, events])
    for (const value of [secret, ...recoveryCodes]) {
      expect(stored).not.toContain(value)
      expect(t.logged()).not.toContain(value)
    }
    expect((await operator.get<Factors>('/mfa')).body).toEqual({
      required: false,
      totp: { enrolledAt: factor.enrolled_at },
      passkeys: [],
      recoveryCodesLeft: 10,
    })
  })

  test('returns an address for a QR code with the secret, the person and the product', async () => {
    const t = await buildTestApp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const { body } = await operator.post<Enrolment>('/mfa/enrolment', {})
    const uri = new URL(body.otpauthUri)
    expect(`${uri.protocol}//${uri.host}${decodeURIComponent(uri.pathname)}`).toBe(
      `otpauth://totp/Prospect Platform:${HOME_OPERATOR}`,
    )
    expect(uri.searchParams.get('secret')).toBe(body.secret)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  test('verifies the enrolling session, replaces its cookie and ends the others', async () => {
    const t = await buildTestApp()
    const [operator, elsewhere] = [personAt(t), personAt(t, { address: '10.2.2.2' })]
    await operator.signIn(HOME_OPERATOR)
    await elsewhere.signIn(HOME_OPERATOR)
    const before = operator.token()
    await enrolApp(t, operator)
    expect(operator.token()).not.toBe(before)
    expect((await t.withSession(before).get('/session')).status).toBe(401)
    expect((await elsewhere.get('/session')).status).toBe(401)
    expect((await operator.get<Session>('/session')).body).toMatchObject({ assurance: 'mfa', hold: null })
  })

  test('is confirmed once: a repeated confirmation does not restore a removed app', async () => {
    const t = await buildTestApp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const { secret } = await enrolApp(t, operator)
    expect((await operator.delete('/mfa/totp')).status).toBe(204)
    const again = await operator.post<Problem>('/mfa/enrolment/confirmation', { code: codeOf(t, secret) })
    expect(again.body.code).toBe('enrolment_expired')
  })

  test('cannot be confirmed by another session, too late, by a wrong code, or without a beginning', async () => {
    const t = await buildTestApp()
    const [operator, elsewhere] = [personAt(t), personAt(t, { address: '10.2.2.2' })]
    await operator.signIn(HOME_OPERATOR)
    await elsewhere.signIn(HOME_OPERATOR)
    const { secret } = (await operator.post<Enrolment>('/mfa/enrolment', {})).body
    const confirm = (person: Person, code: string) => person.post<Problem>('/mfa/enrolment/confirmation', { code })
    const refused: unknown[] = []
    const changes = await t.changes(async () => {
      refused.push((await confirm(elsewhere, codeOf(t, secret))).body.code)
      refused.push((await confirm(operator, codeOf(t, secret, 5))).body.code)
      refused.push((await confirm(operator, 'abcdef')).body.code)
    })
    expect(refused).toEqual(['enrolment_expired', 'second_factor_invalid', 'second_factor_invalid'])
    expect(changes).toEqual({ audit_events: 3 })
    t.clock.advance(15 * MINUTE_MS)
    await operator.post('/session/mfa', { password: 'wide acacia over the dry river' })
    expect((await confirm(operator, codeOf(t, secret))).body.code).toBe('enrolment_expired')
  })

  test('waits after too many wrong codes', async () => {
    const t = await buildTestApp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    const { secret } = (await operator.post<Enrolment>('/mfa/enrolment', {})).body
    const confirm = (code: string) => operator.post('/mfa/enrolment/confirmation', { code })
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) expect((await confirm(codeOf(t, secret, 5))).status).toBe(422)
    expect(await confirm(codeOf(t, secret))).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    t.clock.advance(OF_ONE_SOURCE.firstMs)
    expect((await confirm(codeOf(t, secret))).status).toBe(200)
  })

  test('requires a recent proof of identity', async () => {
    const t = await buildTestApp()
    const operator = personAt(t)
    await operator.signIn(HOME_OPERATOR)
    t.clock.advance(15 * MINUTE_MS)
    await operator.get('/session')
    const changes = await t.changes(async () => {
      for (const path of ['/mfa/enrolment', '/mfa/passkeys/options']) {
        expect(await operator.post(path, {})).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
      }
    })
    expect(changes).toEqual({})
  })
})

describe('a session without its second factor', () => {
  test('can only prove it, read itself and end', async () => {
    const { t } = await operatorWithApp()
    const held = await heldPerson(t)
    const changes = await t.changes(async () => {
      for (const ask of [
        held.get('/businesses'),
        held.get('/sessions'),
        held.get('/mfa'),
        held.post('/mfa/enrolment', {}),
        held.post('/mfa/passkeys/options', {}),
        held.post('/password', { currentPassword: 'a', newPassword: 'b' }),
        held.post('/session/tenant', { tenantId: t.tenants.other.id }),
        held.get('/openapi.json'),
      ])
        expect(await ask).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
    })
    expect(changes).toEqual({})
    expect((await held.get('/roles')).status).toBe(200)
    expect((await held.delete('/session')).status).toBe(204)
  })

  test('continues with another cookie once a code is sent', async () => {
    const { t, secret } = await operatorWithApp()
    const held = await heldPerson(t)
    const before = held.token()
    const { status, body } = await held.post<Session>('/session/mfa', { code: codeOf(t, secret) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ hold: null, assurance: 'mfa', secondFactor: { verifiedAt: t.clock().toISOString() } })
    expect(held.token()).not.toBe(before)
    expect((await t.withSession(before).get('/session')).status).toBe(401)
    expect((await held.get('/businesses')).status).toBe(200)
  })

  test('does not continue with the password', async () => {
    const { t } = await operatorWithApp()
    const held = await heldPerson(t)
    const answer = await held.post('/session/mfa', { password: 'wide acacia over the dry river' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'second_factor_invalid' } })
  })
})

describe('a code', () => {
  test.each([
    ['half a minute early', 1, 200],
    ['half a minute late', -1, 200],
    ['a minute early', 2, 422],
    ['a minute late', -2, 422],
  ])('%s gets the expected response', async (_what, steps, status) => {
    const { t, secret } = await operatorWithApp()
    const held = await heldPerson(t)
    expect((await held.post('/session/mfa', { code: codeOf(t, secret, steps) })).status).toBe(status)
  })

  test('rejects a code that was already used, and older codes, from any session', async () => {
    const { t, secret } = await operatorWithApp()
    const [first, second] = [await heldPerson(t), await heldPerson(t)]
    const code = codeOf(t, secret)
    expect((await first.post('/session/mfa', { code })).status).toBe(200)
    const replays: unknown[] = []
    const changes = await t.changes(async () => {
      for (const replay of [code, codeOf(t, secret, -1)]) {
        replays.push((await second.post<Problem>('/session/mfa', { code: replay })).body.code)
      }
    })
    expect(replays).toEqual(['second_factor_invalid', 'second_factor_invalid'])
    expect(changes).toEqual({ audit_events: 2 })
  })

  test('that is sent twice concurrently admits one session', async () => {
    const { t, secret } = await operatorWithApp()
    const people = [await heldPerson(t), await heldPerson(t)]
    const code = codeOf(t, secret)
    const answers = await Promise.all(people.map((person) => person.post('/session/mfa', { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '1'.repeat(101), '\u0000'])(
    'that is malformed (%j) is refused and changes only the audit',
    async (code) => {
      const { t } = await operatorWithApp()
      const held = await heldPerson(t)
      const changes = await t.changes(async () => {
        expect((await held.post('/session/mfa', { code })).status).toSatisfy(
          (status) => status === 422 || status === 400,
        )
      })
      expect(Object.keys(changes).filter((table) => table !== 'audit_events')).toEqual([])
    },
  )

  test('that is wrong is audited with address and agent and without the code; too many attempts must wait', async () => {
    const { t, secret } = await operatorWithApp()
    const held = await heldPerson(t)
    const wrong = codeOf(t, secret, 40)
    for (let i = 0; i < 5; i++) await held.post('/session/mfa', { code: wrong })
    const refused = await held.post('/session/mfa', { code: codeOf(t, secret) })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    const event = await lastEvent(t, 'mfa.fail')
    expect(event).toMatchObject({
      actor: 'sign-in',
      subject_id: t.tenants.home.users.operator.id,
      after_json: '{"address":"10.2.2.2","agent":"Test browser","by":"code"}',
    })
  })

  test('that is guessed causes a delay, however often the password is right in between and by whichever method the next one is sent', async () => {
    const { t, secret } = await operatorWithApp()
    const statuses: number[] = []
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) {
      // Signs in with the password from another browser each time.
      const guesser = await heldPerson(t)
      const isAfterwards = i % 2 === 0
      const answer = isAfterwards
        ? await guesser.post('/session/mfa', { code: codeOf(t, secret, 40 + i) })
        : await guesser.signIn(HOME_OPERATOR, undefined, codeOf(t, secret, 40 + i))
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([422, 401, 422, 401, 422])
    const next = await heldPerson(t)
    expect((await next.post('/session/mfa', { code: codeOf(t, secret) })).status).toBe(429)
    expect((await next.signIn(HOME_OPERATOR, undefined, codeOf(t, secret))).status).toBe(429)
  })

  test('makes the device a known one; the password alone does not, nor a device from before the second factor', async () => {
    const t = await buildTestApp()
    const devicesOf = (answer: { headers: Record<string, unknown> }) =>
      [answer.headers['set-cookie']].flat().filter((cookie) => String(cookie).startsWith('prospect_device='))
    const guesser = personAt(t, { address: '10.2.2.2' })
    expect(devicesOf(await guesser.signIn(HOME_OPERATOR))).toHaveLength(1)
    const owner = personAt(t)
    await owner.signIn(HOME_OPERATOR)
    const { secret } = await enrolApp(t, owner)
    const wrong = { code: codeOf(t, secret, 40) }
    expect(devicesOf(await guesser.signIn(HOME_OPERATOR))).toEqual([])
    for (let i = 0; i < OF_ONE_SOURCE.free; i++) expect((await guesser.post('/session/mfa', wrong)).status).toBe(422)
    // The device was known before the second factor existed, so it no longer counts as known and the limit of its address applies.
    expect((await (await heldPerson(t)).post('/session/mfa', wrong)).status).toBe(429)
    const there = personAt(t, { address: '10.3.3.3' })
    await there.signIn(HOME_OPERATOR)
    const shown = await there.post('/session/mfa', { code: codeOf(t, secret) })
    expect([shown.status, devicesOf(shown).length]).toEqual([200, 1])
  })

  test('may be sent with the password; a wrong code gets the same response as a wrong password', async () => {
    const { t, secret } = await operatorWithApp()
    const person = personAt(t)
    const wrong = await person.signIn(HOME_OPERATOR, undefined, codeOf(t, secret, 9))
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(await t.store.reader.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    const right = await person.signIn(HOME_OPERATOR, undefined, codeOf(t, secret))
    expect(right).toMatchObject({ status: 201, body: { hold: null, assurance: 'mfa' } })
  })
})

describe('a recovery code', () => {
  test('replaces the factor once, however it is typed', async () => {
    const { t, operator, recoveryCodes } = await operatorWithApp()
    const [code = ''] = recoveryCodes
    const held = await heldPerson(t)
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `
    expect((await held.post('/session/mfa', { recoveryCode: typed })).status).toBe(200)
    expect((await operator.get<Factors>('/mfa')).body.recoveryCodesLeft).toBe(9)
    const again = await (await heldPerson(t)).post('/session/mfa', { recoveryCode: code })
    expect(again).toMatchObject({ status: 422, body: { code: 'second_factor_invalid' } })
    expect((await lastEvent(t, 'mfa.use_recovery_code'))?.subject_id).toBe(t.tenants.home.users.operator.id)
  })

  test('that is correct does not count, however often a proof is sent', async () => {
    const { operator, recoveryCodes } = await operatorWithApp()
    for (const recoveryCode of recoveryCodes.slice(0, OF_ONE_SOURCE.free + 1))
      expect((await operator.post('/session/mfa', { recoveryCode })).status).toBe(200)
  })

  test('is invalid after new ones were created, and invalid for any other person', async () => {
    const { t, operator, recoveryCodes } = await operatorWithApp()
    const viewer = personAt(t)
    await viewer.signIn('viewer@home.example')
    await enrolApp(t, viewer)
    const heldViewer = await heldPerson(t, 'viewer@home.example')
    expect((await heldViewer.post('/session/mfa', { recoveryCode: recoveryCodes[1] })).status).toBe(422)
    const { body } = await operator.post<{ recoveryCodes: string[] }>('/mfa/recovery-codes', {})
    const held = await heldPerson(t)
    expect((await held.post('/session/mfa', { recoveryCode: recoveryCodes[0] })).status).toBe(422)
    expect((await held.post('/session/mfa', { recoveryCode: body.recoveryCodes[0] })).status).toBe(200)
  })

  test('cannot be created without a factor', async () => {
    const t = await buildTestApp()
    const answer = await (await t.as('operator')).post('/mfa/recovery-codes', {})
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe('removing the app', () => {
  test('deletes the recovery codes and ends the other sessions', async () => {
    const { t, operator, secret } = await operatorWithApp()
    const elsewhere = await heldPerson(t)
    await elsewhere.post('/session/mfa', { code: codeOf(t, secret) })
    expect((await operator.delete('/mfa/totp')).status).toBe(204)
    expect((await elsewhere.get('/session')).status).toBe(401)
    expect((await operator.get<Factors>('/mfa')).body).toMatchObject({ totp: null, recoveryCodesLeft: 0 })
    expect((await operator.delete('/mfa/totp')).status).toBe(404)
    expect((await personAt(t).signIn(HOME_OPERATOR)).body.hold).toBeNull()
  })
})

describe('in production', () => {
  const production = { config: { environment: 'production' as const } }

  test('an administrator without a second factor can only enrol one', async () => {
    const t = await buildTestApp(production)
    const administrator = personAt(t)
    const { body } = await administrator.signIn(HOME_ADMINISTRATOR)
    expect(body).toMatchObject({ hold: 'enrolment', secondFactor: { required: true, enrolled: false } })
    for (const path of ['/businesses', '/users', '/sessions', '/audit-events']) {
      expect(await administrator.get(path)).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
    }
    expect(await administrator.post('/businesses', { name: 'No' })).toMatchObject({ status: 403 })
    await enrolApp(t, administrator)
    expect((await administrator.get('/users')).status).toBe(200)
  })

  test('for other roles it is optional', async () => {
    const t = await buildTestApp(production)
    const { body } = await personAt(t).signIn('manager@home.example')
    expect(body).toMatchObject({ hold: null, secondFactor: { required: false } })
  })

  test('responses declare that this host is reached over TLS only', async () => {
    const t = await buildTestApp(production)
    const { headers } = await t.visitor().get('/health/live')
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    const local = await (await buildTestApp()).visitor().get('/health/live')
    expect(local.headers).not.toHaveProperty('strict-transport-security')
  })
})
