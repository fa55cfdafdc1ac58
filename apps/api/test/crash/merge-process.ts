import { pino } from 'pino'
import { newId } from '../../src/lib/ids.ts'
import { exportJob } from '../../src/rooms/exports/exports.jobs.ts'
import { memberActor } from '../../src/rooms/identity/identity.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../../src/rooms/jobs/worker/worker.ts'
import { matchRun } from '../../src/rooms/matching/matching.jobs.ts'
import { mergeBusinesses } from '../../src/rooms/matching/merging/merge-businesses.ts'
import { reverseMerge } from '../../src/rooms/matching/merging/reverse-merge.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { openStore } from '../../src/store/store.ts'
import { dieIfAllRan } from './dies-at-statement.ts'
import type { MergeTask } from './merge-task.ts'

/*
 * A process that merges, reverses or runs jobs. It kills itself at a given statement (`dies-at-statement.ts`); if none is given, it runs to its end.
 */

const task = JSON.parse(process.env.TASK ?? '') as MergeTask

const { now } = Date
Date.now = () => now() + (task.aheadMs ?? 0)
const store = openStore({ migrations, dataDir: task.dataDir, clock: () => new Date(Date.now()) })
const actor = await memberActor(store.reader, { tenantId: task.tenantId, userId: task.userId }, newId())
if (actor === undefined) throw new Error('The manager is a member.')

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
dieIfAllRan()
await store.close()
