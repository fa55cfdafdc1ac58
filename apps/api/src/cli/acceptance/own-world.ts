import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Answer, CheckFailed, type Client, type Sent } from '../../acceptance/acceptance-client.ts'
import type { OwnWorld } from '../../acceptance/gates.ts'
import { type App, buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { csrfTokens } from '../../http/session-guard.ts'
import { newId } from '../../lib/ids.ts'
import { type LoadedAdapters, noAdapters } from '../../load-adapters.ts'
import { createTenant, createUser, sessionCookieName } from '../../rooms/identity/identity.ts'
import { startSession } from '../../rooms/identity/sessions/sessions.ts'
import { jobKindsIn, rooms } from '../../rooms/index.ts'
import { startJobWorker } from '../../rooms/jobs/worker/worker.ts'
import { migrations } from '../../rooms/migrations.ts'
import { markEvaluatedWhenEmpty } from '../../rooms/suppression/suppression.ts'
import { openStore, type Store } from '../../store/store.ts'
import { withoutNetwork } from './without-network.ts'

const SESSION_MS = 8 * 3_600_000
const LOOK_EVERY_MS = 10

/**
 * Runs a check in a temporary store of this process, which is removed afterwards. Requests are injected, the clock stands still, and the check fails if
 * anything tries to open a connection.
 */
export async function inOwnWorld(
  folder: string,
  check: (own: OwnWorld) => Promise<string>,
  adapters: LoadedAdapters = noAdapters,
): Promise<string> {
  const { value, attempts } = await withoutNetwork(() => inStore(folder, adapters, check))
  if (attempts.length > 0) throw new CheckFailed(`The network was used: ${attempts.join(', ')}.`)
  return value
}

async function inStore(
  folder: string,
  adapters: LoadedAdapters,
  check: (own: OwnWorld) => Promise<string>,
): Promise<string> {
  const dataDir = mkdtempSync(join(folder, 'prospect-own-'))
  let nowMs = Date.now()
  const store = openStore({ migrations, dataDir, clock: () => new Date(nowMs) })
  const logger = pino({ level: 'silent' })
  const config = readConfig({ DATA_DIR: dataDir })
  const kinds = jobKindsIn(rooms, config.environment)
  const app = await buildApp({ store, config, adapters, logger, kinds })
  const worker = startJobWorker({ store, kinds, adapters, rooms, log: logger })
  try {
    await app.ready()
    const tenantId = await createTenant(store, 'command line', { name: 'Fixtures', timeZone: 'Africa/Johannesburg' })
    await markEvaluatedWhenEmpty(store, tenantId)
    const renewals: (() => Promise<void>)[] = []
    const join = async (role: 'administrator' | 'manager') => {
      const name = `${role}-${renewals.length + 1}`
      const account = { email: `${name}@acceptance.invalid`, name: `Fixtures ${name}`, password: newId() }
      const userId = await createUser(store, 'command line', { tenantId, role, ...account })
      const signIn = () => sessionHeaders(store, { tenantId, userId, role }, sessionCookieName(config))
      let headers = await signIn()
      renewals.push(async () => {
        headers = await signIn()
      })
      return { userId, client: injectingClient(app, () => headers) }
    }
    const [administrator, manager] = [await join('administrator'), await join('manager')]
    return await check({
      store,
      client: administrator.client,
      colleague: manager.client,
      join,
      advance: async (ms) => {
        nowMs += ms
        for (const renew of renewals) await renew()
      },
      jobsEnded: () => jobsEnded(store),
    })
  } finally {
    await worker.stop()
    await app.close()
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Member = Parameters<typeof startSession>[1]

async function sessionHeaders(store: Store, member: Member, cookieName: string): Promise<Record<string, string>> {
  const token = await startSession(store, member, {
    lifetime: { idleMs: SESSION_MS, absoluteMs: SESSION_MS },
    correlationId: newId(),
    client: { address: '127.0.0.1', agent: null },
    by: 'password',
  })
  return { cookie: `${cookieName}=${token}`, 'x-csrf-token': csrfTokens(store.keys)(token) }
}

/** A client whose requests reach the service without a connection. */
function injectingClient(app: App, session: () => Record<string, string>): Client {
  const ask = async (method: string, path: string, sent: Sent, own: Record<string, string>): Promise<Answer> => {
    const isRead = method === 'GET' || method === 'DELETE'
    const json = isRead || sent.text !== undefined ? {} : { 'content-type': 'application/json' }
    const response = await app.inject({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: { ...json, ...own, ...sent.headers },
      ...(isRead ? {} : { payload: sent.text ?? JSON.stringify(sent.body ?? {}) }),
    })
    const isJson = /^application\/(?:problem\+)?json(?:;|$)/.test(String(response.headers['content-type']))
    return {
      status: response.statusCode,
      headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
      text: response.body,
      body: isJson ? response.json() : null,
    }
  }
  const send = (method: string, path: string, sent: Sent = {}) => ask(method, path, sent, session())
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    patch: (path, body, headers = {}) => send('PATCH', path, { body, headers }),
    forge: (method, path, body) => ask(method, path, { body }, { cookie: session().cookie ?? '' }),
  }
}

async function jobsEnded(store: Store): Promise<void> {
  for (;;) {
    const open = await store.reader
      .selectFrom('jobs')
      .select('id')
      .where('status', 'in', ['queued', 'running'])
      .limit(1)
      .executeTakeFirst()
    if (open === undefined) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
