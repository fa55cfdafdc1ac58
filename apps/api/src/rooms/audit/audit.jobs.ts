import { z } from 'zod'
import { defineJobKind } from '../jobs/jobs.ts'
import { getNewestSequence } from './audit.queries.ts'
import { verifyEventsAfter } from './verify-chain.ts'

/** Number of events per step. A step takes some tenths of a second, which is the longest time that a cancellation waits. */
const EVENTS_PER_STEP = 20_000

/** Verifies the whole chain of the tenant, of any length. If a worker dies, the job resumes at the last completed step. */
export const auditVerification = defineJobKind({
  kind: 'audit-verification',
  title: 'Verify the audit',
  permission: 'audit.verify',
  input: z.strictObject({}),
  timeoutMs: 3_600_000,
  maxAttempts: 1,
  isCancellable: true,
  touches: 'Reads the events of the workspace and the signed checkpoints; writes nothing.',
  run: async ({ store, tenantId, resume, progress, checkpoint }) => {
    const number = (name: string) => (typeof resume?.[name] === 'number' ? resume[name] : 0)
    let [after, events] = [number('after'), number('events')]
    for (;;) {
      const newest = await getNewestSequence(store.reader, tenantId)
      const part = await verifyEventsAfter(store, tenantId, { after, limit: EVENTS_PER_STEP })
      events += part.checkedEvents
      progress({ done: part.toSequence, total: Math.max(newest, part.toSequence), unit: 'events' })
      if (part.nextAfter === null) {
        const { status, firstBroken, unproven, provenTo, toSequence, checkpoints } = part
        return { status, events, signatures: checkpoints.checked, toSequence, provenTo, firstBroken, unproven }
      }
      after = part.nextAfter
      await checkpoint({ after, events })
    }
  },
})
