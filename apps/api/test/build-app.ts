import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type App, buildApp } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { countWait } from '../src/http/pagination.ts'
import { csrfTokens } from '../src/http/session-guard.ts'
import { createWrittenBytes } from '../src/http/written-bytes.ts'
import { newId } from '../src/lib/ids.ts'
import type { LoadedAdapters } from '../src/load-adapters.ts'
import type { Member } from '../src/rooms/identity/identity.queries.ts'
import { defaultPasswordCost } from '../src/rooms/identity/passwords/passwords.ts'
import type { Role } from '../src/rooms/identity/permissions.ts'
import { startSession } from '../src/rooms/identity/sessions/sessions.ts'
import type { JobKinds } from '../src/rooms/jobs/jobs.ts'
import { migrations } from '../src/rooms/migrations.ts'
import { openStore, type Store } from '../src/store/store.ts'
import { tableChanges } from './table-contents.ts'
import { copyTemplateStore, type TestTenants } from './template-store.ts'
import { createTestClient, type Headers, type TestClient } from './test-client.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

export { TEST_PASSWORD, type TestTenants } from './template-store.ts'
export type { Answer, TestClient } from './test-client.ts'

/** Origin of a test's web app. The API accepts changes from this origin. */
export const WEB_ORIGIN = 'http://localhost:8080'

const HOUR_MS = 3_600_000
const client = { address: '127.0.0.1', agent: null }

export type TestApp = {
  app: App
  store: Store
  clock: TestClock
  tenants: TestTenants
  /** returns the log so far as text */
  logged(): string
  /** returns the client of a signed-in person with this role, the same person each time */
  as(role: Role, tenant?: keyof TestTenants): Promise<TestClient>
  /** starts a session for any member and returns the token of its cookie */
  startSession(member: Member): Promise<string>
  /** returns a client that sends this session cookie */
  withSession(token: string): TestClient
  /** returns a client of a program that sends this access token, without a cookie and an Origin */
  withToken(secret: string, remoteAddress?: string): TestClient
  /** returns a client without a cookie, with its own network address */
  visitor(remoteAddress?: string): TestClient
  /** returns how many rows `work` added to each table; 0 for a table whose rows changed in content only; `{}` if nothing changed */
  changes(work: () => Promise<unknown>): Promise<Record<string, number>>
}

export type TestAppOptions = {
  /** data folder, tenants and clock of an existing store, opened as after a restart; by default a new store is created */
  over?: { dataDir: string; tenants: TestTenants; clock: TestClock }
  config?: Partial<Config>
  adapters?: LoadedAdapters
  kinds?: JobKinds
  /** bytes that each tenant may send, by the clock of the test */
  written?: { perMinute: number; atOnce: number }
  onRoute?: (route: RouteOptions) => void
  onAnswer?: (request: FastifyRequest, reply: FastifyReply) => void
}

// A total is part of an answer in tests, also on a busy machine.
countWait.ms = 60_000

/**
 * Builds the app as `main.ts` does, on its own store with two tenants and a clock that only the test advances. Every response is checked against its
 * schema. The app is closed and its store deleted when the test ends.
 */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const t = await openTestApp(options)
  onTestFinished(async () => {
    await closeTestApp(t)
    // If two apps use one folder, only the first app deletes it, because its threads may still be opening the store.
    if (options.over === undefined) rmSync(t.store.dataDir, { recursive: true, force: true })
  })
  return t
}

export async function closeTestApp({ app, store }: TestApp): Promise<void> {
  await app.close()
  await store.close()
}

/** Same as `buildTestApp`, for callers that close the app and delete its folder themselves. */
export async function openTestApp({
  over,
  config: changed = {},
  adapters,
  kinds,
  written,
  onRoute,
  onAnswer,
}: TestAppOptions = {}): Promise<TestApp> {
  const { dataDir, tenants } = over ?? (await copyTemplateStore())
  const clock = over?.clock ?? createTestClock()
  const store = openStore({ migrations, dataDir, clock })
  const config = { ...testConfig(dataDir), ...changed }
  const log = memoryLog()
  const app = await buildApp({
    store,
    config,
    logger: pino({ level: 'trace' }, log.stream),
    checkAnswers: true,
    ...(adapters === undefined ? {} : { adapters }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(written === undefined ? {} : { written: createWrittenBytes(clock, written) }),
    onAnswer,
    onRoute: (route) => {
      holdToItsHeaders(route)
      onRoute?.(route)
    },
  })
  await app.ready()

  const lifetime = { idleMs: config.sessionIdleMinutes * 60_000, absoluteMs: config.sessionAbsoluteHours * HOUR_MS }
  const csrfToken = csrfTokens(store.keys)
  const cookieName = config.environment === 'production' ? '__Host-prospect_session' : 'prospect_session'
  const clients = new Map<string, Promise<TestClient>>()

  const begin = (member: Member) =>
    startSession(store, member, { lifetime, correlationId: newId(), client, by: 'password' })
  const browser = (headers: Headers, address?: string) =>
    createTestClient(app, { origin: WEB_ORIGIN, ...headers }, address)
  const withSession = (token: string) => browser({ cookie: `${cookieName}=${token}`, 'x-csrf-token': csrfToken(token) })

  return {
    app,
    store,
    clock,
    tenants,
    logged: log.text,
    startSession: begin,
    withSession,
    withToken: (secret, remoteAddress) => createTestClient(app, { authorization: `Bearer ${secret}` }, remoteAddress),
    visitor: (remoteAddress) => browser({}, remoteAddress),
    as: (role, tenant = 'home') => {
      const { id: tenantId, users } = tenants[tenant]
      const name = `${tenant} ${role}`
      const known = clients.get(name) ?? begin({ tenantId, userId: users[role].id, role }).then(withSession)
      clients.set(name, known)
      return known
    },
    changes: async (work) => {
      await store.writes.idle()
      return tableChanges(dataDir, async () => {
        await work()
        await store.writes.idle()
      })
    },
  }
}

/** Checks in every response of the route that it has exactly the headers that the OpenAPI document declares. */
function holdToItsHeaders(route: RouteOptions): void {
  if (route.schema?.hide === true) return
  route.onSend = async (_request, reply) => {
    if (reply.statusCode >= 300) return
    for (const header of ['etag', 'location'] as const) {
      const isTold = route.config?.tells?.includes(header) === true
      if (reply.hasHeader(header) !== isTold) throw new Error(`${route.url} does not declare its ${header} correctly`)
    }
  }
}

/** Returns the configuration of a test's service. */
export function testConfig(dataDir: string): Config {
  return {
    environment: 'local',
    dataDir,
    backupDir: join(dataDir, 'backups'),
    host: '127.0.0.1',
    port: 8000,
    publicHosts: [],
    trustProxy: [],
    logLevel: 'trace',
    sessionIdleMinutes: 480,
    sessionAbsoluteHours: 168,
    passwordCost: defaultPasswordCost,
    csvMaxBytes: 10_000_000,
    jobEventsKeepDays: 90,
    adaptersFile: undefined,
    companySignIn: undefined,
    bootstrap: undefined,
    metrics: undefined,
    build: { revision: null, imageDigest: null, configurationRevision: 'a test' },
  }
}

function memoryLog(): { stream: Writable; text: () => string } {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => lines.join('') }
}
