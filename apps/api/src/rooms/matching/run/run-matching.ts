import type { JsonObject } from '../../../lib/json.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { startThreads } from './run-threads.ts'
import type { RunWriter } from './run-writer.ts'

/** What a lost attempt has written since is compared with what is there and passed by. */
const CHECKPOINT_EVERY_MS = 1_000

/** Of each thread; the one that compares holds every record in some 0.7 kB. Past it the thread ends, not the process. */
const MOST_HEAP_MB = 2_000

/** What a run needs of a job; a benchmark brings its own. */
export type RunContext = Pick<JobContext, 'store' | 'tenantId' | 'signal' | 'resume' | 'progress' | 'checkpoint'>

type Options = {
  /** Opens who writes what is found; `startedAt`: before anything was read. */
  openWriter(startedAt: string): RunWriter
  mostHeapMb?: number
}

/**
 * Compares all active businesses of a tenant in threads of its own and has written what follows, a little at a time. Stops where it is
 * asked to; a later attempt reads and compares anew (seconds) and goes on writing where this one was. What is decided stays decided, what
 * was changed while it ran is left to the check that follows changes.
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
