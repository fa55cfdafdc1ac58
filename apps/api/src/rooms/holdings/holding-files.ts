import { join } from 'node:path'
import { draftOf, privateFolder, removeFilesOf } from '../../store/files/named-files.ts'
import { HOLDINGS_FOLDER } from '../../store/files/store-files.ts'
import type { HoldingFormat } from './holdings.schema.ts'

/** Returns the folder of the files. Their names contain only ids. */
export function holdingsFolder(dataDir: string): string {
  return privateFolder(dataDir, HOLDINGS_FOLDER)
}

export function fileOf(dataDir: string, id: string, format: HoldingFormat): string {
  return join(holdingsFolder(dataDir), `${id}.${format}`)
}

/** Returns the temporary name of a file that is not complete. */
export function draftFileOf(dataDir: string, id: string, format: HoldingFormat, claim: string): string {
  return draftOf(fileOf(dataDir, id, format), claim)
}

export function removeHoldingFiles(dataDir: string, id: string): void {
  removeFilesOf(holdingsFolder(dataDir), id)
}
