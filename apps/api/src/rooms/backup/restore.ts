import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { openConnection } from '../../store/engine/connection.ts'
import { rowsOf } from '../../store/engine/dialect.ts'
import { kyselyOver } from '../../store/engine/kysely-over.ts'
import { findKeys, openKeys } from '../../store/files/keys.ts'
import { replaceStore } from '../../store/files/replace-store.ts'
import { EXPORTS_FOLDER, HOLDINGS_FOLDER, REGISTRY_FOLDER, STORE_FILE } from '../../store/files/store-files.ts'
import { type Swap, swapStore } from '../../store/files/swap-store.ts'
import type { Migration } from '../../store/migration.ts'
import { readManifest } from './backup-shelf.ts'
import type { Manifest } from './manifest.ts'
import { type OnOpening, openBackup, requireKeysOf } from './open-backup.ts'
import { type StagedStore, stageBackup } from './stage-backup.ts'

/** Free disk space that must remain in addition to the opened store. */
const SPARE_BYTES = 64 * 1024 * 1024
/**
 * Audit actions that people must repeat before they work with a restored store: requests of prospects, and withdrawn access. Otherwise a leaked
 * password that was changed, or recovery codes that were replaced, would be valid again.
 */
const doneAgainFirst = [
  'business.block',
  'business.erase',
  'mfa.remove',
  'mfa.renew_recovery_codes',
  'mfa.reset',
  'password.change',
  'person.block',
  'person.erase',
  'suppression.add',
  'suppression.keep_tombstone',
  'suppression.request_again',
  'user.change_role',
  'user.disable',
  'user.remove',
  'user.reset_password',
]

/**
 * Audit actions that need no repetition if the replaced store could be read, because its blocks and suppression entries are copied into the restored
 * store.
 */
const takenOver = ['business.block', 'suppression.add', 'suppression.keep_tombstone']

export type RestoreOptions = {
  dataDir: string
  folder: string
  identities: readonly string[]
  /** true: restore without the keys that the store needs, and create new ones */
  keysLost: boolean
  migrations: readonly Migration[]
}

/**
 * Result of a restore. `kept`: folder with the files of the replaced store. `lacking`: audit events that the restored store lacks, beginning with
 * those that must be repeated before people work; null if the replaced store cannot be read.
 */
export type RestoreResult = StagedStore & {
  manifest: Manifest
  kept: string | undefined
  lacking: { action: string; events: number; mustBeDoneAgain: boolean }[] | null
}

/**
 * Replaces the current store with that of a backup and keeps the replaced files. The backup is opened, checked, migrated and recorded in the audit in
 * a separate folder; then both stores are exchanged in one step, which is safe against a kill. Do-not-contact state of the replaced store is copied
 * into the restored one. After an error the store is unchanged. Errors: `unavailable` (the API or another process uses the store, or the disk is
 * full), `not_found`, `invalid_request` (wrong identity, tampered, truncated), `conflict` (newer schema, wrong keys).
 */
export async function restore(options: RestoreOptions, clock: Clock, onOpening: OnOpening): Promise<RestoreResult> {
  const { dataDir } = options
  mkdirSync(dataDir, { recursive: true })
  return replaceStore(dataDir, { prefix: '.restoring-', clock }, (swap) =>
    restoreThrough({ ...options, ...swap }, clock, onOpening),
  )
}

async function restoreThrough(
  options: RestoreOptions & Swap,
  clock: Clock,
  onOpening: OnOpening,
): Promise<RestoreResult> {
  const { dataDir, folder, identities, keysLost, migrations, staged, kept } = options
  const target = join(dataDir, staged)
  const promised = readManifest(folder)
  if (!keysLost) requireKeysOf(promised, findKeys(dataDir))
  await requireSpace(dataDir, promised)
  // Without the keys the signature cannot be verified. The checksums still show that the files match the manifest.
  const manifest = await openBackup(
    { folder, target, identities, migrations, keys: keysLost ? undefined : findKeys(dataDir) },
    onOpening,
  )
  const former = join(dataDir, STORE_FILE)
  const readied = await stageBackup(
    { staged: target, manifest, migrations, keys: openKeys(dataDir), keysLost, former },
    clock,
  )
  const lacking = (await lackingSince(former, manifest))?.filter(
    ({ action }) => readied.carried === null || !takenOver.includes(action),
  )
  const hadStore = existsSync(former)
  // Delete the files of exports, registry rounds and everything held, which belong to the replaced store. They were not checked against all suppression entries of the
  // restored store.
  for (const folder of [EXPORTS_FOLDER, HOLDINGS_FOLDER, REGISTRY_FOLDER])
    rmSync(join(dataDir, folder), { recursive: true, force: true })
  swapStore(dataDir, { staged, kept })
  return { ...readied, manifest, lacking: lacking ?? null, kept: hadStore ? join(dataDir, kept) : undefined }
}

/**
 * Returns the audit events of the replaced store that the backup lacks. A damaged store is a common reason for a restore, so an unreadable store is
 * not an error.
 */
async function lackingSince(file: string, { chains }: Manifest): Promise<RestoreResult['lacking']> {
  if (!existsSync(file)) return []
  try {
    const connection = openConnection(file, { readonly: true })
    try {
      const { rows } = await sql<{ action: string; events: number }>`
        SELECT e.action, count(*) AS events FROM audit_events e
          LEFT JOIN ${rowsOf(chains, 'chain', { tenantId: 'text', sequence: 'integer' })} ON e.tenant_id = chain."tenantId"
        WHERE e.sequence > coalesce(chain.sequence, 0) AND e.action NOT LIKE 'session.%'
        GROUP BY e.action ORDER BY events DESC, e.action`.execute(kyselyOver(connection))
      const kinds = rows.map((kind) => ({ ...kind, mustBeDoneAgain: doneAgainFirst.includes(kind.action) }))
      return kinds.sort((a, b) => Number(b.mustBeDoneAgain) - Number(a.mustBeDoneAgain))
    } finally {
      connection.close()
    }
  } catch {
    return null
  }
}

async function requireSpace(dataDir: string, { files }: Manifest): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  const needed = files.reduce((sum, { plainBytes }) => sum + plainBytes, 0) * 1.1 + SPARE_BYTES
  const free = bavail * bsize
  if (free >= needed) return
  const mb = (bytes: number) => Math.ceil(bytes / 1_000_000)
  const message = `There is too little space to restore in ${dataDir}: ${mb(free)} MB are free, ${mb(needed)} MB are needed. Free some space first.`
  throw new AppError('unavailable', message, { reason: 'storage_full' })
}
