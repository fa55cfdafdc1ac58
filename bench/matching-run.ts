import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { recordKeysOf } from '../apps/api/src/rooms/contact-gate/contact-gate.ts'
import { createTenant, systemActor } from '../apps/api/src/rooms/identity/identity.ts'
import { createJob, type JobContext, type JobKind, jobKindsOf } from '../apps/api/src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../apps/api/src/rooms/jobs/worker/worker.ts'
import { matchRun } from '../apps/api/src/rooms/matching/matching.jobs.ts'
import { compareWithCandidates } from '../apps/api/src/rooms/matching/suggestions/check-business.ts'
import { findMatchInput } from '../apps/api/src/rooms/matching/suggestions/match-input.queries.ts'
import { frequenciesOf } from '../apps/api/src/rooms/matching/suggestions/save-suggestions.ts'
import { findSnapshot } from '../apps/api/src/rooms/matching/suggestions/suggestions.queries.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { NORMALIZATION_VERSION, normalizeIdentifier } from '../apps/api/src/rooms/normalization/normalization.ts'
import { change } from '../apps/api/src/store/change/change.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { openStore, STORE_FILE, type Store } from '../apps/api/src/store/store.ts'
import { countOption, some } from './figures.ts'
import { generateRecords } from './matching-data.ts'
import { percentile } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'

/*
 * Measures a matching run from stored records to stored suggestions. A tenant with the given number of businesses is compared as in the job, while
 * the event loop runs a small query every few milliseconds. Then single businesses are checked as at their creation. A separate process creates the
 * records. The measured process has the flags of the API; it uses 100 MB less memory than the API, because it does not load the API's other modules.
 *
 * node bench/matching-run.ts [records, 100000 by default]
 */

const [count = '100000', step, dataDir = ''] = process.argv.slice(2)
const records = countOption({ records: count }, 'records')
const ASK_EVERY_MS = 5
const TICK_MS = 1
const CHECKS = 300
const SAMPLE_FILE = 'sample.json'
type Sample = { tenantId: string; ids: string[] }

const BUSINESS = `
  INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, street, city, tags, status,
    pipeline_state, do_not_contact, has_evidence, normalization_version)
  VALUES (?, ?, 1, ?, 'benchmark', ?, ?, ?, ?, ?, '[]', 'active', 'new', 0, 0, '${NORMALIZATION_VERSION}')`
const IDENTIFIER = `
  INSERT INTO business_identifiers (tenant_id, business_id, kind, position, original, region, normalized, uncertainty, normalization_version)
  VALUES (?, ?, ?, 0, ?, ?, ?, ?, '${NORMALIZATION_VERSION}')`

const RECORD_KEY = `
  INSERT OR IGNORE INTO suppression_record_keys (tenant, key, docid, of_evidence)
  SELECT t.number, ?, b.docid, 0 FROM businesses b JOIN tenants t ON t.id = b.tenant_id WHERE b.tenant_id = ? AND b.id = ?`

async function fill(): Promise<void> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const tenantId = await createTenant(store, 'command line', { name: 'Benchmark', timeZone: 'Africa/Johannesburg' })
  await store.close()
  const db = openConnection(join(dataDir, STORE_FILE))
  db.pragma('synchronous = OFF')
  const business = db.prepare(BUSINESS)
  const identifier = db.prepare(IDENTIFIER)
  const recordKey = db.prepare(RECORD_KEY)
  const at = new Date(Date.now() - 3_600_000).toISOString()
  const ids: string[] = []
  db.exec('BEGIN')
  for (const row of generateRecords(records, 7)) {
    const id = newId()
    ids.push(id)
    business.run(
      tenantId,
      id,
      at,
      at,
      row.name,
      row.name.toLowerCase(),
      row.address === '' ? null : row.address,
      row.city,
    )
    for (const kind of ['phone', 'email', 'domain'] as const) {
      if (row[kind] === '') continue
      const { normalized, uncertainty } = normalizeIdentifier(kind, row[kind], 'ZA')
      const region = kind === 'phone' ? 'ZA' : null
      identifier.run(tenantId, id, kind, row[kind], region, normalized, uncertainty)
      for (const key of recordKeysOf({ kind, value: row[kind], region })) recordKey.run(key, tenantId, id)
    }
  }
  db.exec('COMMIT')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const sample: Sample = { tenantId, ids: ids.filter((_id, at) => at % Math.ceil(ids.length / CHECKS) === 0) }
  writeFileSync(join(dataDir, SAMPLE_FILE), JSON.stringify(sample))
}

