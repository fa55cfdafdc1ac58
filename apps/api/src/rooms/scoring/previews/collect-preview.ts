import { bandId, eligibilities } from '../../../lib/score-codes.ts'
import type { Db } from '../../../store/database.ts'
import { needsOf, streamRecords } from '../records/read-records.ts'
import type { ScoringRecord } from '../records/scoring-record.ts'
import type { Band, Content } from '../rules/content.ts'
import { compile, type Result } from '../rules/evaluate.rules.ts'
import { countActive } from '../runs/collect-run.ts'
import { createCells } from '../runs/distribution.rules.ts'
import type { Move, MovesOfCell, PreviewCollected, ScoreOrder } from '../runs/score-thread.data.ts'
import { notScored, storedOf } from '../scores/stored-result.ts'

type PreviewData = Extract<ScoreOrder, { mode: 'preview' }>
type Watch = { onProgress(done: number, total: number): void; pause(): void; goOn(): void }

/** Row or column of the preview matrix for a record without a score: `none` if the record is blocked, `not_scored` if it had no score before. */
const NO_CELL = 'none'
const NOT_SCORED_CELL = 'not_scored'

/**
 * Evaluates every active record by the old and the new content in one snapshot of the store, and counts the records by their result before and after.
 * Call it inside a read transaction. Writes nothing.
 */
export async function collectPreview(
  db: Db,
  data: PreviewData,
  { onProgress, pause, goOn }: Watch,
): Promise<PreviewCollected> {
  const { tenantId, content, against, now, movesPerCell } = data
  const total = await countActive(db, tenantId)
  const after = compile(content)
  const before = against === null ? null : compile(against)
  const cellsBefore = createCells()
  const cellsAfter = createCells()
  const moves = createMoves(movesPerCell)
  let [records, failed] = [0, 0]
  const needs = needsOf(content, ...(against === null ? [] : [against]))
  for await (const part of streamRecords(db, tenantId, needs, () => (failed += 1))) {
    goOn()
    for (const record of part) {
      pause()
      const next = evaluated(after.evaluate, record, now)
      const last = before === null ? null : evaluated(before.evaluate, record, now)
      cellsAfter.add(next === null ? notScored : storedOf(next))
      if (last !== null) cellsBefore.add(storedOf(last))
      if (next === null) failed += 1
      else
        moves.add(record.id, { before: last, after: next, bandsBefore: before?.bands ?? [], bandsAfter: after.bands })
      records += 1
    }
    onProgress(records, total)
  }
  return {
    records,
    failed,
    before: before === null ? null : cellsBefore.cells(),
    after: cellsAfter.cells(),
    cells: moves.all(),
  }
}

function evaluated(
  evaluate: (record: ScoringRecord, now: number) => Result,
  record: ScoringRecord,
  now: number,
): Result | null {
  try {
    return evaluate(record, now)
  } catch {
    return null
  }
}

type Compared = { before: Result | null; after: Result; bandsBefore: readonly Band[]; bandsAfter: readonly Band[] }
type Kept = MovesOfCell & { least: number }

/** Counts the records by their band or eligibility before and after. Also stores, for each such pair, the records whose lowest score changed most. */
function createMoves(perCell: number) {
  const cells = new Map<string, Kept>()
  const add = (matrix: MovesOfCell['matrix'], from: string, to: string, move: Move) => {
    const key = `${matrix} ${from} ${to}`
    let cell = cells.get(key)
    if (cell === undefined) {
      cell = { matrix, from, to, count: 0, moves: [], least: 0 }
      cells.set(key, cell)
    }
    cell.count += 1
    const size = sizeOf(move)
    if (size === 0 && from === to) return
    if (cell.moves.length >= 2 * perCell) trim(cell, perCell)
    if (cell.moves.length < perCell || size > cell.least) cell.moves.push(move)
  }
  return {
    add: (id: string, { before, after, bandsBefore, bandsAfter }: Compared): void => {
      const move = { businessId: id, before: rangeOf(before), after: rangeOf(after) }
      add('priority', priorityCell(before, bandsBefore), priorityCell(after, bandsAfter), move)
      add('eligibility', before?.eligibility ?? NOT_SCORED_CELL, after.eligibility, move)
    },
    all: (): MovesOfCell[] =>
      [...cells.values()].map((cell) => {
        trim(cell, perCell)
        const { least: _least, ...told } = cell
        return told
      }),
  }
}

function trim(cell: Kept, most: number): void {
  cell.moves.sort((a, b) => sizeOf(b) - sizeOf(a) || (a.businessId < b.businessId ? -1 : 1))
  cell.moves.length = Math.min(cell.moves.length, most)
  const last = cell.moves.at(-1)
  cell.least = cell.moves.length < most || last === undefined ? 0 : sizeOf(last)
}

function sizeOf({ before, after }: Move): number {
  return Math.abs((after?.[0] ?? 0) - (before?.[0] ?? 0))
}

function rangeOf(result: Result | null): [number, number] | null {
  return result === null || result.low === null || result.high === null ? null : [result.low, result.high]
}

function priorityCell(result: Result | null, bands: readonly Band[]): string {
  return result === null ? NOT_SCORED_CELL : (bandId(bands, result.priority ?? -2) ?? NO_CELL)
}

/** Returns the rows and columns of the preview's matrices in the order in which screens show them. */
export function cellNames(before: Content | null, after: Content) {
  const ids = (content: Content) => content.bands.map(({ id }) => id)
  const bands = [...new Set([...ids(after), ...(before === null ? [] : ids(before))])]
  return {
    priority: [...bands, 'unknown', NO_CELL, NOT_SCORED_CELL],
    eligibility: [...eligibilities, NOT_SCORED_CELL],
  }
}
