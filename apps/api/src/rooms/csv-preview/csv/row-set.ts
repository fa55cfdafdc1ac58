/** Row numbers as bits. `count`: number of rows in the set. */
export type RowBits = { bits: Uint8Array; count: number }

/** Creates a set of row numbers, stored as bits. */
export function createRowSet() {
  let bits = new Uint8Array(1_024)
  let count = 0
  return {
    add(row: number): void {
      const at = row >> 3
      if (at >= bits.length) {
        const larger = new Uint8Array(Math.max(at + 1, bits.length * 2))
        larger.set(bits)
        bits = larger
      }
      const bit = 1 << (row & 7)
      const byte = bits[at] ?? 0
      if ((byte & bit) !== 0) return
      bits[at] = byte | bit
      count += 1
    },
    size: () => count,
    finish: (): RowBits => ({ bits, count }),
  }
}

/** Returns the number of rows of the set up to a row, included. */
export function countUpTo({ bits }: RowBits, row: number): number {
  const end = Math.floor((row + 1) / 8)
  let count = 0
  for (const byte of bits.subarray(0, end)) count += bitsIn(byte)
  return count + bitsIn((bits[end] ?? 0) & ((1 << ((row + 1) % 8)) - 1))
}

function bitsIn(byte: number): number {
  let count = 0
  for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Returns the first rows of the set after a row, in order. */
export function rowsAfter({ bits }: RowBits, row: number, limit: number): number[] {
  const found: number[] = []
  let next = row + 1
  // Divides in place of a shift, because a shift makes numbers from 2^31 on negative.
  for (let at = Math.floor(next / 8); found.length < limit && at < bits.length; at = Math.floor(next / 8)) {
    const byte = bits[at] ?? 0
    if (byte === 0) {
      next = (at + 1) * 8
      continue
    }
    if ((byte & (1 << (next % 8))) !== 0) found.push(next)
    next += 1
  }
  return found
}
