/**
 * Measures domains: normalization, parsing one paste, candidates of 100,000 records as a job while requests are served, and lists with 100,000
 * observations.
 *
 * npm run bench:domains -- [--records 100000] [--observations 100000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCursors } from '../apps/api/src/http/pagination.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { domainCandidates } from '../apps/api/src/rooms/domains/candidates/candidates.jobs.ts'
import { readDig } from '../apps/api/src/rooms/domains/dns/dig.rules.ts'
import { selectObservations } from '../apps/api/src/rooms/domains/dns/observations.queries.ts'
import { toObservations } from '../apps/api/src/rooms/domains/dns/observations.ts'
import { getDomain, listDomains } from '../apps/api/src/rooms/domains/list/domains.ts'
import { allPermissions, createTenant, systemActor } from '../apps/api/src/rooms/identity/identity.ts'
import { createJob, jobKindsOf } from '../apps/api/src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../apps/api/src/rooms/jobs/worker/worker.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import {
  NORMALIZATION_VERSION,
  readDomainName,
  SUFFIX_LIST_VERSION,
} from '../apps/api/src/rooms/normalization/normalization.ts'
import { change } from '../apps/api/src/store/change/change.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { openStore, STORE_FILE, type Store } from '../apps/api/src/store/store.ts'
import { countOption, ratioToRest, some } from './figures.ts'
import { median, percentile } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    observations: { type: 'string', default: '100000' },
  },
})
const records = countOption(values, 'records')
const observations = countOption(values, 'observations')

function normalizationsASecond(): number {
  const typed = Array.from({ length: 10_000 }, (_, at) =>
    at % 10 === 0 ? `https://www.Shop${at}.Karoo.co.za/x` : at % 10 === 1 ? `bücher${at}.de` : `shop.karoo${at}.co.za`,
  )
  for (const value of typed) readDomainName(value)
  const began = performance.now()
  for (let round = 0; round < 20; round++) for (const value of typed) readDomainName(value)
  return (20 * typed.length) / ((performance.now() - began) / 1_000)
}

function readingMs(): number {
  const one = (at: number) =>
    `; <<>> DiG 9.18 <<>> karoo${at}.co.za MX\n;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 1\n;; flags: qr rd ra; QUERY: 1\n;; QUESTION SECTION:\n;karoo${at}.co.za. IN MX\n;; ANSWER SECTION:\n${`karoo${at}.co.za. 3600 IN MX 10 mail.karoo.co.za.\n`.repeat(8)};; SERVER: 10.0.0.53#53\n;; WHEN: Wed Nov 25 10:00:00 SAST 2026\n`
  const text = Array.from({ length: 20 }, (_, at) => one(at))
    .join('')
    .slice(0, 16_384)
  const times = Array.from({ length: 50 }, () => {
    const began = performance.now()
    readDig(text)
    return performance.now() - began
  })
  return median(times)
}

/** Fills a tenant. A third of the records have email addresses at a domain that is not among the record's own domains. */
async function fill(dataDir: string): Promise<string> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const tenantId = await createTenant(store, 'command line', { name: 'Benchmark', timeZone: 'Africa/Johannesburg' })
  await store.close()
  const db = openConnection(join(dataDir, STORE_FILE))
  db.pragma('synchronous = OFF')
  const now = new Date().toISOString()
  const business = db.prepare(`
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status, pipeline_state, do_not_contact,
      has_evidence, normalization_version)
    VALUES (?, ?, 1, ?, 'benchmark', ?, ?, ?, '[]', 'active', 'new', 0, 0, '${NORMALIZATION_VERSION}')`)
  const identifier = db.prepare(`
    INSERT INTO business_identifiers (tenant_id, business_id, kind, position, original, normalized, normalization_version)
    VALUES (?, ?, ?, 0, ?, ?, '${NORMALIZATION_VERSION}')`)
  const name = db.prepare(
    `INSERT OR IGNORE INTO domain_names (tenant_id, domain, label, skeleton, letters) VALUES (?, ?, ?, ?, ?)`,
  )
  const observation = db.prepare(`
    INSERT INTO dns_observations (tenant_id, id, name, domain, kind, status, records, aliases, resolver, origin, observed_at, ttl, is_truncated, is_partial,
      policy_version, normalization_version, suffix_list_version, created_at, created_by)
    VALUES (?, ?, ?, ?, ?, 'resolved', ?, '[]', 'dig', 'operator', ?, 3600, 0, 0, 'operator', '${NORMALIZATION_VERSION}', '${SUFFIX_LIST_VERSION}', ?,
      'benchmark')`)
  db.exec('BEGIN')
  for (let at = 0; at < records; at++) {
    const id = newId()
    const label = `trader${at}`
    business.run(tenantId, id, now, now, `Trader ${at} Windpumps`, `trader ${at} windpumps`)
    identifier.run(tenantId, id, 'domain', `${label}.co.za`, `${label}.co.za`)
    const host = at % 3 === 0 ? `${label}-mail.co.za` : `${label}.co.za`
    identifier.run(tenantId, id, 'email', `info@${host}`, `info@${host}`)
  }
  for (let at = 0; at < observations; at++) {
    const label = `seen${at % (observations / 4)}`
    const kind = ['MX', 'NS', 'TXT'][at % 3] ?? 'MX'
    const found = {
      MX: { preference: 1, exchange: 'a.example' },
      NS: { host: 'a.example' },
      TXT: { text: 'a', isEscaped: false },
    }
    name.run(tenantId, `${label}.co.za`, label, label, label)
    const recorded = JSON.stringify([{ kind, ttl: 3_600, ...found[kind as keyof typeof found] }])
    observation.run(tenantId, newId(), `${label}.co.za`, `${label}.co.za`, kind, recorded, now, now)
  }
  db.exec('COMMIT')
  db.close()
  return tenantId
}

