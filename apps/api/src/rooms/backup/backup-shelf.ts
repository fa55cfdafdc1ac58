import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import { syncFile, syncFolder } from '../../store/files/durable-files.ts'
import type { Keys } from '../../store/files/keys.ts'
import {
  HEADS_FILE,
  isSignedWith,
  MANIFEST_FILE,
  MAX_MANIFEST_BYTES,
  type Manifest,
  manifestSchema,
} from './manifest.ts'
import { backupsToRemove, type RetentionPolicy } from './retention.rules.ts'
import { backupDamaged, measureFile, type OnBytes } from './sealed-file.ts'

/** Matches the folder name of a complete backup, which contains a manifest. An unfinished backup has another name. */
const BACKUP_FOLDER = /^backup-\d{8}T\d{6}Z-[0-9a-f]{8}$/
/**
 * Returns the start of an unfinished backup's folder name. It contains the fingerprint of the keys, because another installation can copy to the same
 * folder at the same time.
 */
const partialPrefix = (keysFingerprint: string) => `.partial-${keysFingerprint.slice(0, 16)}-`
/** Maximum number of backups that are read. No retention policy keeps more. */
const MAX_LISTED = 10_000

/** A backup in the backup folder. `manifest` is undefined if it cannot be read. */
export type ShelvedBackup = { folder: string; manifest: Manifest | undefined }

/** Lists the backups in a folder, newest first. */
export function listBackups(shelf: string): ShelvedBackup[] {
  return namesOnShelf(shelf).slice(0, MAX_LISTED).map(shelved(shelf))
}

/** Returns the newest backup in a folder; undefined if there is none. */
export function findNewestBackup(shelf: string): ShelvedBackup | undefined {
  return namesOnShelf(shelf).slice(0, 1).map(shelved(shelf))[0]
}

function namesOnShelf(shelf: string): string[] {
  if (!existsSync(shelf)) return []
  return readdirSync(shelf)
    .filter((name) => BACKUP_FOLDER.test(name))
    .sort()
    .reverse()
}

function shelved(shelf: string): (name: string) => ShelvedBackup {
  return (name) => ({ folder: join(shelf, name), manifest: findManifest(join(shelf, name)) })
}

/**
 * Returns the manifests of the backups that were made with these keys, newest first. Backups of other installations in the same folder are omitted.
 */
export function ownManifests(shelf: string, keysFingerprint: string): Manifest[] {
  return listBackups(shelf).flatMap(({ manifest }) => (manifest?.keysFingerprint === keysFingerprint ? [manifest] : []))
}

/** Reads the manifest of a backup. Errors: `not_found` (no manifest), `invalid_request` (a damaged manifest). */
export function readManifest(folder: string): Manifest {
  if (!existsSync(join(folder, MANIFEST_FILE))) {
    throw new AppError('not_found', `${folder} is not a backup: it has no ${MANIFEST_FILE}.`)
  }
  const manifest = findManifest(folder)
  if (manifest === undefined) throw backupDamaged(`its ${MANIFEST_FILE} cannot be read.`)
  return manifest
}

/**
 * Reads the manifest of a backup from a file, so that it can be compared with others. Errors: `not_found`; `invalid_request` (damaged, or of another
 * server).
 */
export function readManifestFile(file: string, keys: Keys): Manifest {
  if (!existsSync(file)) throw new AppError('not_found', `There is no file ${file}.`)
  const manifest = parseManifest(file)
  if (manifest === undefined) throw backupDamaged(`${file} cannot be read as a manifest.`)
  requireSignature(manifest, keys)
  return manifest
}

function findManifest(folder: string): Manifest | undefined {
  return parseManifest(join(folder, MANIFEST_FILE))
}

function parseManifest(file: string): Manifest | undefined {
  try {
    if (statSync(file).size > MAX_MANIFEST_BYTES) return undefined
    return manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Throws unless the manifest was signed with these keys. Errors: `invalid_request`. */
export function requireSignature(manifest: Manifest, keys: Keys): void {
  if (!isSignedWith(keys, manifest)) throw backupDamaged('its manifest does not carry the signature of this server.')
}

/** Checks that the encrypted files match the checksums in the manifest. Needs no secret key. Errors: `invalid_request`. */
export async function requireWholeFiles(folder: string, manifest: Manifest, onBytes?: OnBytes): Promise<void> {
  for (const { name, bytes, sha256 } of manifest.files) {
    requireSize(folder, name, bytes)
    const measured = await measureFile(join(folder, name), onBytes)
    if (measured.sha256 !== sha256) throw backupDamaged(`${name} does not match its checksum.`)
  }
}

/** Checks that the files exist and have their full size, without reading them. Errors: `invalid_request`. */
export function requireFileSizes(folder: string, manifest: Manifest): void {
  for (const { name, bytes } of manifest.files) requireSize(folder, name, bytes)
}

function requireSize(folder: string, name: string, bytes: number): void {
  const file = join(folder, name)
  if (!existsSync(file)) throw backupDamaged(`${name} is missing.`)
  const { size } = statSync(file)
  if (size !== bytes) throw backupDamaged(`${name} has ${size} bytes instead of ${bytes}.`)
}

/** Creates a folder for a new backup and deletes unfinished backups of this installation. The caller must have the backup lock. */
export function startPartial(shelf: string, { id, keysFingerprint }: Pick<Manifest, 'id' | 'keysFingerprint'>): string {
  mkdirSync(shelf, { recursive: true, mode: 0o700 })
  const prefix = partialPrefix(keysFingerprint)
  for (const name of readdirSync(shelf)) {
    if (name.startsWith(prefix)) rmSync(join(shelf, name), { recursive: true })
  }
  const partial = join(shelf, `${prefix}${id}`)
  mkdirSync(partial, { mode: 0o700 })
  return partial
}

/** Renames the complete backup to its final name in one step. */
export function finishPartial(shelf: string, partial: string, id: string): string {
  const folder = join(shelf, `backup-${id}`)
  syncFolder(partial)
  renameSync(partial, folder)
  syncFolder(shelf)
  return folder
}

/** Copies a backup to another disk or machine and reads it back there. Returns its path. */
export async function copyBackup(folder: string, manifest: Manifest, shelf: string): Promise<string> {
  const partial = startPartial(shelf, manifest)
  try {
    const heads = existsSync(join(folder, HEADS_FILE)) ? [HEADS_FILE] : []
    for (const name of [...manifest.files.map((file) => file.name), MANIFEST_FILE, ...heads]) {
      await copyFile(join(folder, name), join(partial, name))
      syncFile(join(partial, name))
    }
    await requireWholeFiles(partial, manifest)
    return finishPartial(shelf, partial, manifest.id)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/**
 * Deletes the backups made with these keys that the policy does not retain, and returns their number. Ages are measured from the second newest
 * backup, so that a clock that was set ahead for one backup deletes nothing (docs/decisions/backups.md). Backups of other installations are never
 * deleted. Unreadable backups are not deleted either, so that a person can inspect them.
 */
export function pruneBackups(shelf: string, keysFingerprint: string, policy: RetentionPolicy): number {
  const own = ownManifests(shelf, keysFingerprint)
  const [, before] = own
  if (before === undefined) return 0
  const gone = backupsToRemove(own, new Date(before.takenAt), policy)
  for (const id of gone) rmSync(join(shelf, `backup-${id}`), { recursive: true })
  return gone.length
}
