import { join } from 'node:path'
import { draftOf, idsWithFiles, privateFolder, removeDraftsOf, removeFilesOf } from '../../store/files/named-files.ts'
import { EXPORTS_FOLDER } from '../../store/files/store-files.ts'
import type { ExportTable } from './exports.table.ts'

export type ExportFiles = {
  /** path of the file for download */
  content: string
  /** path of a file with the contact values of each record in the export, which the gate checks again; deleted together with `content` */
  values: string
}

type Named = Pick<ExportTable, 'id' | 'format'>

/** Returns the folder of export files. File names contain only an id, and only the service can read the files. */
export function exportFolder(dataDir: string): string {
  return privateFolder(dataDir, EXPORTS_FOLDER)
}

export function filesOf(dataDir: string, { id, format }: Named): ExportFiles {
  const folder = exportFolder(dataDir)
  return { content: join(folder, `${id}.${format}`), values: join(folder, `${id}.values`) }
}

/** Returns temporary names for files that are not complete. */
export function drafts(files: ExportFiles, claim: string): ExportFiles {
  return { content: draftOf(files.content, claim), values: draftOf(files.values, claim) }
}

/** Deletes the incomplete files of an interrupted run. Only the owner of the export's lease may call this. */
export function removeDrafts(dataDir: string, id: string): void {
  removeDraftsOf(join(dataDir, EXPORTS_FOLDER), id)
}

export function removeFiles(dataDir: string, id: string): void {
  removeFilesOf(join(dataDir, EXPORTS_FOLDER), id)
}

/** Returns the ids of exports that have a file, complete or not. */
export function exportsWithFiles(dataDir: string): string[] {
  return idsWithFiles(exportFolder(dataDir))
}
