import type { Kysely } from 'kysely'
import { NO_RANK } from '../../../lib/score-codes.ts'
import { slicesOf } from '../../../lib/slices.ts'
import type { ChangeStore } from '../../../store/change/change-store.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Database } from '../../../store/database.ts'
import { type Collected, RunStopped } from './collect-run.ts'
import { createCells } from './distribution.rules.ts'
import { countRows, tables } from './generation.sqlite.ts'
import type { ScoreOrder } from './score-thread.data.ts'

/** Rows per transaction. A transaction takes some milliseconds, so that other writes wait only briefly. */
const ROWS_AT_ONCE = 1_000

type Target = Pick<Extract<ScoreOrder, { mode: 'run' }>, 'tenantId' | 'tenant' | 'runId' | 'generation' | 'now'>

/**
 * Writes the scores of a run, each table in the order of its keys, while the active scores stay visible. Checks before each part that the generation
 * still belongs to this attempt, so that an attempt that lost its lease stops writing.
 */
export async function writeGeneration(
  store: Pick<ChangeStore, 'write'>,
  target: Target,
  { scores, moves }: Collected,
  goOn: () => void,
): Promise<void> {
  const { tenant, generation, now: scoredAt } = target
  const write = async (insert: (typeof tables)[keyof typeof tables], rows: readonly unknown[]) => {
    goOn()
    await writeDerived(store, target.tenantId, async (db) => {
      const own = await db
        .selectFrom('score_generations')
        .select('number')
        .where('number', '=', generation)
        .where('tenant_id', '=', target.tenantId)
        .where('run_id', '=', target.runId)
        .where('state', '=', 'building')
        .executeTakeFirst()
      if (own === undefined)
        throw new RunStopped('The scores of this run belong to another attempt or another workspace.')
      await insert(db, { tenant, generation, scoredAt, rows: JSON.stringify(rows) })
    })
  }

  for (let from = 0; from < scores.size(); from += ROWS_AT_ONCE) {
    const rows: unknown[] = []
    for (let at = from; at < Math.min(scores.size(), from + ROWS_AT_ONCE); at++) {
      const { eligibility, low, high, priority, reachable, completeness, tie, holds_until } = scores.get(at)
      rows.push([scores.id(at), eligibility, low, high, priority, reachable, completeness, tie, holds_until])
    }
    await write(tables.scores, rows)
  }
  const order = scores.inOrder()
  for (let from = 0; from < order.length; from += ROWS_AT_ONCE) {
    const rows: unknown[] = []
    for (const at of order.subarray(from, from + ROWS_AT_ONCE)) {
      const { eligibility, low, tie, priority, reachable } = scores.get(at)
      rows.push([eligibility, low < 0 ? NO_RANK : 100 - low, -tie, scores.id(at), priority, reachable])
    }
    await write(tables.order, rows)
  }
  const deadlines = scores.byDeadline()
  for (let from = 0; from < deadlines.length; from += ROWS_AT_ONCE) {
    const rows = [...deadlines.subarray(from, from + ROWS_AT_ONCE)].map((at) => [
      scores.get(at).holds_until,
      scores.id(at),
    ])
    await write(tables.due, rows)
  }
  for (const part of slicesOf(moves, ROWS_AT_ONCE)) await write(tables.moves, part)
  const cells = createCells()
  for (let at = 0; at < scores.size(); at++) cells.add(scores.get(at))
  const counts = cells
    .cells()
    .map(({ eligibility, priority, reachable, low, count }) => [eligibility, priority, reachable, low, count])
  for (const part of slicesOf(counts, ROWS_AT_ONCE)) await write(tables.counts, part)
}

/** Throws if the generation is incomplete. Errors: `RunStopped` (the number of stored rows differs from the number of evaluated records). */
export async function requireWhole(
  db: Kysely<Database>,
  { tenant, generation }: Target,
  { scores }: Collected,
): Promise<void> {
  const written = await countRows(db, { tenant, generation })
  if (written.scores !== scores.size() || written.order !== scores.size())
    throw new RunStopped('The number of stored scores differs from the number of evaluated records.')
}
