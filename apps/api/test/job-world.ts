import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { newId } from '../src/lib/ids.ts'
import type { JsonObject } from '../src/lib/json.ts'
import { rooms } from '../src/rooms/index.ts'
import type { Job, JobEvent } from '../src/rooms/jobs/jobs.schema.ts'
import type { JobTable } from '../src/rooms/jobs/jobs.table.ts'
import { defineJobKind, type JobContext, type JobKind, jobKindsOf } from '../src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../src/rooms/jobs/worker/worker.ts'
import type { WorkerOptions, WorkerTimes } from '../src/rooms/jobs/worker/worker-options.ts'
import type { Store } from '../src/store/store.ts'
import { type Answer, buildTestApp, type TestApp, type TestAppOptions, type TestClient } from './build-app.ts'

/** Times of a worker: short enough for a test to wait for, long enough for a busy machine. */
export const quickTimes: WorkerTimes = { leaseMs: 400, beatMs: 60, lookMs: 40, progressMs: 20, stopMs: 250 }

type Run = (context: JobContext, input: { name: string }) => Promise<JsonObject | undefined>

/** Defines a job kind with the test's handler. */
export function testKind(run: Run, facts: Partial<Omit<JobKind, 'run' | 'check'>> = {}): JobKind {
  return defineJobKind({
    kind: 'test',
    title: 'A test',
    permission: 'jobs.create',
    timeoutMs: 30_000,
    maxAttempts: 1,
    isCancellable: true,
    touches: 'Whatever the test says.',
    ...facts,
    input: z.strictObject({ name: z.string().default('a job') }),
    run,
  })
}

export type JobWorld = {
  t: TestApp
  operator: TestClient
  /** starts a worker that ends with the test */
  work(options?: Partial<WorkerOptions>): ReturnType<typeof startJobWorker>
  create(input?: JsonObject, client?: TestClient): Promise<Job>
  /** resolves when the job has the expected state, woken by its events */
  until(jobId: string, isWanted: (job: JobTable) => boolean): Promise<JobTable>
  ended(jobId: string): Promise<JobTable>
  events(jobId: string): Promise<JobEvent[]>
}

/** Creates an app with these job kinds, without a worker. */
export async function jobWorld(
  kinds: readonly JobKind[],
  options: Omit<TestAppOptions, 'kinds'> = {},
): Promise<JobWorld> {
  const t = await buildTestApp({ ...options, kinds: jobKindsOf(kinds) })
  const operator = await t.as('operator')
  const until = (jobId: string, isWanted: (job: JobTable) => boolean) => untilJob(t.store, jobId, isWanted)
  return {
    t,
    operator,
    work: (changed = {}) => work({ store: t.store, kinds: jobKindsOf(kinds), ...changed }),
    create: (input = {}, client = operator) => createJobOf(client, kinds[0]?.kind ?? 'test', input),
    until,
    ended: (jobId) => until(jobId, ({ ended_at }) => ended_at !== null),
    events: async (jobId) => (await operator.get<{ items: JobEvent[] }>(`/jobs/${jobId}/events?limit=200`)).body.items,
  }
}

/** Starts a worker that ends with the test. */
export function work(options: Pick<WorkerOptions, 'store' | 'kinds'> & Partial<WorkerOptions>) {
  const worker = startJobWorker({ rooms, log: pino({ level: 'silent' }), times: quickTimes, ...options })
  onTestFinished(() => worker.stop())
  return worker
}

export async function createJobOf(client: TestClient, kind: string, input: JsonObject = {}): Promise<Job> {
  const answer: Answer<Job> = await client.post('/jobs', { kind, input }, { 'idempotency-key': newId() })
  if (answer.status !== 202) throw new Error(`No job was created: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export async function untilJob(store: Store, jobId: string, isWanted: (job: JobTable) => boolean): Promise<JobTable> {
  const read = () => store.reader.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  const { signals } = store
  return new Promise((resolve, reject) => {
    const look = async () => {
      const job = await read()
      if (job === undefined || !isWanted(job)) return
      signals.off('jobEvent', look)
      resolve(job)
    }
    signals.on('jobEvent', look)
    look().catch(reject)
  })
}
