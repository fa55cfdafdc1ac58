import { createComparison, isKept } from '../rules/compare-records.rules.ts'
import type { MatchRecord } from '../rules/match-record.ts'
import { outlinesOf } from '../rules/outlines.rules.ts'
import { buildBlocks } from './blocks.ts'

/** What was compared, and what was not: a bound that leaves something out says so. */
export type MatchReport = {
  records: number
  blocks: number
  pairsCompared: number
  /** blocks too large to compare everybody with everybody, the largest of them, and the pairs that they left out */
  boundedBlocks: number
  largestBlock: number
  pairsLeftOut: number
}

/** Records between two reports of how far it is: some milliseconds. */
const REPORTED_EVERY = 256

/**
 * Compares all records that share a key, each pair once, and hands over what is kept, sorted by the first record and then the second:
 * their numbers in `records`, which come in the order of their ids, so that everything here is the same whoever delivered them.
 */
export function matchSet(
  records: readonly MatchRecord[],
  onKept: (a: number, b: number) => void,
  watch: { onPair?: (a: number, b: number) => void; onProgress?: (recordsDone: number) => void } = {},
): MatchReport {
  const { owners, back, on, starts, places, count, ...bounds } = buildBlocks(records)
  const { mayBeKept } = outlinesOf(records)
  const found = createComparison()
  /** of each record, with whom it was compared last: who shares three keys is met three times */
  const metBy = new Int32Array(records.length).fill(-1)
  let pairsCompared = 0
  for (const [i, a] of records.entries()) {
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
        if (!mayBeKept(i, j)) continue
        const b = records[j]
        if (b !== undefined && isKept(a, b, found)) kept.push(j)
      }
    }
    for (const j of kept.sort((x, y) => x - y)) onKept(i, j)
  }
  return { records: records.length, blocks: count, pairsCompared, ...bounds }
}
