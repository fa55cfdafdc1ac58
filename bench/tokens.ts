/**
 * Measures requests with access tokens: a call with a token beside one with a session in alternating rounds, 100 tokens at once beside 100 connections of
 * one session, and a long history read through the feed of changes, beside reading the same rows with the bare driver.
 *
 * npm run bench:tokens -- [--rows 20000] [--changes 1000000] [--rounds 9]
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { sha256 } from '../apps/api/src/lib/hashing.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { secretOf } from '../apps/api/src/rooms/tokens/secret.rules.ts'
import { grantablePermissions } from '../apps/api/src/rooms/tokens/tokens.ts'
import { type Connection, openConnection } from '../apps/api/src/store/engine/connection.ts'
import { STORE_FILE } from '../apps/api/src/store/store.ts'
import { BenchmarkError, countOption, some } from './figures.ts'
import { median, percentile, processorTimeOf, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { seed } from './seed.ts'
import { createSeedWriter } from './seed-writer.ts'
import { type ApiServer, startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    changes: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '9' },
  },
})
const rows = countOption(values, 'rows')
const changes = countOption(values, 'changes')
const rounds = countOption(values, 'rounds')

const AIM_CALL = 1.1
const AIM_FEED_SECONDS = 60
const TOKENS_AT_ONCE = 100
/** Fewer than a token may send in a minute. */
const CALLS_A_ROUND = 1_000
const CALLS_AT_ONCE = 40
const ROUNDS_AT_ONCE = 5
const FEED_PAGE = 1_000

type Tenant = { id: string; userId: string }

/** Returns the largest tenant and its administrator. */
function tenantOf(db: Connection): Tenant {
  const found = db
    .prepare(
      "SELECT m.tenant_id AS id, m.user_id AS userId FROM memberships m JOIN tenants t ON t.id = m.tenant_id WHERE t.number = 1 AND m.role = 'administrator'",
    )
    .get()
  return z.object({ id: z.string(), userId: z.string() }).parse(found)
}

/** Inserts active tokens of the administrator and returns their secrets. A person can have fewer, so no route would create them. */
function insertTokens(db: Connection, { id: tenantId, userId }: Tenant, count: number): string[] {
  const insert = db.prepare(
    `INSERT INTO access_tokens (tenant_id, id, user_id, name, secret_hash, permissions, addresses, created_at, ends_at)
     VALUES (?, ?, ?, ?, ?, ?, '[]', ?, ?)`,
  )
  const now = new Date()
  const endsAt = new Date(now.getTime() + 86_400_000).toISOString()
  return Array.from({ length: count }, (_, n) => {
    const id = newId()
    const secret = secretOf(id, randomBytes(32))
    const permissions = JSON.stringify([...grantablePermissions])
    insert.run(tenantId, id, userId, `Token ${n}`, sha256(secret), permissions, now.toISOString(), endsAt)
    return secret
  })
}

/** Appends events of now to the chain of the tenant, each about one of these businesses. Returns the id of the event before them. */
function appendChanges(
  db: Connection,
  { id: tenantId, userId }: Tenant,
  ids: readonly string[],
  count: number,
): string {
  const last = z
    .object({ id: z.string(), sequence: z.number(), hash: z.string() })
    .parse(
      db
        .prepare('SELECT id, sequence, hash FROM audit_events WHERE tenant_id = ? ORDER BY sequence DESC LIMIT 1')
        .get(tenantId),
    )
  const writer = createSeedWriter(db)
  const tenant = { id: tenantId, number: 1, sequence: last.sequence, lastHash: last.hash }
  const at = new Date().toISOString()
  db.exec('BEGIN IMMEDIATE')
  for (let n = 0; n < count; n++) {
    const id = ids[n % ids.length] ?? ''
    writer.record(tenant, {
      at,
      actor: userId,
      action: 'business.edit',
      subject_type: 'business',
      subject_id: id,
      business_id: id,
      after_json: '{"industry":"Energy"}',
    })
  }
  // The followers that the seed placed at the end of the chain have nothing to do with these events.
  db.prepare('UPDATE follower_positions SET sequence = ? WHERE tenant_id = ?').run(tenant.sequence, tenantId)
  db.exec('COMMIT')
  db.pragma('wal_checkpoint(TRUNCATE)')
  return last.id
}

type Headers = Record<string, string>
const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })

