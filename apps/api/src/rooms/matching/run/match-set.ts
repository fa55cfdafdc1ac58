import { createComparison, isKept } from '../rules/compare-records.rules.ts'
import { leastKeptWeight } from '../rules/exact-arithmetic.rules.ts'
import type { MatchRecord } from '../rules/match-record.ts'
import { createOutlines, type Outlines } from '../rules/outlines.rules.ts'
import { type Blocks, createBlocks } from './blocks.ts'

/** Counts of a comparison, including the pairs that were left out because their block is too large. */
export type MatchReport = {
  records: number
  blocks: number
  pairsCompared: number
  /** number of blocks too large to compare all pairs, number of records in the largest of them, and number of pairs left out */
  boundedBlocks: number
  largestBlock: number
  pairsLeftOut: number
}

/** Number of records between two progress reports. They take some milliseconds. */
const REPORTED_EVERY = 256

/**
 * Callbacks during a comparison. `onRecord` runs before the pairs of each record are compared. `onProgress` also runs with 0 records done while
 * blocks are built, which takes seconds for a million records.
 */
type Watch = {
  onRecord?: () => void
  onPair?: (a: number, b: number) => void
  onProgress?: (recordsDone: number) => void
}

export type MatchSet = {
  /** the added records, in the order of their ids */
  records: readonly MatchRecord[]
  add(record: MatchRecord): void
  /** Compares the records. Call it once, after all records are added and their weights are computed. */
  compare(onKept: (a: number, b: number) => void, watch?: Watch): MatchReport
}

/**
 * Creates a set that computes keys and outlines when a record is added. `pack` returns the form of a record to store, given the record and its
 * number.
 */
export function createMatchSet(pack = (record: MatchRecord, _at: number) => record): MatchSet {
  const records: MatchRecord[] = []
  const blocks = createBlocks()
  const outlines = createOutlines()
  return {
    records,
    add: (record) => {
      blocks.add(record, records.length)
      outlines.add(record, records.length)
      records.push(pack(record, records.length))
    },
    compare: (onKept, watch = {}) => {
      const built = blocks.build(records, () => watch.onProgress?.(0))
      return compareAll(records, built, outlines, onKept, watch)
    },
  }
}

/** Compares records that are already complete, without storing them in another form. */
export function matchSet(
  records: readonly MatchRecord[],
  onKept: (a: number, b: number) => void,
  watch: Watch = {},
): MatchReport {
  const set = createMatchSet()
  for (const record of records) set.add(record)
  return set.compare(onKept, watch)
}

/**
 * Compares all records that share a key, each pair once. Calls `onKept` for each pair above the threshold, ordered by the first and then the second
 * number in `records`. Records are in the order of their ids, so the result does not depend on the order in which they arrived.
 */
function compareAll(
  records: readonly MatchRecord[],
  { owners, back, on, starts, places, count, ...bounds }: Blocks,
  outlines: Outlines,
  onKept: (a: number, b: number) => void,
  watch: Watch,
): MatchReport {
  const found = createComparison()
  /** for each record, the number of the last record compared with it; it prevents a second comparison of a pair that shares several keys */
  const metBy = new Int32Array(records.length).fill(-1)
  let pairsCompared = 0
  for (const [i, a] of records.entries()) {
    watch.onRecord?.()
    if (i % REPORTED_EVERY === 0) watch.onProgress?.(i)
    const kept: number[] = []
    for (let slot = starts[i] ?? 0; slot < (starts[i + 1] ?? 0); slot++) {
      const place = places[slot] ?? 0
      const last = place + (on[place] ?? 0)
      for (let at = place - (back[place] ?? 0); at <= last; at++) {
        const j = owners[at] ?? 0
        if (j <= i || metBy[j] === i) continue
        metBy[j] = i
        pairsCompared += 1
        watch.onPair?.(i, j)
        const most = outlines.most(i, j)
        if (most < leastKeptWeight) continue
        const b = records[j]
        if (b !== undefined && isKept(a, b, found, most)) kept.push(j)
      }
    }
    for (const j of kept.sort((x, y) => x - y)) onKept(i, j)
  }
  return { records: records.length, blocks: count, pairsCompared, ...bounds }
}
