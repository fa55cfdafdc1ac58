import fc from 'fast-check'
import { test } from 'vitest'
import { buildTestApp, TEST_PASSWORD, type TestApp } from '../../../../test/build-app.ts'
import { codeOf, HOME_OPERATOR, type Person, personAt } from '../../../../test/person.ts'
import type { Enrolment } from '../factors/factors.schema.ts'
import type { Session } from '../identity.schema.ts'

/*
 * Tests a person's sessions in three browsers against a model. For every order of signing in and out, proving, enrolling and removing factors,
 * changing the password, revoking and waiting, each browser's session matches the model, and no token that was ever replaced is valid again.
 */

const BROWSERS = 3
const FRESH_MS = 15 * 60_000
const IDLE_MS = 8 * 3_600_000
const SEEN_EVERY_MS = 60_000
const PASSWORDS = [TEST_PASSWORD, 'thirteen quiet lanterns']

type ModelSession = { passwordAt: number; factorAt: number | null; seenAt: number }
type Model = {
  now: number
  password: number
  hasFactor: boolean
  sessions: (ModelSession | undefined)[]
}
type Real = {
  t: TestApp
  browsers: Person[]
  secret: string
  lastCode: string
  retired: Set<string>
}
type Command = fc.AsyncCommand<Model, Real>

function proofOf(model: Model, session: ModelSession): number | null {
  return model.hasFactor ? session.factorAt : session.passwordAt
}

function isFresh(model: Model, session: ModelSession): boolean {
  const at = proofOf(model, session)
  return at !== null && model.now - at < FRESH_MS
}

function isHeld(model: Model, session: ModelSession): boolean {
  return model.hasFactor && session.factorAt === null
}

function endOthers(model: Model, browser: number): void {
  model.sessions = model.sessions.map((session, index) => (index === browser ? session : undefined))
}

function expire(model: Model): void {
  model.sessions = model.sessions.map((session) =>
    session === undefined || model.now - session.seenAt >= IDLE_MS ? undefined : session,
  )
}

/** Compares the session of every browser with the model, and checks that no replaced token is valid. */
async function compare(model: Model, { t, browsers, retired }: Real): Promise<void> {
  expire(model)
  for (const [index, browser] of browsers.entries()) {
    const session = model.sessions[index]
    const { status, body } = await browser.get<Session>('/session')
    if (status !== (session === undefined ? 401 : 200)) throw new Error(`Browser ${index} answers ${status}`)
    if (session === undefined) continue
    if (model.now - session.seenAt >= SEEN_EVERY_MS) session.seenAt = model.now
    const expected = {
      hold: isHeld(model, session) ? 'second_factor' : null,
      assurance: session.factorAt === null ? 'password' : 'mfa',
      isFresh: isFresh(model, session),
    }
    const seen = { hold: body.hold, assurance: body.assurance, isFresh: body.stepUp.freshUntil !== null }
    if (JSON.stringify(seen) !== JSON.stringify(expected)) {
      throw new Error(`Browser ${index} sees ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`)
    }
    const work = (await browser.get('/businesses')).status
    if (work !== (expected.hold === null ? 200 : 403)) throw new Error(`Browser ${index} works with ${work}`)
  }
  await t.store.writes.idle()
  for (const token of retired) {
    const { status } = await t.withSession(token).get('/session')
    if (status !== 401) throw new Error('A replaced token is still valid.')
  }
}

/** Creates a command that runs in one browser. Every token that a browser no longer has afterwards must stay invalid. */
function command(
  name: string,
  browser: number,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real, person: Person) => Promise<void>,
): Command {
  return {
    check,
    toString: () => `${name} at ${browser}`,
    run: async (model, real) => {
      const person = real.browsers[browser]
      if (person === undefined) throw new Error('There is no such browser.')
      const before = real.browsers.map((each) => each.token())
      await run(model, real, person)
      for (const [index, token] of before.entries()) {
        const isOver = model.sessions[index] === undefined || real.browsers[index]?.token() !== token
        if (token !== '' && isOver) real.retired.add(token)
      }
      await compare(model, real)
    },
  }
}

function expectStatus(actual: number, expected: number, what: string): void {
  if (actual !== expected) throw new Error(`${what} answered ${actual}, not ${expected}`)
}

