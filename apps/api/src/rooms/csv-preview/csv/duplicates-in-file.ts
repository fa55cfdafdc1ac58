import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { Hash } from '../../../lib/text-filter.ts'
import { createRowSet } from './row-set.ts'

/** Maximum number of identifiers in the table in memory, which then takes 20 MB. Further identifiers are compared on disk. */
const REMEMBERED = 700_000
/** Minimum number of bytes of a cell with its delimiter or line end. It gives the maximum number of cells of a file. */
const FEWEST_BYTES = 2
const PARTS = 64
const PART_BUFFER_ENTRIES = 2_048
const FEWEST_SLOTS = 1_024
/** Maximum share of occupied slots of a table. Above it, lookups take too long. */
const FULL_SHARE = 0.7
/** Number of 32-bit words of an entry: two halves of the hash, and the row. */
const ENTRY_WORDS = 3

export type DuplicateFinder = {
  /** Returns the earlier row with this hash. Returns 0 if there is none, or if only `finish` can find it. Rows count from 1. */
  note(hash: Hash, row: number): number
  /** Compares the hashes on disk. Returns the number of rows that share a value with another row, which is known only then. */
  finish(): number
  /** Deletes the file on disk, for an analysis that stops early. Has no effect after `finish`. */
  discard(): void
}

/**
 * Finds values that occur in several rows, in bounded memory. The first values are stored in a table in memory. All others are written to disk in
 * parts that each fit into memory. Compares 64 bits of hash: with ten million different values, fewer than one of 100,000 files has a collision.
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

/**
 * Creates a hash table with open addressing. The two halves of a hash and the row of an entry are adjacent in memory, so that a lookup costs one
 * memory access.
 */
function createTable(capacity: number) {
  let most = capacity
  let slots = slotsFor(capacity)
  let words = new Uint32Array(slots * ENTRY_WORDS)
  let held = 0

  /** returns the slot of this hash, occupied or free */
  const place = (high: number, low: number) => {
    let at = low & (slots - 1)
    for (;;) {
      const word = at * ENTRY_WORDS
      if (words[word + 2] === 0 || (words[word] === high && words[word + 1] === low)) return word
      at = (at + 1) & (slots - 1)
    }
  }

  return {
    /** Returns the first row with this hash, which is `row` itself if the hash is new. Returns undefined if the hash is new and the table is full. */
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
    /** empties the table, makes it large enough for this number of entries, and reuses its memory */
    clear(entries: number): void {
      slots = slotsFor(entries)
      if (slots * ENTRY_WORDS > words.length) words = new Uint32Array(slots * ENTRY_WORDS)
      else words.fill(0, 0, slots * ENTRY_WORDS)
      held = 0
      most = entries
    },
  }
}

/** Returns the number of slots for this number of entries, a power of two. Memory pages that get no entry are never allocated. */
function slotsFor(entries: number): number {
  return Math.max(FEWEST_SLOTS, 2 ** Math.ceil(Math.log2(entries / FULL_SHARE)))
}

/** Creates the storage of hashes on disk. They are divided into parts by their highest bits. */
function createParts(path: string) {
  const fd = openSync(path, 'wx+', 0o600)
  const buffers = Array.from({ length: PARTS }, () => ({
    words: new Uint32Array(PART_BUFFER_ENTRIES * ENTRY_WORDS),
    used: 0,
  }))
  /** offsets in the file at which the pieces of each part begin; each piece is a full buffer, except the last of a part */
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
    /**
     * Finds duplicates in one part after the other. Uses the given table and overwrites its content, because another table would double the memory.
     */
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
            // The highest bits of the hash are equal within a part, so the other bits distinguish the entries.
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
