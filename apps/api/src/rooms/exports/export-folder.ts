import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
  const folder = join(dataDir, EXPORTS_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

export function filesOf(dataDir: string, { id, format }: Named): ExportFiles {
  const folder = exportFolder(dataDir)
  return { content: join(folder, `${id}.${format}`), values: join(folder, `${id}.values`) }
}

const DRAFT = '.part'

/**
 * Returns temporary names for files that are not complete. The names contain the claim of the job, so that no claim writes into a file of another
 * one.
 */
export function drafts(files: ExportFiles, claim: string): ExportFiles {
  return { content: `${files.content}.${claim}${DRAFT}`, values: `${files.values}.${claim}${DRAFT}` }
}

/** Deletes the incomplete files of an interrupted run. Only the owner of the export's lease may call this. */
export function removeDrafts(dataDir: string, id: string): void {
  removeNamed(dataDir, (name) => name.startsWith(`${id}.`) && name.endsWith(DRAFT))
}

export function removeFiles(dataDir: string, id: string): void {
  removeNamed(dataDir, (name) => name.startsWith(`${id}.`))
}

function removeNamed(dataDir: string, isMeant: (name: string) => boolean): void {
  const folder = join(dataDir, EXPORTS_FOLDER)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (isMeant(name)) rmSync(join(folder, name), { force: true })
}

/** Returns the ids of exports that have a file, complete or not. */
export function exportsWithFiles(dataDir: string): string[] {
  const folder = exportFolder(dataDir)
  return [...new Set(readdirSync(folder).map((name) => name.slice(0, name.indexOf('.'))))]
}
