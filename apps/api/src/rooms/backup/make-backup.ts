import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ChainEnd, copyStore, type StoreReport } from '../../store/files/copy-store.ts'
import { syncFile } from '../../store/files/durable-files.ts'
import { takeLock } from '../../store/files/file-lock.ts'
import { findKeys, type Keys, keysFingerprint } from '../../store/files/keys.ts'
import { enterTogether } from '../../store/files/presence.ts'
import { BACKUP_LOCK_FILE, CHECKPOINT_FILE, STORE_FILE } from '../../store/files/store-files.ts'
import { bytesThrough, signHead } from '../audit/audit.ts'
import {
  copyBackup,
  finishPartial,
  ownManifests,
  pruneBackups,
  requireWholeFiles,
  startPartial,
} from './backup-shelf.ts'
import { recordCopy } from './last-copy.ts'
import { HEADS_FILE, MANIFEST_FILE, type Manifest, signManifest } from './manifest.ts'
import type { RetentionPolicy } from './retention.rules.ts'
import { sealFile, shareOf } from './sealed-file.ts'

/** Free disk space that must remain in addition to the plain copy and its compressed form. */
const SPARE_BYTES = 64 * 1024 * 1024
/** Time limit of the operator's program that copies the backup to its own destination. */
const HOOK_PATIENCE_MS = 3_600_000
const HOUR_MS = 3_600_000

export type BackupSettings = {
  dataDir: string
  /** folder of backups, preferably on another disk than the store */
  shelf: string
  /** public keys (`age1…`); only the owners of their secret keys can open the backup */
  recipients: readonly string[]
  policy: RetentionPolicy
  /** path of another folder, off this host, to which each backup is copied */
  copyTo: string | undefined
  /** path of a program that is called with the folder of each backup, to copy it off this host */
  hook: string | undefined
}

export type BackupStage = 'copying and checking' | 'encrypting' | 'reading back' | 'copying off'
export type OnProgress = (stage: BackupStage, share: number | null) => void

/** Result of a backup. `offHost`: result of the copy to another host; undefined if none is configured. */
export type BackupResult = {
  folder: string
  manifest: Manifest
  removed: number
  offHost: { ok: true } | { ok: false; reason: string } | undefined
  /** true if an older backup has a later time, which means that the clock was set back; no backup is then deleted */
  clockWentBack: boolean
}

/**
 * Takes a backup of the store while other processes write to it. The backup is an atomic copy that is checked, compressed, encrypted to the public
 * keys and read back, with a signed manifest. It gets its final name only when it is complete, and contains no keys and no environment. Afterwards
 * deletes the backups that the policy does not retain. Errors: `conflict` (another backup is running), `not_found` (no store), `unavailable` (the
 * store is damaged or the disk is full).
 */
export async function makeBackup(
  settings: BackupSettings,
  clock: Clock,
  onProgress: OnProgress,
): Promise<BackupResult> {
  const { dataDir, shelf } = settings
  const keys = existsSync(join(dataDir, STORE_FILE)) ? findKeys(dataDir) : undefined
  if (keys === undefined)
    throw new AppError('not_found', `There is no store with its keys in ${dataDir}: nothing to back up.`)
  const lock = takeLock(join(dataDir, BACKUP_LOCK_FILE), { alone: true, patienceMs: 0 })
  if (lock === undefined) throw new AppError('conflict', 'Another backup is running. Wait until it ends.')
  try {
    const { folder, manifest } = await whilePresent(dataDir, () => writeBackup(settings, keys, clock, onProgress))
    const offHost = await takeOffHost(settings, folder, manifest, { clock, onProgress })
    const own = manifest.keysFingerprint
    const [newest] = ownManifests(shelf, own)
    const clockWentBack = newest !== undefined && Date.parse(newest.takenAt) > Date.parse(manifest.takenAt) + HOUR_MS
    const mayPrune = !clockWentBack && offHost?.ok !== false
    const removed = mayPrune ? pruneBackups(shelf, own, settings.policy) : 0
    if (mayPrune && settings.copyTo !== undefined) pruneBackups(settings.copyTo, own, settings.policy)
    return { folder, manifest, removed, offHost, clockWentBack }
  } finally {
    lock.release()
  }
}

/** Runs `work` while no restore can replace the store. */
async function whilePresent<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const presence = enterTogether(dataDir)
  try {
    return await work()
  } finally {
    presence.release()
  }
}

