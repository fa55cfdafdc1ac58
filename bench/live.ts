/**
 * Measures live updates: the time from the response of a create until every open stream has received the change, and the p99 of a list with and
 * without the streams. In both cases one prospect is created every half second.
 *
 * npm run bench:live -- [--browsers 100] [--seconds 20] [--rows 10000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { createUser, listTenants } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { openStore } from '../apps/api/src/store/store.ts'
import { countOption, ratioToRest, some } from './figures.ts'
import { median, percentile, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { seed } from './seed.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    browsers: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    rows: { type: 'string', default: '10000' },
  },
})
const browsers = countOption(values, 'browsers')
const seconds = countOption(values, 'seconds')
const CHANGE_EVERY_MS = 500
const seenAimMs = 2_000
const slowerAim = 2

const folder = mkdtempSync(join(tmpdir(), 'prospect-bench-live-'))
const seeded = await seed({ dataDir: folder, rows: countOption(values, 'rows') })
const people = await addPeople(browsers)
const api = await startApi(folder)
const driver = startDriver()
const base = `http://127.0.0.1:${api.port}/api/v1`
/** Times at which the streams received the change of a prospect, by id of the prospect. */
const arrivals = new Map<string, number[]>()
try {
  process.stdout.write(describeMachine())
  const { headers } = await api.signIn(seeded)
  await load(10, headers)
  await api.untilQuiet()
  const quiet = await load(seconds, headers)
  const closing = new AbortController()
  for (const who of people) await open((await api.signIn(who)).headers, closing.signal)
  await api.untilQuiet()
  const live = await load(seconds, headers)
  closing.abort()
  const delays = live.created.flatMap(({ id, at }) => (arrivals.get(id) ?? []).map((seen) => seen - at))
  const missed = live.created.length * browsers - delays.length
  some(delays.length, 'changes that a stream received')
  const ratio = ratioToRest('a list', { underLoad: live.p99, atRest: quiet.p99 })
  const worst = Math.max(...delays)
  process.stdout.write(
    table(
      ['', 'seen', 'aim', ''],
      [
        ['ms until a stream has a change: median', median(delays).toFixed(0), '', ''],
        ['p99', percentile(delays, 0.99).toFixed(0), '', ''],
        ['slowest', worst.toFixed(0), `≤ ${seenAimMs}`, verdict(missed === 0 && worst <= seenAimMs)],
        ['changes that a stream missed', String(missed), '0', verdict(missed === 0)],
        ['p99 of a list without streams, ms', quiet.p99.toFixed(2), '', ''],
        [`p99 with ${browsers} streams, ms`, live.p99.toFixed(2), '', ''],
        ['their ratio', ratio.toFixed(2), `< ${slowerAim}`, verdict(ratio < slowerAim)],
      ],
    ),
  )
} finally {
  driver.stop()
  await api.stop()
  rmSync(folder, { recursive: true })
}

async function load(forSeconds: number, headers: Record<string, string>) {
  const created: { id: string; at: number }[] = []
  let isOver = false
  const creating = (async () => {
    while (!isOver) {
      created.push(await create(headers))
      await wait(CHANGE_EVERY_MS)
    }
  })()
  const { p99 } = await driver.run({
    port: api.port,
    connections: 1,
    seconds: forSeconds,
    method: 'GET',
    paths: ['new', 'contacted', 'qualified'].map(
      (state) => `/api/v1/businesses?state=${state}&sort=-updatedAt&limit=50`,
    ),
    headers,
  })
  isOver = true
  await creating
  await wait(seenAimMs)
  return { p99, created }
}

/** Adds a person for each browser, because the streams of one person are limited. */
async function addPeople(count: number): Promise<{ email: string; password: string }[]> {
  const store = openStore({ dataDir: folder, clock: systemClock, migrations })
  try {
    const [tenant] = await listTenants(store.reader)
    if (tenant === undefined) throw new Error('the store has no tenant')
    const added: { email: string; password: string }[] = []
    for (let n = 0; n < count; n++) {
      const who = { email: `browser-${n}@example.co.za`, password: seeded.password }
      await createUser(store, 'command line', { tenantId: tenant.id, role: 'viewer', name: `Browser ${n}`, ...who })
      added.push(who)
    }
    return added
  } finally {
    await store.close()
  }
}

async function create(headers: Record<string, string>): Promise<{ id: string; at: number }> {
  const answer = await fetch(`${base}/businesses`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Live ${arrivals.size} ${performance.now()}` }),
  })
  const { id } = z.object({ id: z.string() }).parse(await answer.json())
  return { id, at: performance.now() }
}

/** Opens a stream, as one browser would, and records in the background when each change arrives. */
async function open(headers: Record<string, string>, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${base}/changes/stream`, { headers, signal })
  if (answer.status !== 200 || answer.body === null) throw new Error(`the stream answered ${answer.status}`)
  const reading = (async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const at = performance.now()
      for (const [, id = ''] of decoder.decode(chunk, { stream: true }).matchAll(/"kind":"business","id":"([^"]+)"/g))
        arrivals.set(id, [...(arrivals.get(id) ?? []), at])
    }
  })(answer.body)
  reading.catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
