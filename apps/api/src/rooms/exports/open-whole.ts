import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../../lib/app-error.ts'
import { openUnaltered } from '../../store/files/open-unaltered.ts'

/** Opens a file after verifying its hash, because an altered file can contain other records. Errors: `export_gone`. */
export function openWhole(path: string, sha256: string | null): Promise<FileHandle> {
  return openUnaltered(path, sha256, (fault) =>
    gone(fault === 'missing' ? 'The file no longer exists.' : 'The file is damaged. Create a new export.'),
  )
}

export function gone(message: string): AppError {
  return new AppError('export_gone', message)
}
