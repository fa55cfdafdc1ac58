import type { ThreadWriting } from '../../../store/thread-store.ts'
import type { Band, Content } from '../rules/content.ts'
import type { Cell } from './distribution.rules.ts'

/** Shared flag that stops the thread: set to 1 when its result is no longer needed. */
export type StopFlag = Int32Array<SharedArrayBuffer>

type Common = Omit<ThreadWriting, 'clock'> & {
  tenantId: string
  /** number of the tenant in the keys of score tables */
  tenant: number
  /** time of the evaluation in milliseconds; the evaluation reads no other clock */
  now: number
  content: Content
  stop: StopFlag
}
export type ScoreOrder = Common &
  (
    | {
        mode: 'run'
        runId: string
        generation: number
        comparedWith: { generation: number; bands: readonly Band[] } | null
      }
    | { mode: 'preview'; against: Content | null; movesPerCell: number }
  )

export type Failure = { businessId: string; reason: string }

export type RunCollected = {
  sequence: number
  changeNumber: number
  processed: number
  failed: number
  blocked: number
  unknown: number
  digest: string
  failures: Failure[]
}

export type Move = {
  businessId: string
  before: [low: number, high: number] | null
  after: [low: number, high: number] | null
}
export type MovesOfCell = { matrix: 'priority' | 'eligibility'; from: string; to: string; count: number; moves: Move[] }

export type PreviewCollected = {
  records: number
  failed: number
  before: Cell[] | null
  after: Cell[]
  cells: MovesOfCell[]
}

/** Records evaluated so far. */
export type ScoreProgress = { done: number; total: number }

/** Answer of the thread. `stopped`: a check of the run failed, with a message for users. `failed`: an error for the log. */
export type ScoreAnswer =
  | { type: 'collected'; collected: RunCollected | PreviewCollected }
  | { type: 'stopped'; because: string }
  | { type: 'failed'; code: string | null; message: string }
  | { type: 'abandoned' }
