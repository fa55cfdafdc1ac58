import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createBreather } from '../../../lib/event-loop.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { CHECKPOINT_FILE } from '../../../store/files/store-files.ts'

/** A checkpoint takes some 430 bytes. A longer line is no checkpoint and is not loaded into memory. */
const MAX_LINE_BYTES = 4_096
const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a

export function checkpointFile(dataDir: string): string {
  return join(dataDir, CHECKPOINT_FILE)
}

/** `text` is undefined for a line that is too long; `isWhole` is false for a last line without a line end. */
export type CheckpointLine = { number: number; text: string | undefined; isWhole: boolean }

/**
 * Yields the lines of the append-only file, which is read in pieces; none if the file is missing. `from`: a byte offset, which may be within a line.
 */
export async function* readCheckpointLines(file: string, from = 0): AsyncGenerator<CheckpointLine> {
  let number = 1
  let begun: Buffer = Buffer.alloc(0)
  let tooLong = false
  const add = (part: Buffer) => {
    tooLong ||= begun.length + part.length > MAX_LINE_BYTES
    begun = tooLong ? Buffer.alloc(0) : Buffer.concat([begun, part])
  }
  const finish = (isWhole: boolean): CheckpointLine => {
    const line = { number, text: tooLong ? undefined : begun.toString('utf8'), isWhole }
    number += 1
    begun = Buffer.alloc(0)
    tooLong = false
    return line
  }
  try {
    for await (const chunk of createReadStream(file, { start: from, highWaterMark: CHUNK_BYTES })) {
      let begin = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, begin)) {
        add(chunk.subarray(begin, end))
        yield finish(true)
        begin = end + 1
      }
      add(chunk.subarray(begin))
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  if (begun.length > 0 || tooLong) yield finish(false)
}

/**
 * Appends lines durably. Each line is one write to a file opened for appending, so lines of two processes never mix. A line that a full disk
 * truncates is removed; the complete lines before it remain.
 */
export async function appendCheckpointLines(file: string, lines: readonly string[]): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    for (const line of lines) {
      const bytes = Buffer.from(`${line}\n`)
      const { bytesWritten } = await handle.write(bytes)
      if (bytesWritten < bytes.length)
        throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes of a checkpoint could be written.`)
    }
    await handle.sync()
  } catch (error) {
    await cutHalfLine(file)
    throw error
  } finally {
    await handle.close()
  }
}

/** Creates a missing file and makes its name durable, because syncing a file does not sync its folder. */
export async function ensureCheckpointFile(file: string): Promise<void> {
  await (await open(file, 'a', 0o600)).close()
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Removes an incomplete last line, which a crash during a write leaves and which was never acknowledged. Returns the number of removed bytes. A long
 * tail without a line end is no incomplete line: it stays, gets a line end, and verification reports it.
 */
export async function cutHalfLine(file: string): Promise<number> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const tail = await readTail(handle, size)
    if (tail.length === 0 || tail.at(-1) === NEWLINE) return 0
    const half = tail.length - (tail.lastIndexOf(NEWLINE) + 1)
    if (half === tail.length && tail.length < size) await handle.write('\n', size)
    else await handle.truncate(size - half)
    await handle.sync()
    return half
  } finally {
    await handle.close()
  }
}

/**
 * Returns the number of bytes of the file that belong to a copy of the store: all lines up to the one with this hash, and at least `known` bytes,
 * which were in the file before the store was copied. Later lines can name events that the copy lacks.
 */
export async function bytesThrough(file: string, hash: string | undefined, known: number): Promise<number> {
  if (hash === undefined) return known
  const breathe = createBreather()
  let [bytes, end] = [0, known]
  for await (const { text, isWhole } of readCheckpointLines(file)) {
    await breathe()
    // A line that is too long has an unknown length, so the file is damaged.
    if (text === undefined || !isWhole) return end
    bytes += Buffer.byteLength(text) + 1
    if (sha256(text) === hash) end = Math.max(end, bytes)
  }
  return end
}

async function readTail(handle: FileHandle, size: number): Promise<Buffer> {
  const length = Math.min(size, MAX_LINE_BYTES)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  return buffer.subarray(0, bytesRead)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
