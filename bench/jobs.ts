/**
 * Measures the cost of a job: empty jobs from claim to end against bare commits on the same disk, the time from creation to start, events written and
 * read, and the effect of jobs on the event loop.
 *
 * npm run bench:jobs -- [--jobs 2000] [--rounds 5]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Actor } from '../apps/api/src/lib/actor.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { auditVerification } from '../apps/api/src/rooms/audit/audit.jobs.ts'
import { createTenant, createUser, systemActor } from '../apps/api/src/rooms/identity/identity.ts'
import { selectEvents } from '../apps/api/src/rooms/jobs/jobs.queries.ts'
import { createJob, defineJobKind, type JobKind, jobKindsOf } from '../apps/api/src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../apps/api/src/rooms/jobs/worker/worker.ts'
import { matchRun } from '../apps/api/src/rooms/matching/matching.jobs.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { sampleData } from '../apps/api/src/rooms/sample-data/sample-data.jobs.ts'
import { scorePreview, scoreRun } from '../apps/api/src/rooms/scoring/scoring.jobs.ts'
import { change } from '../apps/api/src/store/change/change.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { openStore, type Store } from '../apps/api/src/store/store.ts'
import { BenchmarkError, countOption, some } from './figures.ts'
import { median, percentile } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
})
const jobs = countOption(values, 'jobs')
const rounds = countOption(values, 'rounds')
const throughputAim = 0.25
const startAimMs = 20
const loopAimMs = 50
const WATCH_EVERY_MS = 5
const log = { info: () => {}, warn: console.warn, error: console.error }

const folder = mkdtempSync(join(tmpdir(), 'prospect-bench-jobs-'))
const store = openStore({ migrations, dataDir: folder, clock: systemClock })
try {
  process.stdout.write(describeMachine())
  const tenants = [await newTenant(), await newTenant(), await newTenant()]
  const [actor] = tenants
  if (actor === undefined) throw new Error('There is a tenant.')
  await throughput(tenants)
  await latency(actor)
  await events(actor)
  await stalls(actor)
} finally {
  await store.close()
  rmSync(folder, { recursive: true })
}

async function newTenant(): Promise<Actor> {
  const tenantId = await createTenant(store, 'command line', { name: 'Bench', timeZone: 'Africa/Johannesburg' })
  return systemActor('command line', tenantId)
}

function kindOf(run: JobKind['run']): JobKind {
  return defineJobKind({
    kind: 'bench',
    title: 'Bench',
    permission: 'jobs.create',
    input: z.strictObject({}),
    timeoutMs: 600_000,
    maxAttempts: 1,
    isCancellable: true,
    touches: 'Nothing.',
    run: async (context) => (await run(context, {})) ?? undefined,
  })
}

async function queue(kind: JobKind, asker: Actor): Promise<string> {
  const { value } = await change(store, asker, { permission: null, action: 'job.create' }, (tx) =>
    createJob(tx, { kind, input: {} }),
  )
  return value.id
}

/** Resolves when no job is queued or running. Errors if a job failed, because a failed job does not do the work that is measured. */
async function drained(of: Store): Promise<void> {
  const jobs = of.reader.selectFrom('jobs').select('kind').limit(1)
  while ((await jobs.where('ended_at', 'is', null).execute()).length > 0) await delay(2)
  const [failed] = await jobs.where('ended_at', 'is not', null).where('status', '!=', 'succeeded').execute()
  if (failed !== undefined) throw new BenchmarkError(`A job of the kind ${failed.kind} did not succeed.`)
}

async function throughput(tenants: readonly Actor[]): Promise<void> {
  const rates: { bare: number; ours: number }[] = []
  await untilStoreIsQuiet(store)
  for (let round = 0; round < rounds; round++) rates.push({ bare: bareCommits(), ours: await emptyJobs(tenants) })
  const ratio = median(rates.map(({ bare, ours }) => ours / bare))
  process.stdout.write(
    table(
      ['', 'bare commits/s', 'jobs/s', 'ratio', 'aim', ''],
      [
        [
          `empty jobs, claim to end`,
          median(rates.map(({ bare }) => bare)).toFixed(0),
          median(rates.map(({ ours }) => ours)).toFixed(0),
          ratio.toFixed(2),
          `≥ ${throughputAim}`,
          verdict(ratio >= throughputAim),
        ],
      ],
    ),
  )
}

