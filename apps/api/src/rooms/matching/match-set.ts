import { blockingKeys } from './blocking.rules.ts'
import { type Comparison, createComparison, isKept } from './compare-records.rules.ts'
import type { MatchRecord } from './match-record.ts'
import { configuration } from './matching-configuration.data.ts'

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

/**
 * Compares all records that share a key, each pair once but for those of bounded blocks, and hands over what is kept. `records` come
 * in the order of their ids, so that everything here is the same whoever delivered them. `onPair` may read `found` until it returns.
 * A pair of bounded blocks may come twice.
 */
export function matchSet(
  records: readonly MatchRecord[],
  onKept: (a: MatchRecord, b: MatchRecord, found: Comparison) => void,
  watch: {
    onPair?: (a: number, b: number) => void
    shouldStop?: () => boolean
    onProgress?: (recordsDone: number) => void
  } = {},
): MatchReport {
  const blocks = buildBlocks(records)
  const report: MatchReport = {
    records: records.length,
    blocks: blocks.count,
    pairsCompared: 0,
    boundedBlocks: 0,
    largestBlock: 0,
    pairsLeftOut: 0,
  }
  const found = createComparison()
  const compare = (i: number, j: number) => {
    const a = records[Math.min(i, j)]
    const b = records[Math.max(i, j)]
    if (a === undefined || b === undefined) return
    report.pairsCompared += 1
    watch.onPair?.(i, j)
    if (isKept(a, b, found)) onKept(a, b, found)
  }
  for (let block = 0; block < blocks.count; block++) {
    const members = blocks.members(block)
    if ((block & 0xfff) === 0) {
      if (watch.shouldStop?.() === true) return report
      watch.onProgress?.(Math.floor((records.length * block) / blocks.count))
    }
    if (members.length > report.largestBlock) report.largestBlock = members.length
    if (members.length <= configuration.blockCompared) {
      for (let i = 0; i < members.length; i++) {
        for (let j = i + 1; j < members.length; j++) {
          const [a, b] = [members[i] ?? 0, members[j] ?? 0]
          if (blocks.firstShared(a, b) === block) compare(a, b)
        }
      }
      continue
    }
    report.boundedBlocks += 1
    report.pairsLeftOut += boundedBlock(records, members, (a, b) => {
      if (blocks.firstShared(a, b) === -1) compare(a, b)
    })
  }
  return report
}

/** Neighbours by name, then by place and id, are compared. Returns how many pairs were left out. */
function boundedBlock(
  records: readonly MatchRecord[],
  members: Int32Array,
  compare: (a: number, b: number) => void,
): number {
  const sortKey = (at: number) => {
    const record = records[at]
    return `${record?.names[0]?.joined ?? ''}|${record?.place.city ?? ''}|${record?.place.number ?? ''}`
  }
  const ordered = Array.from(members, (at) => ({ at, key: sortKey(at) })).sort((a, b) =>
    a.key === b.key ? a.at - b.at : a.key < b.key ? -1 : 1,
  )
  let compared = 0
  for (let i = 0; i < ordered.length; i++) {
    for (let j = i + 1; j <= Math.min(i + configuration.blockNeighbours, ordered.length - 1); j++) {
      compare(ordered[i]?.at ?? 0, ordered[j]?.at ?? 0)
      compared += 1
    }
  }
  return (members.length * (members.length - 1)) / 2 - compared
}

type Keys = { keys: Float64Array; owners: Int32Array }

const KEYS_A_RECORD = 8

/** The keys of all records, one record after the other. */
function collectKeys(records: readonly MatchRecord[]): Keys {
  let keys = new Float64Array(records.length * KEYS_A_RECORD)
  let owners = new Int32Array(keys.length)
  let at = 0
  for (const [owner, record] of records.entries()) {
    const own = blockingKeys(record)
    if (at + own.length > keys.length) {
      const length = Math.ceil((at + own.length) * 1.25)
      keys = grown(keys, new Float64Array(length))
      owners = grown(owners, new Int32Array(length))
    }
    for (const key of own) {
      keys[at] = key
      owners[at] = owner
      at += 1
    }
  }
  return { keys: keys.subarray(0, at), owners: owners.subarray(0, at) }
}

