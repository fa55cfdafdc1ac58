import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Files of records, in one folder of the data folder. The name of each file begins with the id of its record and a dot, and only the service can read
 * the files.
 */

/** Returns the folder, and creates it if it is missing. */
export function privateFolder(dataDir: string, name: string): string {
  const folder = join(dataDir, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

const DRAFT = '.part'

/** Returns the temporary name of a file that is not complete. It contains the claim of the job, so that no claim writes into a file of another one. */
export function draftOf(file: string, claim: string): string {
  return `${file}.${claim}${DRAFT}`
}

/** Deletes the incomplete files of an interrupted run. Only the owner of the job's lease may call this. */
export function removeDraftsOf(folder: string, id: string): void {
  removeNamed(folder, (name) => name.startsWith(`${id}.`) && name.endsWith(DRAFT))
}

export function removeFilesOf(folder: string, id: string): void {
  removeNamed(folder, (name) => name.startsWith(`${id}.`))
}

function removeNamed(folder: string, isMeant: (name: string) => boolean): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (isMeant(name)) rmSync(join(folder, name), { force: true })
}

/** Returns the ids of records that have a file, complete or not. */
export function idsWithFiles(folder: string): string[] {
  return [...new Set(readdirSync(folder).map((name) => name.slice(0, name.indexOf('.'))))]
}