async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times
}

const p99 = (times: readonly number[]) => percentile(times, 0.99)

/** Reads the list of domains as the route does, every 5 ms until stopped. Returns the waiting time of each read while the job runs. */
async function probe(list: () => Promise<unknown>, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    const due = performance.now() + 5
    await delay(5)
    await list()
    times.push(performance.now() - due)
  }
  return times
}

async function runJob(store: Store, tenantId: string): Promise<number> {
  const actor = systemActor('domains', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'job.create' }, (tx) =>
    createJob(tx, { kind: domainCandidates, input: {} }),
  )
  const began = performance.now()
  const worker = startJobWorker({
    store,
    kinds: jobKindsOf([domainCandidates]),
    log: { error: console.error, warn: console.warn, info: () => {} },
  })
  for (;;) {
    await delay(20)
    const job = await store.reader.selectFrom('jobs').select('status').where('id', '=', value.id).executeTakeFirst()
    if (job?.status === 'succeeded') break
    if (job?.status === 'failed') throw new Error('The job failed.')
  }
  const seconds = (performance.now() - began) / 1_000
  await worker.stop()
  return seconds
}

const dataDir = mkdtempSync(join(tmpdir(), 'prospect-bench-domains-'))
try {
  console.log(describeMachine())
  const speed = normalizationsASecond()
  const reading = readingMs()
  const tenantId = await fill(dataDir)
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const reader = {
    tenantId,
    correlationId: newId(),
    permissions: new Set(allPermissions),
    kind: 'user' as const,
    userId: newId(),
  }
  const cursors = createCursors(store.keys)
  const list = () => listDomains(store, cursors, reader, { limit: 50 })
  const listed = await timesOf(200, list)
  const observed = await timesOf(200, async () =>
    toObservations(
      store,
      tenantId,
      await selectObservations(store.reader, tenantId, {}, { before: undefined, limit: 50 }),
    ),
  )
  const detail = await timesOf(200, () => getDomain(store, reader, 'seen7.co.za'))
  await untilStoreIsQuiet(store)
  let over = false
  const idle = probe(list, () => over)
  await delay(3_000)
  over = true
  const idleTimes = await idle
  over = false
  const beside = probe(list, () => over)
  const seconds = await runJob(store, tenantId)
  over = true
  const besideTimes = await beside
  const candidates = await store.reader.selectFrom('domain_candidates').select('id').limit(1).execute()
  some(candidates.length, 'candidates of the job')
  some((await list()).items.length, 'domains in the list')
  await store.close()
  const ratio = ratioToRest('a list', { underLoad: p99(besideTimes), atRest: p99(idleTimes) })
  console.log(
    table(
      ['what', 'measured', 'target', ''],
      [
        ['normalizations a second and core', speed.toFixed(0), '≥ 300000', verdict(speed >= 300_000)],
        ['reading one paste of 16 KiB, median', `${reading.toFixed(2)} ms`, '≤ 10 ms', verdict(reading <= 10)],
        [`candidates of ${records} records, as a job`, `${seconds.toFixed(1)} s`, '≤ 15 s', verdict(seconds <= 15)],
        ['p99 of a list meanwhile, of its idle value', `${ratio.toFixed(2)} ×`, '< 2 ×', verdict(ratio < 2)],
        ['list of domains, median', `${median(listed).toFixed(2)} ms`, '≤ 20 ms', verdict(median(listed) <= 20)],
        [
          'list of observations, median',
          `${median(observed).toFixed(2)} ms`,
          '≤ 20 ms',
          verdict(median(observed) <= 20),
        ],
        ['one domain, median', `${median(detail).toFixed(2)} ms`, '≤ 20 ms', verdict(median(detail) <= 20)],
      ],
    ),
  )
} finally {
  rmSync(dataDir, { recursive: true })
}