/** Calls of one kind with a token and with a session, in alternating rounds on one connection. */
async function compareCalls(api: ApiServer, paths: string[], session: Headers, secrets: string[]) {
  const driver = await startDriver()
  const results = { session: [] as { p50: number; cpu: number }[], token: [] as { p50: number; cpu: number }[] }
  try {
    for (let round = -1; round < rounds; round++) {
      const sides = round % 2 === 0 ? (['session', 'token'] as const) : (['token', 'session'] as const)
      for (const side of sides) {
        const headers = side === 'session' ? session : bearer(taken(secrets))
        const before = processorTimeOf(api.pid)
        const plan = {
          port: api.port,
          connections: 1,
          seconds: 60,
          requests: CALLS_A_ROUND,
          method: 'GET' as const,
          paths,
          headers,
        }
        const { p50, requests } = await driver.run(plan)
        if (round >= 0) results[side].push({ p50, cpu: (processorTimeOf(api.pid) - before) / some(requests, 'calls') })
      }
    }
  } finally {
    driver.stop()
  }
  const of = (side: keyof typeof results, name: 'p50' | 'cpu') => median(results[side].map((one) => one[name]))
  return {
    session: { p50: of('session', 'p50'), cpu: of('session', 'cpu') },
    token: { p50: of('token', 'p50'), cpu: of('token', 'cpu') },
  }
}

function taken(secrets: string[]): string {
  const secret = secrets.pop()
  if (secret === undefined) throw new BenchmarkError('There are too few tokens for these rounds.')
  return secret
}

/** Sends calls on a connection for each of these headers at once. Returns the latencies. Any answer other than 200 fails the benchmark. */
async function atOnce(api: ApiServer, path: string, all: readonly Headers[]): Promise<number[]> {
  const latencies: number[] = []
  const agents = all.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  await Promise.all(
    all.map(async (headers, n) => {
      for (let call = 0; call < CALLS_AT_ONCE; call++) {
        const began = performance.now()
        const { status } = await answerOf(api, path, headers, agents[n])
        if (status !== 200) throw new BenchmarkError(`A call of 100 at once got ${status}.`)
        latencies.push(performance.now() - began)
      }
    }),
  )
  for (const agent of agents) agent.destroy()
  return latencies
}

function answerOf(
  api: ApiServer,
  path: string,
  headers: Headers,
  agent?: Agent,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: api.port, path: `/api/v1${path}`, headers, ...(agent && { agent }) }
    get(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    }).on('error', reject)
  })
}

const feedPage = z.object({
  items: z.array(z.object({ id: z.string() })),
  nextCursor: z.string(),
  hasMore: z.boolean(),
})

async function readFeed(api: ApiServer, after: string, headers: Headers) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const began = performance.now()
  let [cursor, items, pages] = [after, 0, 0]
  for (let hasMore = true; hasMore; ) {
    const { status, text } = await answerOf(api, `/changes?after=${cursor}&limit=${FEED_PAGE}`, headers, agent)
    if (status !== 200) throw new BenchmarkError(`The feed answered ${status}: ${text}`)
    const page = feedPage.parse(JSON.parse(text))
    items += page.items.length
    pages += 1
    cursor = page.nextCursor
    hasMore = page.hasMore
  }
  agent.destroy()
  return { items, pages, seconds: (performance.now() - began) / 1_000 }
}

/** Reads the same rows in pages with the bare driver and serializes them: the ceiling of the feed. */
function readBare(dataDir: string, { id: tenantId }: Tenant, after: string): number {
  const db = openConnection(join(dataDir, STORE_FILE))
  const select = db.prepare(
    `SELECT e.id, e.sequence, e.subject_type, e.subject_id, e.business_id, b.version, e.at, e.actor, u.name FROM audit_events e
     LEFT JOIN businesses b ON b.tenant_id = e.tenant_id AND b.id = e.business_id LEFT JOIN users u ON u.id = e.actor
     WHERE e.tenant_id = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ${FEED_PAGE}`,
  )
  const row = z.object({ sequence: z.number() })
  const began = performance.now()
  let sequence = Number.parseInt(after.slice(24), 16)
  for (;;) {
    const page = select.all(tenantId, sequence)
    JSON.parse(JSON.stringify(page))
    const last = page.at(-1)
    if (last === undefined) break
    sequence = row.parse(last).sequence
  }
  const seconds = (performance.now() - began) / 1_000
  db.close()
  return seconds
}

