import { AppError } from '../../../lib/app-error.ts'
import { type ThreadInTurn, threadInTurn } from '../../../lib/thread-in-turn.ts'
import { EXAMINATION_MS, EXAMINATION_THREAD_MB, EXAMINATIONS_WAITING } from '../bounds.ts'
import { type Answered, readAnswer } from '../suggestions/read-answer.rules.ts'
import type { ExaminedAnswer, Sent } from '../suggestions/validate-answer.rules.ts'
import type { EvidenceTexts, Examination, ExaminationOrder, Examined } from './examine.rules.ts'

const createThread = (): ThreadInTurn<ExaminationOrder, Examination> =>
  threadInTurn({
    file: new URL('./examine-worker.ts', import.meta.url),
    maxMemoryMb: EXAMINATION_THREAD_MB,
    places: { max: EXAMINATIONS_WAITING, what: 'examinations of texts', name: 'waiting_examinations' },
    lost: 'The texts could not be checked, so nothing was sent. Try again.',
  })

/**
 * Origin of an order. Orders of jobs do not wait for orders of people, because a provider charges for the answer that a job examines. Orders of jobs
 * wait in turn and are never refused.
 */
export type Lane = 'requests' | 'jobs'
const threads: Record<Lane, ThreadInTurn<ExaminationOrder, Examination>> = {
  requests: createThread(),
  jobs: createThread(),
}

export type Examining = { lane: Lane; tenantId: string }

/**
 * Examines the texts of observations in a thread. Errors: `evidence_not_usable` (the examination reached its time or memory limit),
 * `too_many_waiting` (of this tenant), `unavailable` (too many examinations wait, or no thread starts).
 */
export async function examineEvidence(
  { lane, tenantId }: Examining,
  evidence: readonly EvidenceTexts[],
  ms: number = EXAMINATION_MS,
): Promise<Examined> {
  if (evidence.length === 0) return new Map()
  const done = await run({ lane, tenantId }, { kind: 'evidence', evidence }, ms)
  if (done?.kind === 'evidence') return done.examined
  throw new AppError(
    'evidence_not_usable',
    'The texts of this evidence take too long to examine. Choose fewer or shorter observations.',
  )
}

/**
 * Examines an answer in the thread of jobs. Undefined if the examination reached its time or memory limit, or no thread starts: the call was
 * made, so it must be settled all the same.
 */
export async function examineAnswer(
  tenantId: string,
  answer: Answered,
  sent: Sent,
  ms: number = EXAMINATION_MS,
): Promise<ExaminedAnswer | undefined> {
  const read = readAnswer(answer, sent.receipt)
  if (read.kind === 'rejected') return read
  try {
    const done = await run({ lane: 'jobs', tenantId }, { kind: 'claims', claims: read.claims, sent }, ms)
    return done?.kind === 'claims' ? { kind: 'read', claims: done.examined } : undefined
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function run(
  { lane, tenantId }: Examining,
  order: ExaminationOrder,
  ms: number,
): Promise<Examination | undefined> {
  const done = await threads[lane].run({ tenantId, isPatient: lane === 'jobs' }, order, ms)
  return 'answer' in done ? done.answer : undefined
}

/** Ends the idle threads when the process stops. */
export function endExaminationThreads(): void {
  for (const thread of Object.values(threads)) thread.end()
}
