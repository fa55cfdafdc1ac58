import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../lib/app-error.ts'

/** Maximum size of one file. */
const MAX_FILE_BYTES = 100_000_000

export type WrittenFile = { bytes: number; sha256: string }
export type FileWriter = {
  write(text: string): Promise<void>
  /** resolves when the file is durable */
  finish(): Promise<WrittenFile>
  close(): Promise<void>
}

/**
 * Creates a writer for a file that only the service can read. It counts the bytes and computes the hash of the content. Errors: `too_large`,
 * `unavailable` (the disk is full).
 */
export async function createFileWriter(path: string, maxBytes = MAX_FILE_BYTES): Promise<FileWriter> {
  const handle: FileHandle = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    write: async (text) => {
      const chunk = Buffer.from(text)
      bytes += chunk.length
      if (bytes > maxBytes) {
        throw new AppError(
          'too_large',
          `This export would be larger than ${maxBytes / 1_000_000} MB. Narrow the filter and export the rest separately.`,
        )
      }
      hash.update(chunk)
      await whereThereIsRoom(() => handle.writeFile(chunk))
    },
    finish: async () => {
      await whereThereIsRoom(() => handle.sync())
      await close()
      return { bytes, sha256: hash.digest('hex') }
    },
    close,
  }
}

async function whereThereIsRoom(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC')) throw cause
    throw new AppError(
      'unavailable',
      'The disk of the server is full, so the export was not stored. Inform the server operator.',
      {
        cause,
        reason: 'storage_full',
      },
    )
  }
}