function grown<List extends Float64Array | Int32Array>(from: List, to: List): List {
  to.set(from)
  return to
}

type Blocks = {
  count: number
  members(block: number): Int32Array
  /** the first block, by its number, in which both are and everybody is compared; -1 when there is none */
  firstShared(a: number, b: number): number
}

function buildBlocks(records: readonly MatchRecord[]): Blocks {
  const { keys: sortedKeys, owners } = sortByKey(collectKeys(records))
  const total = sortedKeys.length
  const starts: number[] = []
  const ends: number[] = []
  const perRecord = new Int32Array(records.length)
  for (let from = 0; from < total; ) {
    let to = from + 1
    while (to < total && sortedKeys[to] === sortedKeys[from]) to += 1
    if (to - from > 1) {
      starts.push(from)
      ends.push(to)
      if (to - from <= configuration.blockCompared)
        for (let at = from; at < to; at++) perRecord[owners[at] ?? 0] = (perRecord[owners[at] ?? 0] ?? 0) + 1
    }
    from = to
  }
  // The blocks of a record, in their order, one record after the other.
  const offsets = new Int32Array(records.length + 1)
  for (let at = 0; at < records.length; at++) offsets[at + 1] = (offsets[at] ?? 0) + (perRecord[at] ?? 0)
  const filled = offsets.slice()
  const blocksOf = new Int32Array(offsets[records.length] ?? 0)
  for (let block = 0; block < starts.length; block++) {
    const [from, to] = [starts[block] ?? 0, ends[block] ?? 0]
    if (to - from > configuration.blockCompared) continue
    for (let at = from; at < to; at++) {
      const owner = owners[at] ?? 0
      const slot = filled[owner] ?? 0
      blocksOf[slot] = block
      filled[owner] = slot + 1
    }
  }
  return {
    count: starts.length,
    members: (block) => owners.subarray(starts[block], ends[block]),
    firstShared: (a, b) => {
      let i = offsets[a] ?? 0
      let j = offsets[b] ?? 0
      const endA = offsets[a + 1] ?? 0
      const endB = offsets[b + 1] ?? 0
      while (i < endA && j < endB) {
        const x = blocksOf[i] ?? 0
        const y = blocksOf[j] ?? 0
        if (x === y) return x
        if (x < y) i += 1
        else j += 1
      }
      return -1
    },
  }
}

const DIGIT_BITS = 13
const DIGITS = 4
const BUCKETS = 2 ** DIGIT_BITS

/** Sorts by key, and within a key by the order of the records: four passes over 13 bits each, for keys below 2^52. */
export function sortByKey(unsorted: Keys): Keys {
  const total = unsorted.keys.length
  let from = unsorted
  let to: Keys = { keys: new Float64Array(total), owners: new Int32Array(total) }
  let scale = 1
  for (let digit = 0; digit < DIGITS; digit++) {
    const next = new Int32Array(BUCKETS + 1)
    const digitOf = (key: number) => Math.floor(key / scale) % BUCKETS
    for (let i = 0; i < total; i++) {
      const bucket = digitOf(from.keys[i] ?? 0) + 1
      next[bucket] = (next[bucket] ?? 0) + 1
    }
    for (let bucket = 1; bucket <= BUCKETS; bucket++) next[bucket] = (next[bucket] ?? 0) + (next[bucket - 1] ?? 0)
    for (let i = 0; i < total; i++) {
      const key = from.keys[i] ?? 0
      const bucket = digitOf(key)
      const slot = next[bucket] ?? 0
      to.keys[slot] = key
      to.owners[slot] = from.owners[i] ?? 0
      next[bucket] = slot + 1
    }
    const swap = from
    from = to
    to = swap
    scale *= BUCKETS
  }
  return from
}
