import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import { checkStore } from '../../store/files/copy-store.ts'
import { type Keys, keysFingerprint } from '../../store/files/keys.ts'
import { CHECKPOINT_FILE, STORE_FILE } from '../../store/files/store-files.ts'
import type { Migration } from '../../store/migration.ts'
import { readManifest, requireSignature, requireWholeFiles } from './backup-shelf.ts'
import type { Manifest } from './manifest.ts'
import { backupDamaged, openSealedFile, shareOf } from './sealed-file.ts'

export type OpenStage = 'reading' | 'opening' | 'checking'
export type OnOpening = (stage: OpenStage, share: number | null) => void

export type BackupToOpen = {
  folder: string
  identities: readonly string[]
  keys: Keys | undefined
  /** migration steps that this program knows */
  migrations: readonly Migration[]
}

/**
 * Checks a backup without a secret key. The manifest must be valid and match the files. If the server's keys are available, they must have signed it.
 * Errors: `not_found`, `invalid_request`.
 */
export async function checkSealed(folder: string, keys: Keys | undefined, onOpening: OnOpening): Promise<Manifest> {
  const manifest = readManifest(folder)
  if (keys !== undefined) requireSignature(manifest, keys)
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  await requireWholeFiles(
    folder,
    manifest,
    shareOf(total, (share) => onOpening('reading', share)),
  )
  return manifest
}

/**
 * Opens a backup into `target` and compares its content with the manifest: checksums, schema, integrity, foreign keys, row counts, and the last
 * events of the audit chains. Errors: `not_found`, `invalid_request` (wrong identity, tampered, truncated), `conflict` (a newer schema, or one that
 * cannot be upgraded).
 */
export async function openBackup(options: BackupToOpen & { target: string }, onOpening: OnOpening): Promise<Manifest> {
  const { folder, target, identities, keys, migrations } = options
  const manifest = readManifest(folder)
  if (manifest.v === 1) {
    const message =
      'This backup was made by a development version before 0.2.0, whose schema cannot be upgraded. Open it with that version.'
    throw new AppError('conflict', message, { reason: 'older_schema' })
  }
  if (manifest.schemaVersion > migrations.length) {
    const message = `This backup has schema version ${manifest.schemaVersion}, this program knows only ${migrations.length}. Open it with a newer program.`
    throw new AppError('conflict', message, { reason: 'newer_schema' })
  }
  await checkSealed(folder, keys, onOpening)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const total = manifest.files.reduce((sum, { plainBytes }) => sum + plainBytes, 0)
  const onBytes = shareOf(total, (share) => onOpening('opening', share))
  for (const { name, plainBytes, plainSha256 } of manifest.files) {
    const plain = join(target, name === `${STORE_FILE}.zst.age` ? STORE_FILE : CHECKPOINT_FILE)
    const opened = await openSealedFile(join(folder, name), plain, { identities, maxBytes: plainBytes, onBytes })
    if (opened.sha256 !== plainSha256) throw backupDamaged(`${name} does not match its manifest.`)
  }
  onOpening('checking', null)
  await requireStoreOf(manifest, join(target, STORE_FILE))
  return manifest
}

/** Opens a backup into a scratch folder to check that this is possible, and deletes the result. Errors: those of `openBackup`. */
export async function openInScratch(
  options: BackupToOpen & { scratch: string },
  onOpening: OnOpening,
): Promise<Manifest> {
  const target = mkdtempSync(join(options.scratch, 'prospect-verify-'))
  try {
    return await openBackup({ ...options, target }, onOpening)
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

/** Checks that the data folder has the keys that this store needs. Errors: `conflict`. */
export function requireKeysOf(manifest: Manifest, keys: Keys | undefined): void {
  if (keys !== undefined && keysFingerprint(keys) === manifest.keysFingerprint) return
  const found = keys === undefined ? 'has no keys' : 'has the keys of another installation'
  const message = `This data folder ${found}: first copy the keys/ folder that belongs to this backup into it. If those keys are lost, use --keys-lost: every authenticator app and recovery code is then lost too, and the audit's older checkpoints cannot be verified.`
  throw new AppError('conflict', message, { reason: 'wrong_keys' })
}

async function requireStoreOf(manifest: Manifest, file: string): Promise<void> {
  const { damage, schemaVersion, counts, chains } = await checkStore(file)
  if (damage[0] !== undefined) throw backupDamaged(`the store in it is damaged (${damage[0]}).`)
  const said = JSON.stringify([manifest.schemaVersion, manifest.counts, manifest.chains])
  const found = JSON.stringify([schemaVersion, counts, chains])
  if (said !== found) throw backupDamaged('the store in it does not match its manifest.')
}
