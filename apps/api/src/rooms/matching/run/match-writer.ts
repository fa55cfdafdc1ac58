import { workerData } from 'node:worker_threads'
import type { Actor } from '../../../lib/actor.ts'
import { AppError, type ErrorCode } from '../../../lib/app-error.ts'
import { answerRequests } from '../../../lib/ask-thread.ts'
import { giveWay } from '../../../lib/give-way.ts'
import { isWanted } from '../../../store/engine/writer-priority.ts'
import { openThreadStore, type ThreadStore, type ThreadWriting } from '../../../store/thread-store.ts'
import { type Claim, effectOf, JobInterrupted } from '../../jobs/jobs.thread.ts'
import { createRunWriter, type Dealt, type RunWrite } from './run-writer.ts'

export type MatchWriterData = Omit<ThreadWriting, 'clock'> & { tenantId: string; startedAt: string }
/**
 * A request to write messages. `now`: the time of the serving process. `claim` and `actor`: the job's claim and the user under whom the thread
 * writes.
 */
export type MatchWriterOrder = { now: string; claim: Claim; actor: Actor; messages: readonly RunWrite[] }
/** The answer to a request. `message` is for the log only, unless `code` marks it as visible to users. */
export type MatchWriterAnswer =
  | { dealt: Dealt }
  | { interruption: JobInterrupted['interruption'] }
  | { code: ErrorCode | null; message: string }

const { dataDir, turn, files, tenantId, startedAt }: MatchWriterData = workerData
let now = startedAt
let opened: { store: ThreadStore; deal: ReturnType<typeof createRunWriter> } | undefined

giveWay()
answerRequests(answer, () => opened?.store.close())

/** Opens the store when the first message arrives, so that a run that stops earlier has nothing to close. */
function open(): NonNullable<typeof opened> {
  const store = openThreadStore({ dataDir, turn, files, clock: () => new Date(now) })
  return { store, deal: createRunWriter({ store, tenantId, startedAt, isWanted: () => isWanted(turn) }) }
}

async function answer(order: MatchWriterOrder): Promise<MatchWriterAnswer> {
  const { claim, actor, messages } = order
  now = order.now
  try {
    opened ??= open()
    const { store, deal } = opened
    return {
      dealt: await deal(messages, (step, { action }, work) => effectOf(store, claim, actor, { step, action }, work)),
    }
  } catch (error) {
    if (error instanceof JobInterrupted) return { interruption: error.interruption }
    if (error instanceof AppError) return { code: error.code, message: error.message }
    return { code: null, message: error instanceof Error ? `${error.stack}` : String(error) }
  }
}
