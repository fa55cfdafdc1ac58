import type { IdentifierKind } from '../../normalization/normalization.ts'
import { createRowSet, type RowBits } from './row-set.ts'

/** Distance of two checkpoints. To read a window, at most about as many bytes before its first row are read. */
const CHECKPOINT_BYTES = 262_144
/** Maximum number of duplicates that are stored with their other row. Further duplicates are counted and flagged, and do not name the other row. */
const MAX_NAMED_DUPLICATES = 100_000

/** A duplicate: another row of the file with the same identifier. For a row without identifiers, one with the same cells. */
export type Duplicate = { column: number | null; kind: IdentifierKind | 'cells'; row: number }

/** A position from which reading can begin: the number of rows before it, its line and its byte. */
export type Checkpoint = { row: number; line: number; byte: number }

/** Positions of rows in their file, without any content. */
export type RowIndex = {
  checkpoints: Checkpoint[]
  /** rows with a problem, a duplicate, a known value or a suppressed value */
  flagged: RowBits
  /** `row`, the other row, kind and column of each duplicate, four numbers each */
  duplicates: Uint32Array
}

const kinds = ['email', 'phone', 'domain', 'cells'] as const
const WORDS = 4

export function createRowIndex() {
  const checkpoints: Checkpoint[] = [{ row: 0, line: 1, byte: 0 }]
  const flagged = createRowSet()
  let duplicates = new Uint32Array(64 * WORDS)
  let named = 0
  return {
    /** Adds a checkpoint if the last one is far enough. */
    note(at: Checkpoint): void {
      if (at.byte - (checkpoints.at(-1)?.byte ?? 0) >= CHECKPOINT_BYTES) checkpoints.push(at)
    },
    flag: flagged.add,
    /** Stores that a row has the same value as an earlier one. */
    duplicate(row: number, { kind, column, row: other }: Duplicate): void {
      flagged.add(row)
      flagged.add(other)
      if (named === MAX_NAMED_DUPLICATES) return
      if (named * WORDS === duplicates.length) {
        const larger = new Uint32Array(2 * duplicates.length)
        larger.set(duplicates)
        duplicates = larger
      }
      duplicates.set([row, other, kinds.indexOf(kind), column === null ? 0 : column + 1], named * WORDS)
      named += 1
    },
    finish: (): RowIndex => ({
      checkpoints,
      flagged: flagged.finish(),
      duplicates: duplicates.slice(0, named * WORDS),
    }),
  }
}

/** Returns the last checkpoint before a row. */
export function checkpointBefore({ checkpoints }: RowIndex, row: number): Checkpoint {
  return checkpoints.findLast((one) => one.row < row) ?? { row: 0, line: 1, byte: 0 }
}

/** Returns the duplicates of each of these rows. For each cell only the first other row is listed. */
export function duplicatesOf({ duplicates }: RowIndex, rows: ReadonlySet<number>): Map<number, Duplicate[]> {
  const found = new Map<number, Duplicate[]>()
  const add = (row: number, more: Duplicate) => {
    const known = found.getOrInsertComputed(row, () => [])
    if (!known.some(({ kind, column }) => kind === more.kind && column === more.column)) known.push(more)
  }
  for (let at = 0; at < duplicates.length; at += WORDS) {
    const [row = 0, other = 0, kindAt = 0, place = 0] = duplicates.subarray(at, at + WORDS)
    const about = { kind: kinds[kindAt] ?? 'cells', column: place === 0 ? null : place - 1 }
    if (rows.has(row)) add(row, { ...about, row: other })
    if (rows.has(other)) add(other, { ...about, row })
  }
  return found
}
