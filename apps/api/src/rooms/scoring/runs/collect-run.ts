import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { numeral } from '../../../lib/numeral.ts'
import { BLOCKED, bandId, NO_SCORE, NOT_SCORED } from '../../../lib/score-codes.ts'
import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { needsOf, streamRecords } from '../records/read-records.ts'
import type { Band } from '../rules/content.ts'
import { compile } from '../rules/evaluate.rules.ts'
import { digestLine, notScored, type StoredResult, storedOf } from '../scores/stored-result.ts'
import { createPackedScores, type PackedScores } from './packed-scores.ts'
import type { Failure, RunCollected, ScoreOrder } from './score-thread.data.ts'

type RunData = Extract<ScoreOrder, { mode: 'run' }>

/** Thrown when a check of the run fails. The run's scores are discarded and the active scores remain. The message is shown to users. */
export class RunStopped extends Error {}

/** Maximum number of records that may fail in one run. More failures indicate an error in the rules or the store rather than in records. */
const MAX_FAILURES = 10_000

/** A change of a record's result, as a tuple: [id, from_eligibility, to_eligibility, from_priority, to_priority, from_low, to_low] */
export type MoveRow = [string, number, number, string | null, string | null, number, number]

export type Collected = { scores: PackedScores; moves: MoveRow[]; told: RunCollected }

type Watch = { onProgress(done: number, total: number): void; pause(): void; goOn(): void }

/**
 * Reads and evaluates every active record of the tenant in one snapshot of the store. Call it inside a read transaction. Errors: `RunStopped` (the
 * number of records differs from the tenant's counts, or the suppression gate and a record disagree).
 */
export async function collectRun(db: Db, data: RunData, { onProgress, pause, goOn }: Watch): Promise<Collected> {
  const { tenantId, tenant, content, now, comparedWith } = data
  const total = await countActive(db, tenantId)
  const cutoff = await findCutoff(db, tenantId)
  const scores = createPackedScores(total)
  const evaluator = compile(content)
  const digest = createHash('sha256')
  const failures: Failure[] = []
  const moves: MoveRow[] = []
  const compare = comparedWith === null ? undefined : comparison(db, tenant, comparedWith, evaluator.bands, moves)
  const told = { blocked: 0, unknown: 0 }
  const add = (id: string, result: StoredResult) => {
    scores.add(id, result)
    digest.update(digestLine(id, result))
    if (result.eligibility === BLOCKED) told.blocked += 1
    if (result.eligibility === 1) told.unknown += 1
    compare?.add(id, result)
  }
  const failed = (id: string, error: unknown) => {
    failures.push({ businessId: id, reason: error instanceof Error ? error.message : 'It cannot be read.' })
    if (failures.length > MAX_FAILURES)
      throw new RunStopped(`More than ${numeral(MAX_FAILURES)} records could not be scored.`)
  }
  const failedIds: string[] = []
  for await (const records of streamRecords(db, tenantId, needsOf(content), (id, error) => {
    failedIds.push(id)
    failed(id, error)
  })) {
    goOn()
    await compare?.begin([records.at(-1)?.id ?? '', failedIds.at(-1) ?? ''].toSorted().at(-1) ?? '')
    let nextFailed = 0
    for (const record of records) {
      pause()
      for (let id = failedIds[nextFailed]; id !== undefined && id < record.id; id = failedIds[++nextFailed])
        add(id, notScored)
      if (record.isMatched && !record.isDoNotContact) {
        throw new RunStopped(
          'The suppression gate matches a record that is not marked Do not contact. Run the integrity check, then run again.',
        )
      }
      try {
        add(record.id, storedOf(evaluator.evaluate(record, now)))
      } catch (error) {
        failed(record.id, error)
        add(record.id, notScored)
      }
    }
    for (const id of failedIds.splice(0).slice(nextFailed)) add(id, notScored)
    onProgress(scores.size(), total)
  }
  if (scores.size() !== total) {
    throw new RunStopped(
      `The snapshot has ${numeral(scores.size())} active records, but the workspace counts ${numeral(total)}. Run the integrity check, then run again.`,
    )
  }
  return {
    scores,
    moves,
    told: { ...cutoff, processed: total, failed: failures.length, ...told, digest: digest.digest('hex'), failures },
  }
}

/** Returns the number of active records from the counts that every change maintains. */
export async function countActive(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT coalesce(sum(count), 0) AS count FROM business_counts WHERE tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the newest audit sequence and the newest score change number that the snapshot includes. */
async function findCutoff(db: Db, tenantId: string): Promise<{ sequence: number; changeNumber: number }> {
  const { rows } = await sql<{ sequence: number; changeNumber: number }>`
    SELECT coalesce((SELECT max(sequence) FROM audit_events WHERE tenant_id = ${tenantId}), 0) AS sequence,
           coalesce((SELECT max(number) FROM score_changes), 0) AS "changeNumber"`.execute(db)
  return rows[0] ?? { sequence: 0, changeNumber: 0 }
}

type ActiveRow = { business_id: string; eligibility: number; priority: number; low: number }

const activeScores = prepared<{ tenant: number; generation: number; after: string; to: string }>()(
  (_db, param) => sql<ActiveRow>`
    SELECT business_id, eligibility, priority, low FROM scores
    WHERE tenant = ${param('tenant')} AND generation = ${param('generation')} AND business_id > ${param('after')} AND business_id <= ${param('to')}
    ORDER BY business_id`,
)

/** Compares the new results with the active scores, which are read in the same order. Records each change of priority or eligibility. */
function comparison(
  db: Db,
  tenant: number,
  { generation, bands }: NonNullable<RunData['comparedWith']>,
  newBands: readonly Band[],
  moves: MoveRow[],
) {
  let after = ''
  let known = new Map<string, ActiveRow>()
  return {
    begin: async (to: string): Promise<void> => {
      known = new Map((await activeScores(db, { tenant, generation, after, to })).map((row) => [row.business_id, row]))
      after = to
    },
    add: (id: string, { eligibility, priority, low }: StoredResult): void => {
      const before = known.get(id) ?? { eligibility: NOT_SCORED, priority: -2, low: NO_SCORE }
      const [from, to] = [bandId(bands, before.priority), bandId(newBands, priority)]
      if (before.eligibility !== eligibility || from !== to)
        moves.push([id, before.eligibility, eligibility, from, to, before.low, low])
    },
  }
}