async function writeBackup(
  { dataDir, shelf, recipients }: BackupSettings,
  keys: Keys,
  clock: Clock,
  onProgress: OnProgress,
): Promise<{ folder: string; manifest: Manifest }> {
  const takenAt = clock().toISOString()
  const id = `${takenAt.slice(0, 19).replace(/[-:]/g, '')}Z-${randomBytes(4).toString('hex')}`
  const partial = startPartial(shelf, { id, keysFingerprint: keysFingerprint(keys) })
  try {
    const storeBytes = statSync(join(dataDir, STORE_FILE)).size
    await requireSpace(shelf, storeBytes)
    const plain = join(partial, 'plain')
    mkdirSync(plain, { mode: 0o700 })
    const knownBytes = checkpointBytes(dataDir)
    onProgress('copying and checking', 0)
    const report = await copyStore(join(dataDir, STORE_FILE), join(plain, STORE_FILE), (bytes) =>
      onProgress('copying and checking', Math.min(1, bytes / storeBytes)),
    )
    requireWholeStore(report)
    await copyCheckpoints(dataDir, plain, { knownBytes, chains: report.chains })
    const files = await sealFiles(plain, partial, recipients, onProgress)
    rmSync(plain, { recursive: true })
    const { schemaVersion, counts, chains } = report
    const checks = { integrity: 'ok', foreignKeys: 'ok' } as const
    const manifest = signManifest(keys, {
      id,
      takenAt,
      schemaVersion,
      counts,
      chains,
      checks,
      files,
      recipients: [...recipients],
    })
    const sealedBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    await requireWholeFiles(
      partial,
      manifest,
      shareOf(sealedBytes, (share) => onProgress('reading back', share)),
    )
    writeFileSync(join(partial, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    syncFile(join(partial, MANIFEST_FILE))
    writeHeads(partial, keys, { ...report, at: takenAt })
    return { folder: finishPartial(shelf, partial, id), manifest }
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/** Writes the heads of the copied chains as a file of their own, which people and other machines can keep without the backup. */
function writeHeads(
  folder: string,
  { auditSigning }: Keys,
  { storeId, chains, at }: Pick<StoreReport, 'storeId' | 'chains'> & { at: string },
): void {
  if (storeId === null) return
  const heads = chains.map(({ tenantId, sequence, hash }) =>
    signHead(auditSigning, { store: storeId, tenant: tenantId, sequence, hash, at }),
  )
  const file = join(folder, HEADS_FILE)
  writeFileSync(file, heads.map((head) => `${JSON.stringify(head)}\n`).join(''), { mode: 0o600 })
  syncFile(file)
}

function checkpointBytes(dataDir: string): number {
  return statSync(join(dataDir, CHECKPOINT_FILE), { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Copies the checkpoint file up to the newest checkpoint that the copied store records. The copied store therefore contains every event that the
 * checkpoints name, and no recorded checkpoint is missing.
 */
async function copyCheckpoints(
  dataDir: string,
  plain: string,
  { knownBytes, chains }: { knownBytes: number; chains: readonly ChainEnd[] },
): Promise<void> {
  const [file, copy] = [join(dataDir, CHECKPOINT_FILE), join(plain, CHECKPOINT_FILE)]
  const recorded = chains.flatMap(({ checkpoint }) => checkpoint ?? [])
  const newest = recorded.sort((a, b) => b.number - a.number)[0]
  const bytes = existsSync(file) ? await bytesThrough(file, newest?.lineHash, knownBytes) : 0
  if (bytes === 0) writeFileSync(copy, '', { mode: 0o600 })
  else await pipeline(createReadStream(file, { end: bytes - 1 }), createWriteStream(copy, { mode: 0o600 }))
}

async function sealFiles(
  plain: string,
  partial: string,
  recipients: readonly string[],
  onProgress: OnProgress,
): Promise<Manifest['files']> {
  const names = [STORE_FILE, CHECKPOINT_FILE] as const
  const total = names.reduce((sum, name) => sum + statSync(join(plain, name)).size, 0)
  const onBytes = shareOf(total, (share) => onProgress('encrypting', share))
  const files: Manifest['files'] = []
  for (const name of names) {
    const sealedName = `${name}.zst.age` as const
    const { plain: before, sealed } = await sealFile(join(plain, name), join(partial, sealedName), recipients, onBytes)
    files.push({ name: sealedName, ...sealed, plainBytes: before.bytes, plainSha256: before.sha256 })
  }
  return files
}

async function takeOffHost(
  settings: BackupSettings,
  folder: string,
  manifest: Manifest,
  { clock, onProgress }: { clock: Clock; onProgress: OnProgress },
): Promise<BackupResult['offHost']> {
  const { copyTo, hook } = settings
  if (copyTo === undefined && hook === undefined) return undefined
  onProgress('copying off', null)
  try {
    if (copyTo !== undefined) await copyBackup(folder, manifest, copyTo)
    if (hook !== undefined) await runHook(hook, folder)
    recordOffHost(settings, manifest, clock)
    return { ok: true }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Records the copy off this host. A folder on the disk of the store is lost with it, for example because no other disk is mounted there. */
function recordOffHost(settings: BackupSettings, manifest: Manifest, clock: Clock): void {
  if (settings.hook !== undefined) recordCopy(settings.shelf, manifest, 'hook', clock)
  else if (!isOnDiskOfStore(settings)) recordCopy(settings.shelf, manifest, 'folder', clock)
}

/** Returns true if the copy folder is on the store's disk. */
export function isOnDiskOfStore({ copyTo, dataDir }: Pick<BackupSettings, 'copyTo' | 'dataDir'>): boolean {
  return copyTo !== undefined && statSync(copyTo).dev === statSync(dataDir).dev
}

/** Runs the operator's program without a shell, and with only the variables that a program needs to find other programs. */
async function runHook(hook: string, folder: string): Promise<void> {
  const { PATH, HOME } = process.env
  const child = spawn(hook, [folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH, HOME },
    timeout: HOOK_PATIENCE_MS,
  })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${hook} ended with ${code ?? signal}.`)
}

function requireWholeStore({ damage }: StoreReport): void {
  if (damage.length === 0) return
  const message = `The store is damaged, and no backup was made of it: ${damage[0]}. Keep the older backups, and follow the runbook.`
  throw new AppError('unavailable', message, { reason: 'storage_damaged' })
}

async function requireSpace(shelf: string, storeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(shelf)
  const [free, needed] = [bavail * bsize, 2 * storeBytes + SPARE_BYTES]
  if (free >= needed) return
  const mb = (bytes: number) => Math.ceil(bytes / 1_000_000)
  const message = `There is too little space for a backup in ${shelf}: ${mb(free)} MB are free, ${mb(needed)} MB may be needed. Free some space, or set BACKUP_DIR to another disk.`
  throw new AppError('unavailable', message, { reason: 'storage_full' })
}
