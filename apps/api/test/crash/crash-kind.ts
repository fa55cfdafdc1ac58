import { z } from 'zod'
import { AppError } from '../../src/lib/app-error.ts'
import { defineJobKind } from '../../src/rooms/jobs/jobs.ts'

/** Number of effects of each job. Each effect records one audit event. */
export const EFFECTS = 3

/** A job kind that runs its effects one after the other with checkpoints between them, and fails at the end on request. */
export function crashKind(pause: (ms: number, signal: AbortSignal) => Promise<void>) {
  return defineJobKind({
    kind: 'crash',
    title: 'A job to be killed',
    permission: 'jobs.create',
    input: z.strictObject({ pauseMs: z.int(), fails: z.boolean() }),
    timeoutMs: 60_000,
    maxAttempts: 1,
    isCancellable: true,
    isOffered: false,
    touches: 'The audit.',
    run: async ({ lineageId, signal, resume, progress, checkpoint, effect }, { pauseMs, fails }) => {
      const begun = typeof resume?.done === 'number' ? resume.done : 0
      for (let step = begun; step < EFFECTS; step++) {
        await pause(pauseMs, signal)
        await effect(`step ${step}`, { action: 'test.trace' }, async (tx) => {
          await tx.record({ subject: { type: 'test.trace', id: `${lineageId} ${step}` } })
        })
        progress({ done: step + 1, total: EFFECTS, unit: 'effects' })
        await checkpoint({ done: step + 1 })
      }
      if (fails) throw new AppError('conflict', 'It was told to fail.')
      return { effects: EFFECTS }
    },
  })
}
