/**
 * Measures the cost of a request to a source: gated requests (permit, answer, settlement) against bare durable commits on the same disk, with an
 * adapter without a network; a list of 1,000 entries; 30 days of health. The requests are spread over 1,000 enabled sources, because one source
 * allows 600 per minute and 8 at once.
 *
 * npm run bench:sources -- [--sources 1000] [--rounds 5]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { answer, fixtureAdapter, fixtureRecord } from '@prospect/adapter-contract/test-kit/fixture-adapter'
import Database from 'better-sqlite3'
import { createCursors } from '../apps/api/src/http/pagination.ts'
import type { UserActor } from '../apps/api/src/lib/actor.ts'
import { daysAfter, systemClock } from '../apps/api/src/lib/clock.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import type { LoadedAdapters } from '../apps/api/src/load-adapters.ts'
import { createBusiness, createBusinessSchema } from '../apps/api/src/rooms/businesses/businesses.ts'
import { createTenant, createUser, memberActor, systemActor } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { readHealth } from '../apps/api/src/rooms/sources/health/read-health.ts'
import { businessRecords } from '../apps/api/src/rooms/sources/purposes.ts'
import { contractSchema, versionFingerprint } from '../apps/api/src/rooms/sources/registry/contract.rules.ts'
import { enableSource, giveApproval } from '../apps/api/src/rooms/sources/registry/decide.ts'
import { designate } from '../apps/api/src/rooms/sources/registry/desks.ts'
import { createSource } from '../apps/api/src/rooms/sources/registry/propose.ts'
import { listSources } from '../apps/api/src/rooms/sources/registry/read-sources.ts'
import { desks } from '../apps/api/src/rooms/sources/sources.table.ts'
import { askSource } from '../apps/api/src/rooms/sources/sources.ts'
import { change, type Tx } from '../apps/api/src/store/change/change.ts'
import { openStore } from '../apps/api/src/store/store.ts'
import { countOption, some } from './figures.ts'
import { median } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({
  options: { sources: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '5' } },
})
const sourceCount = countOption(values, 'sources')
const rounds = countOption(values, 'rounds')
const aims = { alone: 0.3, together: 4, listMs: 20, healthMs: 30 }
const ALONE = 200
const TOGETHER = 2_000
const AT_ONCE = 32
const COMMITS = 200

const folder = mkdtempSync(join(tmpdir(), 'prospect-bench-sources-'))
const store = openStore({ migrations, dataDir: folder, clock: systemClock })
const fixture = fixtureAdapter({ script: () => answer([fixtureRecord()]) })
const adapters: LoadedAdapters = { file: { sha256: 'a'.repeat(64) }, items: [fixture.adapter] }
try {
  process.stdout.write(describeMachine())
  const tenantId = await createTenant(store, 'command line', { name: 'Bench', timeZone: 'Africa/Johannesburg' })
  const people = await Promise.all(['author', ...desks].map((name) => person(tenantId, name)))
  const [author, ...approvers] = people
  if (author === undefined) throw new Error('There is an author.')
  const businessId = await business(tenantId)
  const ids = await enabledSources(author, approvers)
  await requests(ids, author, businessId)
  await lists(author)
  await health(tenantId, ids[0] ?? '')
} finally {
  await store.close()
  rmSync(folder, { recursive: true })
}

async function person(tenantId: string, name: string): Promise<UserActor> {
  const account = {
    name,
    email: `${name}@bench.example`,
    role: 'manager' as const,
    password: 'wide acacia over the dry river',
  }
  const userId = await createUser(store, 'command line', { tenantId, ...account })
  const actor = await memberActor(store.reader, { tenantId, userId }, newId())
  if (actor === undefined) throw new Error('A member was made.')
  return actor
}

function inChange<T>(actor: UserActor, work: (tx: Tx) => Promise<T>) {
  return change(store, actor, { permission: null, action: 'source.edit' }, work)
}

async function business(tenantId: string): Promise<string> {
  const options = { permission: null, action: 'business.create' } as const
  const input = createBusinessSchema.parse({ name: 'Karoo Windpumps' })
  const { value } = await change(store, systemActor('command line', tenantId), options, (tx) =>
    createBusiness(tx, input),
  )
  return value.id
}

async function enabledSources(author: UserActor, approvers: readonly UserActor[]): Promise<string[]> {
  const contract = contractSchema.parse({
    terms: { ownerId: author.userId, reference: 'Agreement', reviewDueOn: day(300) },
    purposes: ['business_records'],
    scope: { fields: ['name'], provinces: [], maxRecords: 10 },
    rate: { perMinute: 600, perDay: 100_000 },
    concurrency: 8,
    timeoutMs: 10_000,
    maxBytes: 100_000,
    retry: { maxAttempts: 1 },
    rawRetention: 'days_30',
    health: { failureRatio: 0.2, latencyMs: 2_000 },
    circuit: { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 4_000, closeAfterSuccesses: 2 },
    settings: { region: 'north' },
  })
  const adapter = { id: fixture.adapter.id, version: fixture.adapter.version }
  const [product, legal, security] = approvers.map(({ userId }) => [userId])
  if (product === undefined || legal === undefined || security === undefined) throw new Error('Three approve.')
  await inChange(author, (tx) => designate(tx, 0, { product, legal, security }))
  const fingerprint = versionFingerprint(contract, adapter, adapters)
  const make = async (index: number) => {
    const input = { slug: `source-${index}`, name: `Source ${index}`, adapter, contract }
    const { value } = await inChange(author, (tx) => createSource({ tx, adapters }, input))
    const about = { fingerprint, reason: 'For the benchmark.', endsAt: `${day(80)}T00:00:00.000Z` }
    for (const [at, desk] of desks.entries()) {
      const actor = approvers[at] ?? author
      await inChange(actor, (tx) =>
        giveApproval({ tx, actor, adapters }, value.id, { ...about, desk, decision: 'approve' }),
      )
    }
    const [actor = author] = approvers
    await inChange(actor, (tx) => enableSource({ tx, actor, adapters }, value.id, about))
    return value.id
  }
  return Promise.all(Array.from({ length: sourceCount }, (_, index) => make(index)))
}

function day(days: number): string {
  return daysAfter(Date.now(), days).slice(0, 10)
}

async function requests(ids: readonly string[], actor: UserActor, businessId: string): Promise<void> {
  const query = { businessId, fields: ['name'], provinces: [], maxRecords: 5 }
  let turn = 0
  const ask = async () => {
    const sourceId = ids[turn++ % ids.length] ?? ''
    const { outcome } = await askSource(
      { store, adapters, actor },
      { sourceId, purpose: businessRecords, query, businessId },
    )
    if (outcome !== 'answered') throw new Error(`A request was ${outcome}.`)
  }
  await untilStoreIsQuiet(store)
  const rates: { bare: number; alone: number; together: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const bare = bareCommits()
    const alone = await rateOf(ALONE, 1, ask)
    const together = await rateOf(TOGETHER, AT_ONCE, ask)
    // Skip the first round, which is the warm-up.
    if (round > 0) rates.push({ bare, alone, together })
  }
  const rate = (name: 'bare' | 'alone' | 'together') => median(rates.map((one) => one[name]))
  const ratio = (name: 'alone' | 'together') => median(rates.map((one) => one[name] / one.bare))
  const row = (label: string, name: 'alone' | 'together', aim: number) => [
    label,
    rate('bare').toFixed(0),
    rate(name).toFixed(0),
    ratio(name).toFixed(2),
    `≥ ${aim}`,
    verdict(ratio(name) >= aim),
  ]
  const heading = ['gated requests', 'bare commits/s', 'requests/s', 'ratio', 'aim', '']
  process.stdout.write(
    table(heading, [row('one at a time', 'alone', aims.alone), row(`${AT_ONCE} at once`, 'together', aims.together)]),
  )
}

/** Measures durable inserts one after the other without the API's code, and returns their rate. */
function bareCommits(): number {
  const file = join(folder, 'bare.db')
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  const insert = db.prepare('INSERT INTO bare (text) VALUES (?)')
  const started = performance.now()
  for (let done = 0; done < COMMITS; done++) insert.run('a row of some length, as a permit has')
  const rate = COMMITS / ((performance.now() - started) / 1_000)
  db.close()
  return rate
}

