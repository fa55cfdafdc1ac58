import { blockingKeys } from '../rules/blocking.rules.ts'
import type { MatchRecord } from '../rules/match-record.ts'
import { configuration } from '../rules/matching-configuration.data.ts'
import { collectKeys, type SortedKeys } from './sorted-keys.ts'

/**
 * The comparisons of a run. A block is a set of records that share a key. Its records are adjacent in `owners`, and the blocks follow one another.
 * The record at index `p` of `owners` is compared with the records from `p - back[p]` to `p + on[p]`. In a small block each record is compared with
 * all later records; in a larger block with its nearest neighbours by name on both sides. Record numbers follow the order of ids.
 */
export type Blocks = {
  owners: Int32Array
  back: Uint8Array
  on: Uint8Array
  /** the indexes of a record in `owners` are `places` from `starts[record]` to before `starts[record + 1]` */
  starts: Int32Array
  places: Int32Array
  count: number
  /** number of blocks too large to compare all pairs, number of records in the largest of them, and number of pairs left out */
  boundedBlocks: number
  largestBlock: number
  pairsLeftOut: number
}

/**
 * Collects the blocking keys of each record when it is read, because its data is in the CPU cache then. A second pass over all records would mostly
 * miss the cache.
 */
export function createBlocks(): {
  add(record: MatchRecord, at: number): void
  build(records: readonly MatchRecord[], onProgress: () => void): Blocks
} {
  const collected = collectKeys()
  return {
    add: (record, at) => {
      collected.add(blockingKeys(record), at)
    },
    build: (all, onProgress) => buildBlocks(all, collected.length(), collected.inOrder(), onProgress),
  }
}

/** Number of blocks between two progress reports. They take some milliseconds. */
const REPORTED_EVERY = 1_000

function buildBlocks(
  records: readonly MatchRecord[],
  total: number,
  parts: Iterable<SortedKeys>,
  onProgress: () => void,
): Blocks {
  // Each array is allocated at its maximum size, because pages that are never written take no memory.
  const owners = new Int32Array(total)
  const back = new Uint8Array(total)
  const on = new Uint8Array(total)
  const found = { count: 0, boundedBlocks: 0, largestBlock: 0, pairsLeftOut: 0 }
  let length = 0
  const addBlock = (members: Int32Array) => {
    const size = members.length
    const end = length + size
    owners.set(members, length)
    found.count += 1
    found.largestBlock = Math.max(found.largestBlock, size)
    if (size <= configuration.blockCompared) for (let place = length; place < end; place++) on[place] = end - 1 - place
    else {
      found.boundedBlocks += 1
      sortByName(records, owners.subarray(length, end))
      let compared = 0
      for (let place = length; place < end; place++) {
        back[place] = Math.min(configuration.blockNeighbours, place - length)
        on[place] = Math.min(configuration.blockNeighbours, end - 1 - place)
        compared += on[place] ?? 0
      }
      found.pairsLeftOut += (size * (size - 1)) / 2 - compared
    }
    length = end
    if (found.count % REPORTED_EVERY === 0) onProgress()
  }
  for (const { high, low, owners: sharers, length: end } of parts) {
    for (let from = 0; from < end; ) {
      let to = from + 1
      while (to < end && low[to] === low[from] && high[to] === high[from]) to += 1
      if (to - from > 1) addBlock(sharers.subarray(from, to))
      from = to
    }
  }
  const members = owners.subarray(0, length)
  return { owners: members, back, on, ...placesOf(members, records.length), ...found }
}

function placesOf(owners: Int32Array, records: number): Pick<Blocks, 'starts' | 'places'> {
  const starts = new Int32Array(records + 1)
  for (let place = 0; place < owners.length; place++) {
    const owner = owners[place] ?? 0
    starts[owner + 1] = (starts[owner + 1] ?? 0) + 1
  }
  for (let record = 0; record < records; record++)
    starts[record + 1] = (starts[record + 1] ?? 0) + (starts[record] ?? 0)
  const next = starts.slice()
  const places = new Int32Array(owners.length)
  for (let place = 0; place < owners.length; place++) {
    const owner = owners[place] ?? 0
    const slot = next[owner] ?? 0
    places[slot] = place
    next[owner] = slot + 1
  }
  return { starts, places }
}

/** Sorts the record numbers of a block by name, then by place and id. */
function sortByName(records: readonly MatchRecord[], members: Int32Array): void {
  const sortKey = (at: number) => {
    const record = records[at]
    if (record === undefined) throw new Error('Block members must be record numbers.')
    const { names, place } = record
    return `${names[0]?.joined ?? ''}|${place.city ?? ''}|${place.number ?? ''}`
  }
  const ordered = Array.from(members, (at) => ({ at, key: sortKey(at) })).sort((a, b) =>
    a.key === b.key ? a.at - b.at : a.key < b.key ? -1 : 1,
  )
  for (const [place, { at }] of ordered.entries()) members[place] = at
}
