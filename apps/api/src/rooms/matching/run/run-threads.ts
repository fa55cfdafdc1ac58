import { MessageChannel, Worker } from 'node:worker_threads'
import { AppError } from '../../../lib/app-error.ts'
import { numeral } from '../../../lib/numeral.ts'
import { RUN_YOUNG_GENERATION_MB } from '../../../lib/young-generation.ts'
import type { KeysMessage } from './keys-to-keep.ts'
import type { MatchReaderData } from './match-reader.ts'
import type { MatchWorkerData, MatchWorkerMessage } from './match-worker.ts'
import { createRunControl, newRunControl } from './run-control.ts'

/** Maximum number of messages per batch. It is small, so that a run stops soon and the comparing thread does not wait for a long write. */
const MESSAGES_AT_ONCE = 8

export type RunMessage = MatchWorkerMessage | KeysMessage

type RunThreads = {
  /** Yields batches of waiting messages to write, in order. Ends when both threads have ended, and throws if one failed. */
  messages(): AsyncGenerator<RunMessage[]>
  /** Marks messages as processed. Call it after they are written. */
  dealtWith(messages: readonly RunMessage[]): void
}

/**
 * Starts two threads: one reads, the other counts shared values and compares. Both end by themselves when their work is done or the run is stopped.
 * `terminate()` is never called, because it can interrupt the database driver.
 */
export function startThreads(
  { dataDir, ...compared }: Pick<MatchReaderData, 'dataDir'> & Pick<MatchWorkerData, 'tenantId' | 'after'>,
  signal: AbortSignal,
  mostHeapMb: number,
): RunThreads {
  const control = newRunControl()
  const { stop, dealtWith } = createRunControl(control)
  const { port1, port2 } = new MessageChannel()
  const waiting: RunMessage[] = []
  let wake: (() => void) | undefined
  let failure: unknown
  const start = (script: string, workerData: MatchReaderData | MatchWorkerData): Promise<void> => {
    const worker = new Worker(new URL(script, import.meta.url), {
      workerData,
      transferList: [workerData.port],
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb, maxYoungGenerationSizeMb: RUN_YOUNG_GENERATION_MB },
    })
    worker.on('message', (message: RunMessage) => {
      waiting.push(message)
      wake?.()
    })
    worker.on('error', (error) => {
      failure ??= error
      stop()
    })
    return new Promise((resolve) => worker.on('exit', () => resolve()))
  }
  let hasEnded = false
  const ended = Promise.all([
    start('./match-reader.ts', { dataDir, tenantId: compared.tenantId, port: port1, control }),
    start('./match-worker.ts', { ...compared, port: port2, control }),
  ]).then(() => {
    hasEnded = true
    wake?.()
  })
  const abort = () => {
    stop()
    wake?.()
  }
  signal.addEventListener('abort', abort, { once: true })

  async function* messages(): AsyncGenerator<RunMessage[]> {
    try {
      for (;;) {
        signal.throwIfAborted()
        const messages = waiting.splice(0, MESSAGES_AT_ONCE)
        if (messages.length > 0) yield messages
        else if (hasEnded) break
        else await new Promise<void>((resolve) => (wake = resolve))
      }
      if (failure !== undefined) throw isOutOfMemory(failure) ? tooMany(mostHeapMb, failure) : failure
    } finally {
      signal.removeEventListener('abort', abort)
      stop()
      await ended
    }
  }

  return {
    messages,
    dealtWith: (written) => {
      const keys = written.filter(({ type }) => type === 'keys').length
      dealtWith('keys', keys)
      dealtWith('found', written.length - keys)
    },
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** Returns the error for a tenant that is too large. The job is not retried, because another attempt would fail in the same way. */
function tooMany(mostHeapMb: number, cause: unknown): AppError {
  const message = `The prospects do not fit into the ${numeral(mostHeapMb)} MB limit of a search for duplicates. Suggestions already written stay, and each prospect is still checked when it is created or edited.`
  return new AppError('too_large', message, { cause })
}
