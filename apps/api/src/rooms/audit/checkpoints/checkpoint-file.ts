import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createBreather } from '../../../lib/event-loop.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { CHECKPOINT_FILE } from '../../../store/files/store-files.ts'

/** Maximum length of a line that is read. A checkpoint takes some 430 bytes, so a longer line is no checkpoint and is not loaded into memory. */
const MAX_LINE_BYTES = 4_096
const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a

export function checkpointFile(dataDir: string): string {
  return join(dataDir, CHECKPOINT_FILE)
}

/** One line of the file. `text` is undefined if the line is too long. `isWhole` is false for a last line without a line end. */
export type CheckpointLine = { number: number; text: string | undefined; isWhole: boolean }

/**
 * Yields the lines of the append-only file, which is read in pieces. Yields none if the file is missing. `from`: a byte offset, which may be within a
 * line.
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
 * Appends lines durably. Each line is a single write to a file that was opened for appending, so lines of two processes never mix. If a full disk
 * truncates a line, the incomplete line is removed; the complete lines before it remain.
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

/** Creates the file if it is missing and makes its name durable, because flushing a file does not flush its name. */
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
 * Removes an incomplete last line and returns the number of removed bytes. A crash during a write leaves such a line, which was never acknowledged. A
 * last line that is longer than any checkpoint was not left by a crash: it gets a line end, and verification reports it.
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
 * Returns how many bytes of the file belong to a copy of the store: all lines up to the one with this hash, and at least `known` bytes. `known`: size
 * of the file before the store was copied. Later lines can be about events that the copy does not have.
 */
export async function bytesThrough(file: string, hash: string | undefined, known: number): Promise<number> {
  if (hash === undefined) return known
  const breathe = createBreather()
  let [bytes, end] = [0, known]
  for await (const { text, isWhole } of readCheckpointLines(file)) {
    await breathe()
    // A line that is too long shows that the file is damaged, and its length is unknown.
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
