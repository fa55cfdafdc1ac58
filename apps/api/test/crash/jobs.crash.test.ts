import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { seededNumbers } from '../../src/lib/seeded-numbers.ts'
import { verifyTenant } from '../../src/rooms/audit/audit.ts'
import { memberActor } from '../../src/rooms/identity/identity.ts'
import { getJobRow } from '../../src/rooms/jobs/jobs.queries.ts'
import { createJob } from '../../src/rooms/jobs/jobs.ts'
import { cancelJob } from '../../src/rooms/jobs/queue/cancel-job.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { change } from '../../src/store/change/change.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { compiledBefore } from '../run-node.ts'
import { copyTemplateStore, type TestTenant } from '../template-store.ts'
import { crashKind, EFFECTS } from './crash-kind.ts'

const KILLS = 14
/** Number of jobs that each tenant has queued before each kill, so that a kill interrupts work on any machine. */
const JOBS_PER_KILL = 11
const PROCESSES = 2
/** Seed of the kill times, so that they are the same in every run on a similar machine. */
const SEED = 20_261_121
const GIVE_UP_AFTER_MS = 150_000
const LOOK_EVERY_MS = 100

const random = seededNumbers(SEED)
const between = (low: number, high: number) => low + Math.floor(random() * (high - low))
const kind = crashKind(async () => {})

async function startProcess(dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'job-worker-process.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...compiledBefore(), PATH: process.env.PATH, DATA_DIR: dataDir },
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child)
  })
  if (child.stdout !== null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function actorIn(store: Store, { id: tenantId, users }: TestTenant) {
  const actor = await memberActor(store.reader, { tenantId, userId: users.operator.id }, newId())
  if (actor === undefined) throw new Error('The operator is a member.')
  return actor
}

/** Creates some jobs. Cancels the last one and another one, whatever their status. */
async function createJobs(store: Store, tenant: TestTenant): Promise<void> {
  const actor = await actorIn(store, tenant)
  const ids: string[] = []
  for (let n = 0; n < JOBS_PER_KILL; n++) {
    const input = { pauseMs: between(5, 60), fails: n === 0 }
    const { value } = await change(store, actor, { permission: null, action: 'job.create' }, (tx) =>
      createJob(tx, { kind, input }),
    )
    ids.push(value.id)
  }
  for (const jobId of [ids.at(-1) ?? '', ids[between(0, ids.length)] ?? '']) {
    await change(store, actor, { permission: null, action: 'job.cancel' }, async (tx) =>
      cancelJob(tx, kind, await getJobRow(tx.db, { tenantId: tenant.id, jobId, kinds: ['crash'] })),
    )
  }
}

async function countLeft(store: Store): Promise<number> {
  return (await store.reader.selectFrom('jobs').select('id').where('ended_at', 'is', null).execute()).length
}

test('kill -9 at random points of several hundred jobs, two processes on one store: every job ends once, every effect runs once, events have no gap', {
  timeout: 300_000,
}, async ({ expect }) => {
  const { dataDir, tenants } = await copyTemplateStore()
  const store = openStore({ migrations, dataDir, clock: systemClock })
  onTestFinished(() => store.close())
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(dataDir)))
  for (let kills = 0; kills < KILLS; kills++) {
    await createJobs(store, tenants.home)
    await createJobs(store, tenants.other)
    await delay(between(0, 200))
    const victim = between(0, PROCESSES)
    const child = processes[victim]
    if (child !== undefined) await kill(child)
    processes[victim] = await startProcess(dataDir)
  }
  const givesUpAt = performance.now() + GIVE_UP_AFTER_MS
  while ((await countLeft(store)) > 0 && performance.now() < givesUpAt) await delay(LOOK_EVERY_MS)
  expect(await countLeft(store)).toBe(0)

  const jobs = await store.reader.selectFrom('jobs').selectAll().execute()
  const events = await store.reader.selectFrom('job_events').selectAll().orderBy('job_id').orderBy('sequence').execute()
  const audit = await store.reader.selectFrom('audit_events').select(['action', 'subject_id']).execute()
  const traces = audit.filter(({ action }) => action === 'test.trace').map(({ subject_id }) => subject_id)
  const ends = audit.filter(({ action }) => action === 'job.end').map(({ subject_id }) => subject_id)

  expect(new Set(traces).size).toBe(traces.length)
  expect(new Set(ends).size).toBe(ends.length)
  const wrong: unknown[] = []
  for (const job of jobs) {
    const own = events.filter(({ job_id }) => job_id === job.id)
    const terminal = own.filter(({ type }) => type === 'succeeded' || type === 'failed' || type === 'cancelled')
    const done = Array.from({ length: EFFECTS }, (_, step) => traces.includes(`${job.id} ${step}`))
    const isWhole = own.every(({ sequence }, index) => sequence === index + 1) && job.last_sequence === own.length
    const endsOnce = terminal.length === 1 && own.at(-1)?.type === job.status
    // A job that ended without all its effects was stopped midway. Its completed effects are the first ones, without a gap.
    const hasAll = job.status === 'cancelled' || job.error_code === 'worker_lost' || done.every((isDone) => isDone)
    const hasNoHole = done.every((isDone, step) => !isDone || step === 0 || done[step - 1] === true)
    if (!isWhole || !endsOnce || !hasAll || !hasNoHole) wrong.push({ job, own, done })
  }
  expect(wrong).toEqual([])
  expect(jobs.filter(({ reclaims }) => reclaims > 0).length).toBeGreaterThan(0)
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['succeeded', 'failed', 'cancelled']))
  for (const { id } of [tenants.home, tenants.other]) {
    expect(await verifyTenant(store, id)).toMatchObject({ firstBroken: null })
  }
})
