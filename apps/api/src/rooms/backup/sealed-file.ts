import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { AppError } from '../../lib/app-error.ts'
import { writeDurably } from '../../store/files/durable-files.ts'

const CHUNK_BYTES = 1024 * 1024

export type Measured = { bytes: number; sha256: string }
/** Called with the number of bytes that were processed since the last call. */
export type OnBytes = (bytes: number) => void

/** Returns a callback for processed bytes that reports the progress to `tell`, as a fraction from 0 to 1. */
export function shareOf(total: number, tell: (share: number) => void): OnBytes {
  let done = 0
  return (bytes) => {
    done += bytes
    tell(total === 0 ? 1 : done / total)
  }
}

type Bytes = AsyncIterable<Uint8Array>

/** Compresses (zstd) and encrypts (age, to all recipients) one file as a stream. The result is durable when the promise resolves. */
export async function sealFile(
  plain: string,
  sealed: string,
  recipients: readonly string[],
  onBytes: OnBytes,
): Promise<{ plain: Measured; sealed: Measured }> {
  const { Encrypter } = await import('age-encryption') // imported on demand: 5 MB that few processes need
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const before = createMeasure({ onBytes })
  const after = createMeasure({})
  await pipeline(
    createReadStream(plain, { highWaterMark: CHUNK_BYTES }),
    before.pass,
    createZstdCompress(),
    async function* (compressed: Bytes) {
      yield* await encrypter.encrypt(ReadableStream.from(compressed))
    },
    after.pass,
    (bytes: Bytes) => writeDurably(sealed, bytes),
  )
  return { plain: before.result(), sealed: after.result() }
}

/**
 * Decrypts and decompresses a file. Writes at most `maxBytes`, because a forged file could expand to any size. Errors: `invalid_request` with the
 * reason `wrong_identity` or `backup_damaged`.
 */
export async function openSealedFile(
  sealed: string,
  plain: string,
  { identities, maxBytes, onBytes }: { identities: readonly string[]; maxBytes: number; onBytes?: OnBytes },
): Promise<Measured> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  const measured = createMeasure({ onBytes, maxBytes })
  await pipeline(
    createReadStream(sealed, { highWaterMark: CHUNK_BYTES }),
    async function* (encrypted: Bytes) {
      yield* await decrypter.decrypt(ReadableStream.from(encrypted))
    },
    createZstdDecompress(),
    measured.pass,
    (bytes: Bytes) => writeDurably(plain, bytes),
  ).catch((error: unknown) => {
    throw openingFailure(error)
  })
  return measured.result()
}

/** Returns the size and checksum of a file. */
export async function measureFile(file: string, onBytes?: OnBytes): Promise<Measured> {
  const measured = createMeasure({ onBytes })
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), measured.pass, async (rest: Bytes) => {
    for await (const _ of rest);
  })
  return measured.result()
}

export function backupDamaged(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `This backup is damaged or was tampered with: ${what} Use another one.`, {
    reason: 'backup_damaged',
    cause,
  })
}

/**
 * Returns the error to throw when a file could not be opened. An error of the disk is returned unchanged; any other failure is a fault of the file or
 * of the key.
 */
function openingFailure(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (error instanceof Error && 'syscall' in error) return error
  if (error instanceof Error && /no identity matched/i.test(error.message)) {
    const message = 'This identity does not open the backup: it was encrypted to other public keys.'
    return new AppError('invalid_request', message, { reason: 'wrong_identity', cause: error })
  }
  return backupDamaged('it cannot be opened to its end.', error)
}

function createMeasure({
  onBytes,
  maxBytes = Number.POSITIVE_INFINITY,
}: {
  onBytes?: OnBytes | undefined
  maxBytes?: number
}) {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    pass: async function* (chunks: Bytes) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) throw backupDamaged('it contains more than its manifest states.')
        onBytes?.(chunk.length)
        yield chunk
      }
    },
    result: (): Measured => ({ bytes, sha256: hash.digest('hex') }),
  }
}