function commandsAt(browser: number): fc.Arbitrary<Command>[] {
  const there = (model: Model) => model.sessions[browser]
  const isOpen = (model: Model) => {
    const session = there(model)
    return session !== undefined && !isHeld(model, session)
  }
  const make = (...rest: [string, (model: Model) => boolean, Parameters<typeof command>[3]]) =>
    fc.constant(command(rest[0], browser, rest[1], rest[2]))

  return [
    make(
      'sign in',
      () => true,
      async (model, _real, person) => {
        const { status } = await person.signIn(HOME_OPERATOR, PASSWORDS[model.password])
        expectStatus(status, 201, 'signing in')
        model.sessions[browser] = { passwordAt: model.now, factorAt: null, seenAt: model.now }
      },
    ),
    make(
      'sign in with a wrong password',
      () => true,
      async (model, _real, person) => {
        const { status } = await person.signIn(HOME_OPERATOR, PASSWORDS[1 - model.password])
        if (status !== 401 && status !== 429) throw new Error(`a wrong password got ${status}`)
        model.now += FRESH_MS
        _real.t.clock.advance(FRESH_MS)
      },
    ),
    make(
      'sign out',
      (model) => there(model) !== undefined,
      async (model, _real, person) => {
        expectStatus((await person.delete('/session')).status, 204, 'signing out')
        model.sessions[browser] = undefined
      },
    ),
    make(
      'show a code',
      (model) => there(model) !== undefined && model.hasFactor,
      async (model, real, person) => {
        model.now += 90_000
        real.t.clock.advance(90_000)
        const code = codeOf(real.t, real.secret)
        expectStatus((await person.post('/session/mfa', { code })).status, 200, 'a code')
        real.lastCode = code
        const session = there(model)
        if (session !== undefined) session.factorAt = model.now
      },
    ),
    make(
      'show a used code',
      (model) => there(model) !== undefined && model.hasFactor,
      async (model, real, person) => {
        expectStatus((await person.post('/session/mfa', { code: real.lastCode })).status, 422, 'a used code')
        model.now += FRESH_MS
        real.t.clock.advance(FRESH_MS)
      },
    ),
    make(
      'show the password',
      (model) => there(model) !== undefined,
      async (model, _real, person) => {
        const { status } = await person.post('/session/mfa', { password: PASSWORDS[model.password] })
        expectStatus(status, model.hasFactor ? 422 : 200, 'the password')
        const session = there(model)
        if (session !== undefined && !model.hasFactor) session.passwordAt = model.now
        if (model.hasFactor) {
          model.now += FRESH_MS
          _real.t.clock.advance(FRESH_MS)
        }
      },
    ),
    make('enrol', isOpen, async (model, real, person) => {
      const session = there(model)
      const begun = await person.post<Enrolment>('/mfa/enrolment', {})
      if (session === undefined) return
      expectStatus(begun.status, isFresh(model, session) ? 201 : 403, 'enrolling')
      if (begun.status !== 201) return
      const code = codeOf(real.t, begun.body.secret)
      expectStatus((await person.post('/mfa/enrolment/confirmation', { code })).status, 200, 'confirming')
      Object.assign(real, { secret: begun.body.secret, lastCode: code })
      model.hasFactor = true
      session.factorAt = model.now
      endOthers(model, browser)
    }),
    make(
      'remove the factor',
      (model) => isOpen(model) && model.hasFactor,
      async (model, _real, person) => {
        const session = there(model)
        const { status } = await person.delete('/mfa/totp')
        if (session === undefined) return
        expectStatus(status, isFresh(model, session) ? 204 : 403, 'removing')
        if (status !== 204) return
        model.hasFactor = false
        endOthers(model, browser)
      },
    ),
    make('change the password', isOpen, async (model, _real, person) => {
      const change = { currentPassword: PASSWORDS[model.password], newPassword: PASSWORDS[1 - model.password] }
      expectStatus((await person.post('/password', change)).status, 200, 'changing the password')
      model.password = 1 - model.password
      const session = there(model)
      if (session !== undefined) session.passwordAt = model.now
      endOthers(model, browser)
    }),
    make('sign out everywhere else', isOpen, async (model, _real, person) => {
      const session = there(model)
      if (session === undefined) return
      const { status } = await person.delete('/sessions')
      expectStatus(status, isFresh(model, session) ? 200 : 403, 'revoking')
      if (status === 200) endOthers(model, browser)
    }),
  ]
}

const waits = fc.constantFrom(30_000, FRESH_MS, IDLE_MS / 2, IDLE_MS).map(
  (ms): Command => ({
    check: () => true,
    toString: () => `wait ${ms / 1_000} s`,
    run: async (model, real) => {
      model.now += ms
      real.t.clock.advance(ms)
      await compare(model, real)
    },
  }),
)

/** Signs in every browser before the commands run, because random orders of commands seldom reach that state. */
async function setUp(): Promise<{ model: Model; real: Real }> {
  const t = await buildTestApp()
  const browsers = Array.from({ length: BROWSERS }, (_, index) => personAt(t, { address: `10.1.1.${index}` }))
  for (const browser of browsers) await browser.signIn(HOME_OPERATOR)
  const now = t.clock().getTime()
  const sessions = browsers.map(() => ({ passwordAt: now, factorAt: null, seenAt: now }))
  return {
    model: { now, password: 0, hasFactor: false, sessions },
    real: { t, browsers, secret: '', lastCode: '', retired: new Set() },
  }
}

test('every order of actions leaves each session in the state of the model', { timeout: 120_000 }, async () => {
  const atBrowsers = Array.from({ length: BROWSERS }, (_, browser) => commandsAt(browser)).flat()
  const commands = fc.commands([...atBrowsers, waits], { maxCommands: 25, size: 'max' })
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      const start = await setUp()
      await fc.asyncModelRun(() => start, steps)
    }),
    { numRuns: 30 },
  )
})