/** Inserts one durable row per commit in a separate file, and returns the rate. It is the ceiling of any worker that commits once per job. */
function bareCommits(): number {
  const connection = openConnection(join(folder, 'bare.sqlite'))
  connection.exec('CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  const insert = connection.prepare('INSERT INTO bare (text) VALUES (?)')
  const began = performance.now()
  for (let n = 0; n < jobs; n++) insert.run('a row of some length, as a small change has it')
  const seconds = (performance.now() - began) / 1_000
  connection.close()
  return jobs / seconds
}

async function emptyJobs(tenants: readonly Actor[]): Promise<number> {
  const kind = kindOf(async () => null)
  // A tenant can have at most a thousand queued jobs.
  const each = some(Math.min(Math.floor(jobs / tenants.length), 1_000), 'jobs of each tenant')
  for (const asker of tenants) await Promise.all(Array.from({ length: each }, () => queue(kind, asker)))
  const began = performance.now()
  const worker = startJobWorker({ store, kinds: jobKindsOf([kind]), log })
  await drained(store)
  const seconds = (performance.now() - began) / 1_000
  await worker.stop()
  return (each * tenants.length) / seconds
}

async function latency(asker: Actor): Promise<void> {
  let started: (at: number) => void = () => {}
  const kind = kindOf(async () => {
    started(performance.now())
    return null
  })
  const worker = startJobWorker({ store, kinds: jobKindsOf([kind]), log })
  const times: number[] = []
  for (let n = 0; n < 200; n++) {
    await drained(store)
    const start = new Promise<number>((resolve) => {
      started = resolve
    })
    const asked = performance.now()
    await queue(kind, asker)
    times.push((await start) - asked)
  }
  await worker.stop()
  const p99 = percentile(times, 0.99)
  const found = median(times)
  process.stdout.write(
    table(
      ['', 'median ms', 'p99 ms', 'aim', ''],
      [
        [
          'from asking to the start, its own commit included',
          found.toFixed(1),
          p99.toFixed(1),
          `< ${startAimMs}`,
          verdict(found < startAimMs),
        ],
      ],
    ),
  )
}

async function events(asker: Actor): Promise<void> {
  const steps = 5_000
  let appended = 0
  const kind = kindOf(async ({ checkpoint }) => {
    const began = performance.now()
    for (let step = 0; step < steps; step++) await checkpoint({ step })
    appended = steps / ((performance.now() - began) / 1_000)
    return null
  })
  const worker = startJobWorker({ store, kinds: jobKindsOf([kind]), log })
  const jobId = await queue(kind, asker)
  await drained(store)
  await worker.stop()
  const began = performance.now()
  let read = 0
  for (let after = 0; ; ) {
    const page = await selectEvents(store.reader, { tenantId: asker.tenantId, jobId, after, limit: 200 })
    if (page.length === 0) break
    read += page.length
    after = page.at(-1)?.sequence ?? after
  }
  some(read, 'events of the job')
  const replayed = read / ((performance.now() - began) / 1_000)
  process.stdout.write(
    table(
      ['events of one job', 'per second'],
      [
        ['appended, each durable before the next', appended.toFixed(0)],
        ['replayed in pages of 200', replayed.toFixed(0)],
      ],
    ),
  )
}

/**
 * Measures how long other work waits for the event loop while the heaviest job kinds run. Reports two times: by the clock, which includes waits for
 * other processes and the disk, and the longest time that the thread computed without a pause.
 */
async function stalls(asker: Actor): Promise<void> {
  const lines: string[][] = []
  // The sample rules need an owner, and the sample requests a preview and a run of scores.
  const owner = { email: 'owner@example.co.za', name: 'Owner', role: 'administrator' } as const
  await createUser(store, 'command line', {
    tenantId: asker.tenantId,
    ...owner,
    password: 'correct horse battery staple 42',
  })
  for (const kind of [sampleData, auditVerification, matchRun]) {
    await untilStoreIsQuiet(store)
    const worker = startJobWorker({ store, kinds: jobKindsOf([kind, scorePreview, scoreRun]), log })
    const watch = watchLoop()
    await queue(kind, asker)
    await drained(store)
    const { stalled, computed } = watch.stop()
    await worker.stop()
    const p99 = at(stalled, 0.99)
    lines.push(
      [kind.kind, p99, at(stalled, 1), at(computed, 0.99), at(computed, 1)].concat([
        `< ${loopAimMs}`,
        verdict(Number(p99) < loopAimMs),
      ]),
    )
  }
  const headings = [
    'event loop while it runs',
    'p99 ms',
    'longest ms',
    'computing: p99 ms',
    'longest ms',
    'aim of p99',
    '',
  ]
  process.stdout.write(table(headings, lines))
}

function watchLoop() {
  const stalled: number[] = []
  const computed: number[] = []
  let before = { now: performance.now(), busyUs: computedUs() }
  const timer = setInterval(() => {
    const now = { now: performance.now(), busyUs: computedUs() }
    stalled.push(Math.max(0, now.now - before.now - WATCH_EVERY_MS))
    computed.push(Math.max(0, (now.busyUs - before.busyUs) / 1_000 - WATCH_EVERY_MS))
    before = now
  }, WATCH_EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return { stalled, computed }
    },
  }
}

function computedUs(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

function at(values: readonly number[], share: number): string {
  return percentile(values, share).toFixed(1)
}
