import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../../lib/app-error.ts'
import { defineJobKind } from './job-kind.ts'

const input = z.strictObject({
  steps: z.int().min(1).max(1_000).default(30).meta({ title: 'Steps' }),
  stepMs: z.int().min(1).max(10_000).default(1_000).meta({ title: 'Milliseconds per step' }),
  failAt: z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .default(null)
    .meta({ title: 'Fail at step', description: 'In its first attempt. Empty: it does not fail.' }),
})

/** A kind that counts slowly and changes nothing. With it an operator can see progress, cancellation and retry. For development only. */
export const demonstration = defineJobKind({
  kind: 'demonstration',
  title: 'Demonstration',
  permission: 'jobs.create',
  input,
  timeoutMs: 3_600_000,
  maxAttempts: 1,
  isCancellable: true,
  touches: 'Nothing: it counts, and a retry continues where it stopped.',
  run: async ({ signal, resume, attempt, progress, checkpoint }, { steps, stepMs, failAt }) => {
    const begun = Math.min(typeof resume?.counted === 'number' ? resume.counted : 0, steps)
    for (let counted = begun; counted < steps; ) {
      await delay(stepMs, undefined, { signal })
      counted += 1
      progress({ done: counted, total: steps, unit: 'steps' })
      await checkpoint({ counted })
      if (counted === failAt && attempt === 1) {
        throw new AppError('conflict', `This demonstration was asked to fail at step ${failAt}.`)
      }
    }
    return { counted: steps, from: begun }
  },
})
