import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AppError } from '../../lib/app-error.ts'
import { type SizeLimit, tooLarge } from '../../lib/limit-reached.ts'
import { numeral } from '../../lib/numeral.ts'
import { csvLimits } from './csv/dialect.ts'

export type Upload = { bytes: number; sha256: string }

/** Maximum size of the first row in any encoding: four bytes per character. */
const FIRST_LINE_BYTES = 4 * csvLimits.rowCharacters

/**
 * Time after which an upload that sends nothing is refused, because it occupies one of the limited uploads. It is shorter than the timeout of the web
 * server, which would respond with its own error.
 */
const QUIET_MS = 50_000

/**
 * Streams an upload into a file and hashes it. Errors: `too_large` as soon as the limit is exceeded; `request_timeout` if nothing is received for
 * `quietMs`; `invalid_request` as soon as the first line is longer than a row can be, or if the connection ends early. In every case the caller must
 * delete the file and discard the rest of the body. `limit`: the words of the maximum.
 */
export async function receiveUpload(
  body: Readable,
  path: string,
  maxBytes: number,
  quietMs = QUIET_MS,
  limit: SizeLimit = fileSize,
): Promise<Upload> {
  const hash = createHash('sha256')
  let bytes = 0
  let hasLineEnd = false
  const file = await open(path, 'wx', 0o600)
  try {
    // The iterator must not destroy the body when it stops early, because a refusal still needs the connection for its response.
    const chunks: AsyncIterableIterator<Buffer<ArrayBuffer>> = body.iterator({ destroyOnReturn: false })
    for await (const chunk of untilQuiet(chunks, quietMs)) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(limit, { size: undefined, max: maxBytes })
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

/** Yields the chunks of an upload. Errors: `request_timeout` if no chunk arrives for `quietMs`. */
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
    // The returned promise is not awaited, because it would wait for the chunk that did not arrive.
    void chunks.return?.()
  }
}

function quiet(): AppError {
  return new AppError('request_timeout', 'The upload stopped. Send the file again.')
}

/**
 * Frees the memory of a chunk at once. A fast upload would otherwise leave some 25 MB for the next garbage collection. The chunk must not be used
 * afterwards. A chunk that shares its memory with other chunks is not freed.
 */
function letGo({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}

const LF = 10
const CR = 13

function noLineEnd(): AppError {
  const characters = numeral(csvLimits.rowCharacters)
  return new AppError(
    'invalid_request',
    `Line 1: This row is longer than ${characters} characters. This is not a CSV file.`,
  )
}

export const fileSize: SizeLimit = {
  name: 'csv_file',
  subject: 'This file',
  unit: 'bytes',
  remedy: 'Divide it into smaller files.',
}

/** True if the error means that the client disconnected. A failing disk causes other errors. */
function isBroken(error: unknown): boolean {
  const codes = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'EPIPE']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
