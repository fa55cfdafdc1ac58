import { Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { askThread } from '../../../lib/ask-thread.ts'
import { RUN_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import { type JobContext, JobInterrupted } from '../../jobs/jobs.ts'
import type { MatchWriterAnswer, MatchWriterData, MatchWriterOrder } from './match-writer.ts'
import type { RunWriter } from './run-writer.ts'

/** Heap limit of the thread. It stores a few messages at a time, and once the word counts of a tenant. */
const MOST_HEAP_MB = 1_000

/**
 * Starts a thread that writes the results of a run under the lease of its job and as the user who started the job. It yields to other writers and
 * ends when the writer is closed. Errors of `deal`: those of a job's effect.
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
  const thread = askThread<MatchWriterOrder, MatchWriterAnswer>(worker, {
    lost: (cause) => new Error('The writer thread of a run has ended.', { cause }),
  })

  return {
    deal: async (messages) => {
      const lent = await lend()
      const answer = await thread.ask({ now: store.clock().toISOString(), ...lent, messages })
      if ('dealt' in answer) return answer.dealt
      if ('interruption' in answer) throw new JobInterrupted(answer.interruption)
      const { code, message: told } = answer
      throw code === null ? new Error(`The writer thread of a run failed: ${told}`) : new AppError(code, told)
    },
    close: () => thread.end(),
  }
}
