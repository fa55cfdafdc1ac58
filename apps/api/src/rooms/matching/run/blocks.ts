import { blockingKeys } from '../rules/blocking.rules.ts'
import type { MatchRecord } from '../rules/match-record.ts'
import { configuration } from '../rules/matching-configuration.data.ts'

/**
 * Who is compared with whom. Records that share a key lie side by side in `owners`, a block after the other; a record of the place `p`
 * is compared with those from `p - back[p]` to `p + on[p]`. In a small block everybody reaches everybody after them; in one that is
 * bounded each reaches its next neighbours by name on both sides. All by the numbers of records, in the order of their ids.
 */
export type Blocks = {
  owners: Int32Array
  back: Uint8Array
  on: Uint8Array
  /** the places of a record: from `starts[record]` to before `starts[record + 1]` in `places` */
  starts: Int32Array
  places: Int32Array
  count: number
  /** blocks too large to compare everybody with everybody, the largest of all, and the pairs that they left out */
  boundedBlocks: number
  largestBlock: number
  pairsLeftOut: number
}

/** Takes the keys of records one at a time: what a record says is at hand when it was just read, and anywhere in a gigabyte later. */
export function createBlocks(): {
  add(record: MatchRecord, at: number): void
  build(records: readonly MatchRecord[], onProgress: () => void): Blocks
} {
  const collected = collectKeys()
  return {
    add: (record, at) => {
      collected.add(blockingKeys(record), at)
    },
    build: (all, onProgress) => buildBlocks(all, collected.parts, onProgress),
  }
}

/** Blocks between two reports: some milliseconds. */
const REPORTED_EVERY = 1_000

function buildBlocks(records: readonly MatchRecord[], collected: readonly Keys[], onProgress: () => void): Blocks {
  const total = collected.reduce((sum, part) => sum + part.length, 0)
  // As large as they can become; what is not written takes no memory.
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
  for (const sorted of inOrder(collected)) {
    for (let from = 0; from < sorted.keys.length; ) {
      let to = from + 1
      while (to < sorted.keys.length && sorted.keys[to] === sorted.keys[from]) to += 1
      if (to - from > 1) addBlock(sorted.owners.subarray(from, to))
      from = to
    }
  }
  const members = owners.subarray(0, length)
  return { owners: members, back, on, ...placesOf(members, records.length), ...found }
}

function placesOf(owners: Int32Array, records: number): Pick<Blocks, 'starts' | 'places'> {
  const starts = new Int32Array(records + 1)
  for (const owner of owners) starts[owner + 1] = (starts[owner + 1] ?? 0) + 1
  for (let record = 0; record < records; record++)
    starts[record + 1] = (starts[record + 1] ?? 0) + (starts[record] ?? 0)
  const next = starts.slice()
  const places = new Int32Array(owners.length)
  for (const [place, owner] of owners.entries()) {
    const slot = next[owner] ?? 0
    places[slot] = place
    next[owner] = slot + 1
  }
  return { starts, places }
}

/** By name, then by place and id. */
function sortByName(records: readonly MatchRecord[], members: Int32Array): void {
  const sortKey = (at: number) => {
    const record = records[at]
    return `${record?.names[0]?.joined ?? ''}|${record?.place.city ?? ''}|${record?.place.number ?? ''}`
  }
  const ordered = Array.from(members, (at) => ({ at, key: sortKey(at) })).sort((a, b) =>
    a.key === b.key ? a.at - b.at : a.key < b.key ? -1 : 1,
  )
  for (const [place, { at }] of ordered.entries()) members[place] = at
}

type Keys = { keys: Float64Array<ArrayBuffer>; owners: Int32Array<ArrayBuffer>; length: number }

/** Keys are below 2^52. They are collected in parts by their highest bits, so that no second copy of all is needed to sort them. */
const PARTS = 16
const KEYS_IN_A_PART = 2 ** 52 / PARTS
const LEAST_ROOM = 64
const GROWTH = 1.25

/** The keys of all records in their order, and within a key in that of the records, with whose they are: a part after the other. */
export function keysInOrder(
  records: readonly MatchRecord[],
  keysOf: (record: MatchRecord, at: number) => readonly number[],
): Generator<Keys> {
  const collected = collectKeys()
  for (const [at, record] of records.entries()) collected.add(keysOf(record, at), at)
  return inOrder(collected.parts)
}

/** A part is gone when the next one is asked for: memory outside of the heap would wait for a collection that the heap sees no need of. */
function* inOrder(collected: readonly Keys[]): Generator<Keys> {
  const most = Math.max(...collected.map(({ length }) => length))
  const scratch = { keys: new Float64Array(most), owners: new Int32Array(most) }
  for (const part of collected) {
    yield sortByKey(part, scratch)
    part.keys.buffer.transfer(0)
    part.owners.buffer.transfer(0)
  }
}

function collectKeys(): { parts: readonly Keys[]; add(keys: readonly number[], owner: number): void } {
  const parts = Array.from({ length: PARTS }, (): Keys => {
    return { keys: new Float64Array(LEAST_ROOM), owners: new Int32Array(LEAST_ROOM), length: 0 }
  })
  const add = (keys: readonly number[], owner: number) => {
    for (const key of keys) {
      const part = parts[Math.floor(key / KEYS_IN_A_PART)]
      if (part === undefined) throw new Error('A key is below 2^52.')
      if (part.length === part.keys.length) {
        // Moved, not copied: what is outgrown would take its memory until it is collected.
        const more = Math.ceil(part.length * GROWTH)
        part.keys = new Float64Array(part.keys.buffer.transfer(more * Float64Array.BYTES_PER_ELEMENT))
        part.owners = new Int32Array(part.owners.buffer.transfer(more * Int32Array.BYTES_PER_ELEMENT))
      }
      part.keys[part.length] = key
      part.owners[part.length] = owner
      part.length += 1
    }
  }
  return { parts, add }
}

const DIGIT_BITS = 13
const DIGITS = 4
const BUCKETS = 2 ** DIGIT_BITS

/** Sorts by key, and within a key by the order of the records: passes over 13 bits each, there and back, so that all end where they were. */
function sortByKey({ keys, owners, length }: Keys, scratch: Omit<Keys, 'length'>): Keys {
  let from: Keys = { keys: keys.subarray(0, length), owners: owners.subarray(0, length), length }
  let to: Keys = { ...scratch, length }
  let scale = 1
  for (let digit = 0; digit < DIGITS; digit++) {
    const next = new Int32Array(BUCKETS + 1)
    const digitOf = (key: number) => Math.floor(key / scale) % BUCKETS
    for (let i = 0; i < length; i++) {
      const bucket = digitOf(from.keys[i] ?? 0) + 1
      next[bucket] = (next[bucket] ?? 0) + 1
    }
    for (let bucket = 1; bucket <= BUCKETS; bucket++) next[bucket] = (next[bucket] ?? 0) + (next[bucket - 1] ?? 0)
    for (let i = 0; i < length; i++) {
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
