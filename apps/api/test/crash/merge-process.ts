import BetterSqlite3 from 'better-sqlite3'
import { pino } from 'pino'
import { newId } from '../../src/lib/ids.ts'
import { exportJob } from '../../src/rooms/exports/exports.jobs.ts'
import { memberActor } from '../../src/rooms/identity/identity.ts'
import { jobKindsOf, startJobWorker } from '../../src/rooms/jobs/jobs.ts'
import { matchRun } from '../../src/rooms/matching/matching.jobs.ts'
import { mergeBusinesses } from '../../src/rooms/matching/merging/merge-businesses.ts'
import { reverseMerge } from '../../src/rooms/matching/merging/reverse-merge.ts'
import { openStore } from '../../src/store/store.ts'
import type { MergeTask } from './merge-task.ts'

/*
 * A process that merges, reverses or runs jobs, and kills itself where it was told to: before the so-manieth statement. It tells the
 * statements that it ran, so that whoever starts it can choose; without a place to die it ends by itself.
 */

const { TASK = '', DIES_AT = '' } = process.env
const task = JSON.parse(TASK) as MergeTask
const diesAt = DIES_AT === '' ? Number.POSITIVE_INFINITY : Number(DIES_AT)

const { now } = Date
Date.now = () => now() + (task.aheadMs ?? 0)
const store = openStore({ dataDir: task.dataDir, clock: () => new Date(Date.now()) })
const actor = await memberActor(store.reader, { tenantId: task.tenantId, userId: task.userId }, newId())
if (actor === undefined) throw new Error('The manager is a member.')

const ran: string[] = []
const statements: Pick<BetterSqlite3.Statement, 'run' | 'get' | 'all'> = Object.getPrototypeOf(
  new BetterSqlite3(':memory:').prepare('SELECT 1'),
)
/** A worker looks around and shows that it lives as time goes by; what a run writes is the same each time. */
const counted = { 'match-run': 'match_', export: 'export_files' }
const isCounted = (source: string) => task.do !== 'work' || source.includes(counted[task.kind])

function note(source: string): void {
  if (!isCounted(source)) return
  if (ran.length === diesAt) process.kill(process.pid, 'SIGKILL')
  ran.push(source)
}
const { run, get, all } = statements
statements.run = function (this: BetterSqlite3.Statement, ...parameters) {
  note(this.source)
  return run.apply(this, parameters)
}
statements.get = function (this: BetterSqlite3.Statement, ...parameters) {
  note(this.source)
  return get.apply(this, parameters)
}
statements.all = function (this: BetterSqlite3.Statement, ...parameters) {
  note(this.source)
  return all.apply(this, parameters)
}

if (task.do === 'merge') await mergeBusinesses(store, actor, task.suggestionId, task.body, task.idempotency)
else if (task.do === 'reverse') await reverseMerge(store, actor, task.mergeId, task.reason, task.idempotency)
else {
  const worker = startJobWorker({
    store,
    kinds: jobKindsOf([matchRun, exportJob]),
    log: pino({ level: 'fatal' }),
    times: { leaseMs: 400, beatMs: 60, lookMs: 40, progressMs: 20, stopMs: 250 },
  })
  const isOver = async () => {
    const { ended } = await store.reader
      .selectFrom('jobs')
      .select(({ fn }) => fn.count<number>('ended_at').as('ended'))
      .executeTakeFirstOrThrow()
    return ended > 0
  }
  while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, 20))
  await worker.stop()
}
if (ran.length === diesAt) process.kill(process.pid, 'SIGKILL')
await store.close()
process.stdout.write(JSON.stringify(ran))
