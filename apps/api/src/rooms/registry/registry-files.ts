import { join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import { privateFolder, removeFilesOf } from '../../store/files/named-files.ts'
import { REGISTRY_FOLDER } from '../../store/files/store-files.ts'

export type RoundFiles = {
  /** the file for the registry */
  content: string
  /** the values in `content`, one in a line, about which the gate is asked again before a download */
  values: string
  /** the values that the registry lists, until the confirmed run has added them */
  hits: string
  /** an uploaded result, until it is read */
  upload(resultId: string): string
}

/** Returns the folder of the files of open rounds. File names contain only ids. */
export function registryFolder(dataDir: string): string {
  return privateFolder(dataDir, REGISTRY_FOLDER)
}

export function filesOf(dataDir: string, roundId: string): RoundFiles {
  const path = (end: string) => join(registryFolder(dataDir), `${roundId}.${end}`)
  return {
    content: path('csv'),
    values: path('values'),
    hits: path('hits'),
    upload: (resultId) => path(`${resultId}.upload`),
  }
}

export function removeRoundFiles(dataDir: string, roundId: string): void {
  removeFilesOf(registryFolder(dataDir), roundId)
}

export function fileGone(message: string): AppError {
  return new AppError('registry_file_gone', message)
}
