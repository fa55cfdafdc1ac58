import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../../lib/app-error.ts'
import { sha256Of } from '../../lib/hashing.ts'

/** Opens a file after verifying its hash, because an altered file can contain other records. Errors: `export_gone`. */
export async function openWhole(path: string, sha256: string | null): Promise<FileHandle> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw gone('The file no longer exists.')
  })
  try {
    if ((await sha256Of(handle.createReadStream({ start: 0, autoClose: false }))) === sha256) return handle
    throw gone('The file is damaged. Create a new export.')
  } catch (error) {
    await handle.close()
    throw error
  }
}

export function gone(message: string): AppError {
  return new AppError('export_gone', message)
}