const ms = (value: number) => `${value.toFixed(2)} ms`

const home = mkdtempSync(join(tmpdir(), 'prospect-bench-tokens-'))
let api: ApiServer | undefined
try {
  console.log(describeMachine())
  const seeded = await seed({ dataDir: home, rows })
  const db = openConnection(join(home, STORE_FILE))
  db.pragma('synchronous = OFF')
  const tenant = tenantOf(db)
  const secrets = insertTokens(db, tenant, 2 * (rounds + 1) + 1)
  const many = insertTokens(db, tenant, TOKENS_AT_ONCE)
  const start = appendChanges(db, tenant, seeded.ids, changes)
  db.close()
  api = await startApi(home)
  await api.untilQuiet()
  const { headers: session } = await api.signIn(seeded)

  const kinds = [
    ['a prospect', seeded.ids.slice(0, 500).map((id) => `/api/v1/businesses/${id}`)],
    ['a page of 50', ['new', 'contacted', 'qualified'].map((state) => `/api/v1/businesses?state=${state}&limit=50`)],
  ] as const
  const lines: string[][] = []
  for (const [name, paths] of kinds) {
    const { session: person, token } = await compareCalls(api, [...paths], session, secrets)
    const ratio = token.cpu / person.cpu
    lines.push([
      `${name}: median with a session · with a token`,
      `${ms(person.p50)} · ${ms(token.p50)}`,
      (token.p50 / person.p50).toFixed(2),
      '',
      '',
    ])
    lines.push([
      `${name}: processor time of the server`,
      `${person.cpu.toFixed(0)} · ${token.cpu.toFixed(0)} µs`,
      ratio.toFixed(2),
      `≤ ${AIM_CALL}`,
      verdict(ratio <= AIM_CALL),
    ])
  }

  const path = `/businesses/${seeded.ids[0]}`
  const [sessions, tokens] = [Array.from({ length: TOKENS_AT_ONCE }, () => session), many.map(bearer)]
  // The first use of a token within a minute is written.
  for (const all of [sessions, tokens]) await atOnce(api, path, all)
  const latencies = { sessions: [] as number[], tokens: [] as number[] }
  for (let round = 0; round < ROUNDS_AT_ONCE; round++) {
    latencies.sessions.push(...(await atOnce(api, path, sessions)))
    latencies.tokens.push(...(await atOnce(api, path, tokens)))
  }
  const p99s = [percentile(latencies.sessions, 0.99), percentile(latencies.tokens, 0.99)] as const
  lines.push([
    `${TOKENS_AT_ONCE} at once: p99 of one session · of a token each`,
    `${ms(p99s[0])} · ${ms(p99s[1])}`,
    (p99s[1] / p99s[0]).toFixed(2),
    `≤ ${AIM_CALL}`,
    verdict(p99s[1] / p99s[0] <= AIM_CALL),
  ])

  await api.longestStall()
  const feed = await readFeed(api, start, bearer(taken(secrets)))
  const stalled = await api.longestStall()
  some(feed.items, 'changes in the feed')
  const perMillion = (feed.seconds / feed.items) * 1_000_000
  lines.push([
    `${feed.items} changes through the feed in ${feed.pages} pages`,
    `${feed.seconds.toFixed(1)} s, ${perMillion.toFixed(1)} s a million`,
    '',
    `≤ ${AIM_FEED_SECONDS} s a million`,
    verdict(perMillion <= AIM_FEED_SECONDS),
  ])
  lines.push([
    'longest stall of the event loop meanwhile',
    `${stalled.stalledMs.toFixed(0)} ms, ${stalled.computedMs.toFixed(0)} ms of computing by all threads`,
    '',
    '≤ 50 ms',
    verdict(stalled.computedMs <= 50),
  ])
  await api.stop()
  api = undefined
  const bare = readBare(home, tenant, start)
  lines.push([
    'the same rows with the bare driver, serialized and parsed',
    `${bare.toFixed(1)} s`,
    (feed.seconds / bare).toFixed(2),
    '',
    '',
  ])
  console.log(table(['', 'measured', 'ratio', 'aim', ''], lines))
} finally {
  await api?.stop()
  rmSync(home, { recursive: true, force: true })
}
