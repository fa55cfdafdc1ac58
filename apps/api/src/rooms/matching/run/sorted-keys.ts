/**
 * Keys below 2^52 with their owners. Each key is stored as two halves of 26 bits, because a processor compares integers faster than floating-point
 * numbers.
 */
export type SortedKeys = {
  high: Int32Array<ArrayBuffer>
  low: Int32Array<ArrayBuffer>
  owners: Int32Array<ArrayBuffer>
  length: number
}

const HALF_BITS = 26
const HALF = 2 ** HALF_BITS
/**
 * Number of highest bits by which keys are divided into parts. Each part is sorted by itself, so that sorting does not need a second copy of all
 * keys.
 */
const PART_BITS = 4
const PARTS = 2 ** PART_BITS
const LEAST_ROOM = 64
const GROWTH = 1.25

export function keyAt({ high, low }: SortedKeys, at: number): number {
  return (high[at] ?? 0) * HALF + (low[at] ?? 0)
}

const columns = ['high', 'low', 'owners'] as const

export type KeyCollection = {
  add(keys: readonly number[], owner: number): void
  length(): number
  /** Yields all keys in ascending order, one part at a time, and equal keys in the order of their owners. Call it once. */
  inOrder(): Generator<SortedKeys>
}

/** Collects keys with their owners. The keys are read in order after all are added. Add owners in ascending order. */
export function collectKeys(): KeyCollection {
  const room = () => new Int32Array(LEAST_ROOM)
  const parts = Array.from({ length: PARTS }, (): SortedKeys => {
    return { high: room(), low: room(), owners: room(), length: 0 }
  })
  return {
    add: (keys, owner) => {
      for (const key of keys) {
        const high = Math.floor(key / HALF)
        const part = parts[high >>> (HALF_BITS - PART_BITS)]
        if (part === undefined) throw new Error('A key must be below 2^52.')
        if (part.length === part.owners.length) {
          // The buffer is transferred and not copied, because the old buffer would occupy memory until the next collection.
          const bytes = Math.ceil(part.length * GROWTH) * Int32Array.BYTES_PER_ELEMENT
          for (const column of columns) part[column] = new Int32Array(part[column].buffer.transfer(bytes))
        }
        part.high[part.length] = high
        part.low[part.length] = key - high * HALF
        part.owners[part.length] = owner
        part.length += 1
      }
    },
    length: () => parts.reduce((sum, part) => sum + part.length, 0),
    inOrder: () => inOrder(parts),
  }
}

/**
 * Sorts and yields the parts. Each part is released when the next one is requested, because the collector does not see memory outside the heap and
 * would not free it in time.
 */
function* inOrder(collected: readonly SortedKeys[]): Generator<SortedKeys> {
  const most = Math.max(...collected.map(({ length }) => length))
  const scratch = { high: new Int32Array(most), low: new Int32Array(most), owners: new Int32Array(most) }
  for (const part of collected) {
    yield sortByKey(part, { ...scratch, length: part.length })
    for (const column of columns) part[column].buffer.transfer(0)
  }
}

/**
 * The groups of bits by which keys of a part are sorted, least significant first. Their number is even, so that the result ends in the original
 * buffer.
 */
const digits = [
  { half: 'low', shift: 0, bits: 13 },
  { half: 'low', shift: 13, bits: 13 },
  { half: 'high', shift: 0, bits: 11 },
  { half: 'high', shift: 11, bits: 11 },
] as const

/** Sorts by key (radix sort). Equal keys stay in the order of records. */
function sortByKey(keys: SortedKeys, scratch: SortedKeys): SortedKeys {
  let [from, to] = [keys, scratch]
  for (const digit of digits) {
    moveByDigit(from, to, digit)
    const swap = from
    from = to
    to = swap
  }
  return from
}

function moveByDigit(from: SortedKeys, to: SortedKeys, { half, shift, bits }: (typeof digits)[number]): void {
  const { high, low, owners, length } = from
  const column = from[half]
  const buckets = 2 ** bits
  const mask = buckets - 1
  const next = new Int32Array(buckets + 1)
  for (let at = 0; at < length; at++) {
    const bucket = (((column[at] ?? 0) >>> shift) & mask) + 1
    next[bucket] = (next[bucket] ?? 0) + 1
  }
  for (let bucket = 1; bucket <= buckets; bucket++) next[bucket] = (next[bucket] ?? 0) + (next[bucket - 1] ?? 0)
  for (let at = 0; at < length; at++) {
    const bucket = ((column[at] ?? 0) >>> shift) & mask
    const slot = next[bucket] ?? 0
    to.high[slot] = high[at] ?? 0
    to.low[slot] = low[at] ?? 0
    to.owners[slot] = owners[at] ?? 0
    next[bucket] = slot + 1
  }
}
