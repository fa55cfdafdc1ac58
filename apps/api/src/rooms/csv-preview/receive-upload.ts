import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AppError } from '../../lib/app-error.ts'
import { csvLimits } from './csv/dialect.ts'

export type Upload = { bytes: number; sha256: string }

/** Past this there is no first row that could be read, in any encoding: four bytes for each of its characters. */
const FIRST_LINE_BYTES = 4 * csvLimits.rowCharacters

/**
 * Of an upload that sends nothing any more nobody waits for the rest; it would keep the place of another. Shorter than the web server waits,
 * which would answer that there was none.
 */
const QUIET_MS = 50_000

/**
 * Writes what is sent into a file, as it comes, and hashes it on the way. Errors: `too_large` as soon as there is more than is
 * allowed; `request_timeout` when nothing comes for `quietMs`; `invalid_request` as soon as the first line is longer than a row can be, or when the connection ended before the file did.
 * The file is the caller's to remove, and the rest of the body to be let go, whatever happens.
 */
export async function receiveUpload(
  body: Readable,
  path: string,
  maxBytes: number,
  quietMs = QUIET_MS,
): Promise<Upload> {
  const hash = createHash('sha256')
  let bytes = 0
  let hasLineEnd = false
  const file = await open(path, 'wx', 0o600)
  try {
    // The connection outlives a refusal: it has to bring the answer.
    const chunks: AsyncIterableIterator<Buffer<ArrayBuffer>> = body.iterator({ destroyOnReturn: false })
    for await (const chunk of untilQuiet(chunks, quietMs)) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      hasLineEnd ||= chunk.includes(LF) || chunk.includes(CR)
      if (!hasLineEnd && bytes > FIRST_LINE_BYTES) throw noLineEnd()
      hash.update(chunk)
      await file.writeFile(chunk)
      letGo(chunk)
    }
  } catch (error) {
    if (error instanceof AppError || !isBroken(error)) throw error
    throw new AppError('invalid_request', 'The upload ended before the file did. Send it again.', { cause: error })
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Errors: `request_timeout`. */
async function* untilQuiet<Chunk>(chunks: AsyncIterableIterator<Chunk>, quietMs: number): AsyncGenerator<Chunk> {
  try {
    for (;;) {
      const silence = Promise.withResolvers<never>()
      const timer = setTimeout(() => silence.reject(quiet()), quietMs)
      const next = await Promise.race([chunks.next(), silence.promise]).finally(() => clearTimeout(timer))
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Not waited for: it comes behind the chunk that did not come.
    void chunks.return?.()
  }
}

function quiet(): AppError {
  return new AppError('request_timeout', 'Nothing more of the file came. Send it again.')
}

/**
 * Gives the memory of a chunk back at once: it is nobody else's, and of an upload that comes fast some 25 MB would wait for the next
 * collection. A chunk that shares its memory with others is left alone.
 */
function letGo({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}

const LF = 10
const CR = 13

function noLineEnd(): AppError {
  const characters = csvLimits.rowCharacters.toLocaleString('en')
  return new AppError(
    'invalid_request',
    `Line 1: This row is longer than ${characters} characters. This is no CSV file.`,
  )
}

export function tooLarge(maxBytes: number): AppError {
  const megabytes = Math.floor(maxBytes / 1_000_000).toLocaleString('en')
  return new AppError('too_large', `The file is larger than the ${megabytes} MB that a preview takes.`)
}

/** The sender went away. A failing disk is another matter. */
function isBroken(error: unknown): boolean {
  const codes = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'EPIPE']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
