import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Number of bytes after which a file that is written in one pass is flushed. With more, a commit on the same disk would wait for the flush. */
const SYNC_EVERY_BYTES = 8 * 1024 * 1024

/** Flushes the content of the file to disk. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Flushes the file names of the folder to disk, because flushing a file does not flush its name. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Writes a new file in pieces. Only this user can read it, and it is durable when the promise resolves. Data is flushed continuously, because on a
 * file system that orders writes a concurrent commit waits for unflushed data. Errors: those of the disk; `EEXIST`.
 */
export async function writeDurably(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    let unsynced = 0
    for await (const chunk of chunks) {
      await handle.writeFile(chunk)
      unsynced += chunk.length
      if (unsynced < SYNC_EVERY_BYTES) continue
      await handle.datasync()
      unsynced = 0
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Flushes to disk what another process has written to a file so far. Ignores a missing file. */
export async function syncWritten(file: string): Promise<void> {
  const handle = await open(file, 'r').catch(unlessAbsent)
  if (handle === undefined) return
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

function unlessAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
