import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXPORTS_FOLDER } from '../../store/files/store-files.ts'
import type { ExportTable } from './exports.table.ts'

export type ExportFiles = {
  /** what is handed out */
  content: string
  /** beside it, for the gate: which record's contact values stand in it; gone with it */
  values: string
}

type Named = Pick<ExportTable, 'id' | 'format'>

/** Where the files of exports lie. The names hold no more than an id, and nobody but the service may read them. */
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

/** What stands under a name only until the file is whole; one claim of a job never writes into another's. */
export function drafts(files: ExportFiles, claim: string): ExportFiles {
  return { content: `${files.content}.${claim}${DRAFT}`, values: `${files.values}.${claim}${DRAFT}` }
}

/** For whoever holds the lease of an export: takes away what a run that was cut off has left of it. */
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

/** The exports that have any file, whole or not. */
export function exportsWithFiles(dataDir: string): string[] {
  const folder = exportFolder(dataDir)
  return [...new Set(readdirSync(folder).map((name) => name.slice(0, name.indexOf('.'))))]
}
