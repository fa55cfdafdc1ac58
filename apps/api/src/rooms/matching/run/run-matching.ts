import type { JsonObject } from '../../../lib/json.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { startThreads } from './run-threads.ts'
import type { RunWriter } from './run-writer.ts'

/**
 * Checkpoint interval. The next attempt creates the drafts again that an interrupted attempt wrote after its last checkpoint. They equal the stored
 * ones and are skipped.
 */
const CHECKPOINT_EVERY_MS = 1_000

/** Heap limit per thread. The comparing thread needs about 0.7 kB per record. A thread that exceeds the limit ends, and the process continues. */
const MOST_HEAP_MB = 2_000

/** The part of a job context that a run needs. A benchmark passes its own. */
export type RunContext = Pick<JobContext, 'store' | 'tenantId' | 'signal' | 'resume' | 'progress' | 'checkpoint'>

type Options = {
  /** Opens the writer. `startedAt`: a time before the first read of the run. */
  openWriter(startedAt: string): RunWriter
  mostHeapMb?: number
}

/**
 * Compares all active businesses of a tenant in separate threads and writes the results in small steps. Stops when the signal aborts. A later attempt
 * reads and compares everything again, which takes seconds, and resumes writing at the last checkpoint. Decisions of people do not change. Records
 * that change during the run are not written; the check that follows changes compares them again.
 */
export async function runMatching(context: RunContext, options: Options): Promise<JsonObject> {
  const { store, tenantId, signal, progress } = context
  const { openWriter, mostHeapMb = MOST_HEAP_MB } = options
  const writer = openWriter(store.clock().toISOString())
  let checkpointAt = Number.NEGATIVE_INFINITY
  let result: JsonObject = {}
  try {
    const threads = startThreads(
      { dataDir: store.dataDir, tenantId, after: afterOf(context.resume) },
      signal,
      mostHeapMb,
    )
    for await (const messages of threads.messages()) {
      const writes = messages.filter((message) => message.type !== 'progress')
      for (const message of messages) if (message.type === 'progress') progress(message)
      if (writes.length === 0) continue
      const dealt = await writer.deal(writes)
      if (dealt.result !== undefined) result = dealt.result
      if (dealt.at !== undefined && performance.now() - checkpointAt >= CHECKPOINT_EVERY_MS) {
        await context.checkpoint({ ...dealt.at })
        checkpointAt = performance.now()
      }
      threads.dealtWith(writes)
    }
  } finally {
    await writer.close()
  }
  return result
}

function afterOf(resume: JsonObject | null): readonly [string, string] | null {
  return typeof resume?.a === 'string' && typeof resume.b === 'string' ? [resume.a, resume.b] : null
}
