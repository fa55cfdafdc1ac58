import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** What may wait unwritten of a file that is written in one go. Past it, whoever commits on the same disk would wait for the rest of it. */
const SYNC_EVERY_BYTES = 8 * 1024 * 1024

/** What was written to the file survives a loss of power. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** So do the names in the folder: syncing a file does not sync its name. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Writes a new file, for this user alone, piece by piece; durable when it resolves. It goes to the disk in small parts all along: where a
 * file system orders its writes, a commit beside it waits for what is not yet there. Errors: those of the disk; `EEXIST`.
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

/** What somebody else has written of a file so far goes to the disk now; nothing when it is not there yet. */
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
