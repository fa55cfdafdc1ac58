import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../src/lib/clock.ts'
import type { Permission } from '../src/lib/declared.ts'
import { newId } from '../src/lib/ids.ts'
import { change } from '../src/store/change/change.ts'
import { openThreadStore, type ThreadWriting } from '../src/store/thread-store.ts'

/* A thread that makes changes one after the other while the main thread uses the store. It reports to the main thread before the first change. */

export type WritingThreadData = Omit<ThreadWriting, 'clock'> & { tenantId: string; changes: number }

const { dataDir, turn, files, tenantId, changes }: WritingThreadData = workerData
const store = openThreadStore({ dataDir, turn, files, clock: systemClock })
const actor = {
  kind: 'system',
  name: 'matching',
  tenantId,
  correlationId: newId(),
  permissions: new Set<Permission>(),
} as const
parentPort?.postMessage('begins')
for (let n = 0; n < changes; n++) {
  await change(store, actor, { permission: null, action: 'test.thread' }, (tx) =>
    tx.record({ subject: { type: 'test.trace', id: String(n) } }),
  )
}
store.close()
