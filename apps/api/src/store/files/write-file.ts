import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../lib/app-error.ts'
import { numeral } from '../../lib/numeral.ts'

/** The maximum size of a file, with the words of its refusal. `subject`: 'This export'; `remedy`: a sentence that says what to do. */
export type FileBound = { maxBytes: number; subject: string; remedy: string }

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
export async function createFileWriter(path: string, { maxBytes, subject, remedy }: FileBound): Promise<FileWriter> {
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
          `${subject} would be larger than ${numeral(maxBytes / 1_000_000)} MB. ${remedy}`,
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
      'The disk of the server is full, so the file was not stored. Inform the server operator.',
      {
        cause,
        reason: 'storage_full',
      },
    )
  }
}
