import { Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { RUN_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import { type JobContext, JobInterrupted } from '../../jobs/jobs.ts'
import type { MatchWriterAnswer, MatchWriterData, MatchWriterOrder } from './match-writer.ts'
import type { RunWriter } from './run-writer.ts'

/** It holds a few messages at a time, and once the words of a tenant. */
const MOST_HEAP_MB = 1_000

type Waiting = { settle(answer: MatchWriterAnswer): void; fail(error: unknown): void }

/**
 * A thread that writes what a run found, beside the one that serves, by the lease of its job and as whoever asked for it. It gives way to
 * whatever is served, ends by itself when it is closed, and never by `terminate()`, which may strike inside the driver.
 * Errors of `deal`: those of a job's effect.
 */
export function openWriterThread(
  { store, tenantId, lend }: Pick<JobContext, 'store' | 'tenantId' | 'lend'>,
  startedAt: string,
): RunWriter {
  const { dataDir, turn, files } = store
  const worker = new Worker(new URL('./match-writer.ts', import.meta.url), {
    workerData: { dataDir, turn, files, tenantId, startedAt } satisfies MatchWriterData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: RUN_YOUNG_GENERATION_MB },
  })
  let waiting: Waiting | undefined
  let failure: unknown
  worker.on('message', (answer: MatchWriterAnswer) => waiting?.settle(answer))
  worker.on('error', (error) => {
    failure = error
  })
  const ended = new Promise<void>((resolve) =>
    worker.on('exit', () => {
      failure ??= new Error('The thread that writes for a run has ended.')
      waiting?.fail(failure)
      resolve()
    }),
  )
  const send = (order: MatchWriterOrder) => worker.postMessage(order)

  return {
    deal: async (messages) => {
      const lent = await lend()
      if (failure !== undefined) throw failure
      const answer = await new Promise<MatchWriterAnswer>((settle, fail) => {
        waiting = { settle, fail }
        send({ now: store.clock().toISOString(), ...lent, messages })
      })
      if ('dealt' in answer) return answer.dealt
      if ('interruption' in answer) throw new JobInterrupted(answer.interruption)
      const { code, message: told } = answer
      throw code === null ? new Error(`The thread that writes for a run failed: ${told}`) : new AppError(code, told)
    },
    close: async () => {
      send('close')
      await ended
    },
  }
}
