import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../lib/app-error.ts'

export type Upload = { bytes: number; sha256: string }

/**
 * Writes what is sent into a file, as it comes, and hashes it on the way. Errors: `too_large` as soon as there is more than is
 * allowed; `invalid_request` when the connection ended before the file did. The file is the caller's to remove, whatever happens.
 */
export async function receiveUpload(body: Readable, path: string, maxBytes: number): Promise<Upload> {
  const hash = createHash('sha256')
  let bytes = 0
  const measured = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(body, measured, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    if (error instanceof AppError || !isBroken(error)) throw error
    throw new AppError('invalid_request', 'The upload ended before the file did. Send it again.', { cause: error })
  }
  return { bytes, sha256: hash.digest('hex') }
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