async function rateOf(count: number, atOnce: number, ask: () => Promise<void>): Promise<number> {
  let left = count
  const started = performance.now()
  const worker = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return count / ((performance.now() - started) / 1_000)
}

async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const measured: number[] = []
  for (let done = 0; done < times; done++) {
    const started = performance.now()
    JSON.stringify(await work())
    measured.push(performance.now() - started)
  }
  return median(measured)
}

async function lists(actor: UserActor): Promise<void> {
  const cursors = createCursors(store.keys)
  const list = (filter: object) => () => listSources({ store, adapters, actor }, cursors, { limit: 50, ...filter })
  some((await list({})()).items.length, 'sources in the list')
  const rows: string[][] = []
  for (const [label, filter] of [
    ['first page', {}],
    ['that are enabled', { status: 'enabled' }],
    ['that wait for me: none', { waitingForMe: true }],
  ] as const) {
    const ms = await medianMs(30, list(filter))
    rows.push([`list among ${sourceCount}, ${label}`, ms.toFixed(1), `≤ ${aims.listMs}`, verdict(ms <= aims.listMs)])
  }
  process.stdout.write(table(['reads', 'median ms', 'aim', ''], rows))
}

async function health(tenantId: string, sourceId: string): Promise<void> {
  const end = Date.now()
  const buckets = Array.from({ length: 30 * 288 }, (_, index) => ({
    tenant_id: tenantId,
    source_id: sourceId,
    interval: 'minutes_5' as const,
    starts_at: new Date(Math.floor(end / 300_000) * 300_000 - (index + 1) * 300_000).toISOString(),
    requests: 120,
    answers: 117,
    errors: 3,
    bytes: 1_000_000,
    latencies: '{"18":40,"20":50,"21":20,"27":10}',
  }))
  for (let from = 0; from < buckets.length; from += 500) await insertBuckets(buckets.slice(from, from + 500))
  const read = () => readHealth(store, { tenantId, sourceId }, { interval: 'minutes_5' })
  some((await read()).items.length, 'intervals of health')
  const ms = await medianMs(30, read)
  process.stdout.write(
    table(
      ['reads', 'median ms', 'aim', ''],
      [['30 days of health, 5 minutes each', ms.toFixed(1), `≤ ${aims.healthMs}`, verdict(ms <= aims.healthMs)]],
    ),
  )
}

function insertBuckets(
  rows: { tenant_id: string; source_id: string; interval: 'minutes_5'; starts_at: string }[],
): Promise<void> {
  return store.write('upkeep', async (db) => {
    await db
      .insertInto('source_health')
      .values(rows)
      .onConflict((bucket) => bucket.doNothing())
      .execute()
    return { keep: true, value: undefined }
  })
}
