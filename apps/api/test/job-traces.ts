import { newId } from '../src/lib/ids.ts'
import type { Job } from '../src/rooms/jobs/jobs.schema.ts'
import type { JobContext } from '../src/rooms/jobs/jobs.ts'
import type { JobWorld } from './job-world.ts'
import type { Problem } from './prospects.ts'

/** Returns a promise and the function that resolves it, so that a test can make a job wait. */
export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Records one audit event as a job's effect, so that a test can see that the effect ran. */
export function trace({ effect }: JobContext, step: string): Promise<{ step: string }> {
  return effect(step, { action: 'test.trace' }, async (tx) => {
    await tx.record({ subject: { type: 'test.trace', id: step } })
    return { step }
  })
}

export async function traces({ t }: JobWorld): Promise<string[]> {
  const rows = await t.store.reader
    .selectFrom('audit_events')
    .select('subject_id')
    .where('action', '=', 'test.trace')
    .orderBy('sequence')
    .execute()
  return rows.map(({ subject_id }) => subject_id)
}

export const cancel = ({ operator }: JobWorld, id: string) =>
  operator.post<{ outcome: string; job: Job }>(`/jobs/${id}/cancellation`, {})
export const retry = ({ operator }: JobWorld, id: string, key = newId()) =>
  operator.post<Job & Pick<Problem, 'code'>>(`/jobs/${id}/retry`, {}, { 'idempotency-key': key })
