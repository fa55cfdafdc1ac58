import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { Hash } from '../../../lib/text-filter.ts'

/** Identifiers that are remembered in memory, 20 MB with their table at the most; what comes later is sorted out on disk. */
const REMEMBERED = 700_000
/** Of what is compared, with its delimiter or line end. */
const FEWEST_BYTES = 2
const PARTS = 64
const PART_BUFFER_ENTRIES = 2_048
const FEWEST_SLOTS = 1_024
/** Of the slots of a table; past it looking for a free one takes long. */
const FULL_SHARE = 0.7
/** Two halves of a hash and the row. */
const ENTRY_WORDS = 3

export type DuplicateFinder = {
  /** The earlier row in which a text of this hash stood, or 0 when there was none or it is found only at the end. Rows count from 1. */
  note(hash: Hash, row: number): number
  /** Rows that share something with another row, known in full only now. */
  finish(): number
  /** Takes away what lies on disk; for a file that is not read to its end, and harmless after `finish`. */
  discard(): void
}

/**
 * Finds what stands in several rows of a file, in bounded memory: the first of them in a table, the others by parts on disk,
 * each of which fits into memory in its turn. Compared by 64 bits of hash: of ten million different texts, two are taken for one
 * in less than one file of a hundred thousand.
 */
export function createDuplicateFinder(options: {
  path: string
  fileBytes: number
  remembered?: number
}): DuplicateFinder {
  const { path, fileBytes, remembered = REMEMBERED } = options
  const table = createTable(Math.min(remembered, Math.ceil(fileBytes / FEWEST_BYTES)))
  const rows = createRowSet()
  let parts: ReturnType<typeof createParts> | undefined

  return {
    note([high, low], row) {
      const first = table.findOrAdd(high, low, row)
      if (first === row) return 0
      if (first !== undefined) {
        rows.add(first)
        rows.add(row)
        return first
      }
      parts ??= createParts(path)
      parts.add(high, low, row)
      return 0
    },
    finish() {
      parts?.eachDuplicate(table, (first, row) => {
        rows.add(first)
        rows.add(row)
      })
      parts?.close()
      parts = undefined
      return rows.size()
    },
    discard() {
      parts?.close()
      parts = undefined
    },
  }
}

type Table = ReturnType<typeof createTable>

/** Open addressing; an entry's two halves of a hash and its row stand side by side, so that looking at it is one reach into memory. */
function createTable(capacity: number) {
  let most = capacity
  let slots = slotsFor(capacity)
  let words = new Uint32Array(slots * ENTRY_WORDS)
  let held = 0

  /** Where the entry of this hash stands, or would. */
  const place = (high: number, low: number) => {
    let at = low & (slots - 1)
    for (;;) {
      const word = at * ENTRY_WORDS
      if (words[word + 2] === 0 || (words[word] === high && words[word + 1] === low)) return word
      at = (at + 1) & (slots - 1)
    }
  }

  return {
    /** The row that came first with this hash, `row` itself when it is the first; undefined: not there, and there is no more room. */
    findOrAdd(high: number, low: number, row: number): number | undefined {
      const word = place(high, low)
      const first = words[word + 2] ?? 0
      if (first !== 0) return first
      if (held >= most) return undefined
      words[word] = high
      words[word + 1] = low
      words[word + 2] = row
      held += 1
      return row
    },
    /** Empty again, with what memory it has, for so many entries. */
    clear(entries: number): void {
      slots = slotsFor(entries)
      if (slots * ENTRY_WORDS > words.length) words = new Uint32Array(slots * ENTRY_WORDS)
      else words.fill(0, 0, slots * ENTRY_WORDS)
      held = 0
      most = entries
    },
  }
}

/** A power of two; pages of memory that no entry comes to are never taken. */
function slotsFor(entries: number): number {
  return Math.max(FEWEST_SLOTS, 2 ** Math.ceil(Math.log2(entries / FULL_SHARE)))
}

/** One bit a row. */
function createRowSet() {
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
  }
}

/** Hashes on disk, parted by their highest bits. */
function createParts(path: string) {
  const fd = openSync(path, 'wx+', 0o600)
  const buffers = Array.from({ length: PARTS }, () => ({
    words: new Uint32Array(PART_BUFFER_ENTRIES * ENTRY_WORDS),
    used: 0,
  }))
  /** of each part, where its pieces stand in the file; each piece is a full buffer, but the last of a part */
  const pieces = Array.from({ length: PARTS }, (): { at: number; words: number }[] => [])
  let end = 0

  function flush(part: number): void {
    const buffer = buffers[part]
    if (buffer === undefined || buffer.used === 0) return
    const bytes = new Uint8Array(buffer.words.buffer, 0, buffer.used * 4)
    writeSync(fd, bytes, 0, bytes.length, end)
    pieces[part]?.push({ at: end, words: buffer.used })
    end += bytes.length
    buffer.used = 0
  }

  return {
    add(high: number, low: number, row: number): void {
      const part = high >>> 26
      const buffer = buffers[part]
      if (buffer === undefined) return
      buffer.words[buffer.used] = high
      buffer.words[buffer.used + 1] = low
      buffer.words[buffer.used + 2] = row
      buffer.used += ENTRY_WORDS
      if (buffer.used === buffer.words.length) flush(part)
    },
    /** Part by part, in a table whose content is not wanted any more: another one beside it, or one a part, would be twice the memory. */
    eachDuplicate(table: Table, found: (first: number, row: number) => void): void {
      const words = new Uint32Array(PART_BUFFER_ENTRIES * ENTRY_WORDS)
      for (let part = 0; part < PARTS; part++) {
        flush(part)
        const held = pieces[part] ?? []
        table.clear(held.reduce((sum, piece) => sum + piece.words / ENTRY_WORDS, 0))
        for (const piece of held) {
          readSync(fd, new Uint8Array(words.buffer, 0, piece.words * 4), 0, piece.words * 4, piece.at)
          for (let at = 0; at < piece.words; at += ENTRY_WORDS) {
            const row = words[at + 2] ?? 0
            // The highest bits are the same throughout the part; the others still tell.
            const first = table.findOrAdd(words[at] ?? 0, words[at + 1] ?? 0, row) ?? row
            if (first !== row) found(first, row)
          }
        }
      }
    },
    close(): void {
      closeSync(fd)
      rmSync(path, { force: true })
    },
  }
}
