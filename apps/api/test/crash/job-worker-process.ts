import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { systemClock } from '../../src/lib/clock.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import { startJobWorker } from '../../src/rooms/jobs/worker/worker.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { openStore } from '../../src/store/store.ts'
import { crashKind } from './crash-kind.ts'

/*
 * A process that only runs jobs and can be killed at any time. Its lease is short, so that a test does not wait long. Its heartbeat interval is much
 * shorter than the lease, so that the process is not declared lost on a busy machine.
 */

const { DATA_DIR: dataDir = '' } = process.env
const store = openStore({ migrations, dataDir, clock: systemClock })
const worker = startJobWorker({
  store,
  kinds: jobKindsOf([crashKind((ms, signal) => delay(ms, undefined, { signal }))]),
  log: pino({ level: 'fatal' }),
  times: { leaseMs: 1_500, beatMs: 100, lookMs: 100, progressMs: 30, stopMs: 500 },
})
process.on('SIGTERM', async () => {
  await worker.stop()
  await store.close()
  process.exit(0)
})
process.stdout.write('at work\n')