/**
 * Runs one query at a time, as a request does, and returns their waiting times. The wait counts from the planned time of the query, so that it
 * includes the time in which the event loop is blocked.
 */
async function watch(store: Store, tenantId: string, ids: readonly string[], isOver: () => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isOver()) {
    const due = performance.now() + ASK_EVERY_MS
    await delay(ASK_EVERY_MS)
    await findMatchInput(store.reader, tenantId, ids[waits.length % ids.length] ?? '')
    waits.push(performance.now() - due)
  }
  return waits
}

function told(waits: readonly number[]): string {
  const [half, most, longest] = [0.5, 0.99, 1].map((part) => percentile(waits, part).toFixed(2))
  return `p50 ${half} ms, p99 ${most} ms, longest ${longest} ms`
}

function computedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Returns a function that returns, for each interval between two ticks, how long the event loop computed in it. Waits for other processes are not
 * included.
 */
function watchStretches(): () => number[] {
  const stretches: number[] = []
  let before = computedMs()
  const ticking = setInterval(() => {
    const now = computedMs()
    stretches.push(now - before)
    before = now
  }, TICK_MS)
  return () => {
    clearInterval(ticking)
    return stretches
  }
}

async function measure(): Promise<void> {
  const { tenantId, ids }: Sample = JSON.parse(readFileSync(join(dataDir, SAMPLE_FILE), 'utf8'))
  const store = openStore({ migrations, dataDir, clock: systemClock })
  await untilStoreIsQuiet(store)
  const idleEnds = performance.now() + 5_000
  console.log(
    `${count} records. Asked at rest: ${told(await watch(store, tenantId, ids, () => performance.now() > idleEnds))}`,
  )

  const actor = systemActor('matching', tenantId)
  const phases = new Map<string, number>()
  const started = performance.now()
  const processor = process.cpuUsage()
  const mainBefore = computedMs()
  const beforeMb = process.memoryUsage.rss() / 1e6
  let peakMb = 0
  let isOver = false
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6)), 200)
  const stretches = watchStretches()
  const watching = watch(store, tenantId, ids, () => isOver)
  const done = Promise.withResolvers<unknown>()
  const kind: JobKind = {
    ...matchRun,
    run: async (context, input) => {
      const progress: JobContext['progress'] = (told) => {
        phases.set(told.total === null ? 'reading' : 'comparing', performance.now() - started)
        context.progress(told)
      }
      const running = matchRun.run({ ...context, progress }, input)
      running.then(done.resolve, done.reject)
      return running
    },
  }
  const worker = startJobWorker({
    store,
    kinds: jobKindsOf([kind]),
    log: { info: () => undefined, warn: console.warn, error: console.error },
  })
  await change(store, actor, { permission: null, action: 'job.create' }, (tx) =>
    createJob(tx, { kind: matchRun, input: {} }),
  )
  const result = await done.promise
  const tookMs = performance.now() - started
  isOver = true
  clearInterval(sampling)
  const { user, system } = process.cpuUsage(processor)
  const mainMs = computedMs() - mainBefore
  console.log(`asked during the run: ${told(await watching)}`)
  console.log(`computed in one go by the event loop: ${told(stretches())}`)
  console.log(
    `run: ${(tookMs / 1_000).toFixed(1)} s (processor ${((user + system) / 1e6).toFixed(1)} s, ${(mainMs / 1_000).toFixed(1)} of the main ` +
      `thread), peak ${peakMb.toFixed(0)} MB (${beforeMb.toFixed(0)} before); ends of ` +
      [...phases].map(([phase, ms]) => `${phase} ${(ms / 1_000).toFixed(1)} s`).join(', '),
  )
  console.log(JSON.stringify(result))

  const frequencies = frequenciesOf(await findSnapshot(store.reader, tenantId))
  const checks: number[] = []
  for (const id of ids) {
    const input = await findMatchInput(store.reader, tenantId, id)
    if (input === undefined) continue
    const before = performance.now()
    await compareWithCandidates(store, tenantId, input, frequencies)
    checks.push(performance.now() - before)
  }
  some(checks.length, 'checks of records')
  console.log(`a check as at creation: ${told(checks)}`)
  await worker.stop()
  await store.close()
}

function inProcess(nodeFlags: readonly string[], ...step: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [...nodeFlags, import.meta.filename, count, ...step], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}

if (step === 'fill') await fill()
else if (step === 'measure') await measure()
else {
  const folder = mkdtempSync(join(tmpdir(), 'prospect-matching-'))
  try {
    inProcess([], 'fill', folder)
    inProcess(['--v8-pool-size=1'], 'measure', folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
