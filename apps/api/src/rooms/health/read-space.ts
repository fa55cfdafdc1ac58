import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

/** Returns the size of the file system of a folder, and the part that is free for this user. */
export async function readSpace(folder: string): Promise<{ freeBytes: number; sizeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/** Returns the folder of the backups, or the data folder until the first backup creates it. */
export function folderOfBackups(shelf: string, dataDir: string): string {
  return existsSync(shelf) ? shelf : dataDir
}
