import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { findKeys, keysFingerprint, openKeys } from '../../store/files/keys.ts'
import type { Migration } from '../../store/migration.ts'
import { checkSealed, type OnOpening, openBackup } from './open-backup.ts'
import { stageBackup } from './stage-backup.ts'

export const LAST_DRILL_FILE = 'last-drill.json'

export type DrillResult = {
  backup: string
  takenAt: string
  at: string
  /** shows if this data folder has the keys that the store needs */
  keys: 'those of the store' | 'not here'
  tenants: number
  verifiedEvents: number
  brokenChains: number
  plainBytes: number
  seconds: { reading: number; openingAndChecking: number; makingReady: number; total: number }
  mbPerSecond: number
}

/**
 * Restores a backup into a scratch folder, up to a store that could replace the current one. Measures the times, and deletes the folder. The current
 * store is not changed. Records the result in the backup folder for the probe. Errors: those of `restore`.
 */
export async function restoreDrill(
  options: {
    dataDir: string
    shelf: string
    folder: string
    identities: readonly string[]
    migrations: readonly Migration[]
    scratch: string
  },
  clock: Clock,
  onOpening: OnOpening,
): Promise<DrillResult> {
  const { dataDir, shelf, folder, identities, migrations } = options
  mkdirSync(options.scratch, { recursive: true })
  const scratch = mkdtempSync(join(options.scratch, 'prospect-drill-'))
  try {
    const own = findKeys(dataDir)
    const began = performance.now()
    const { keysFingerprint: needed } = await checkSealed(folder, own, onOpening)
    const read = performance.now()
    const staged = join(scratch, 'store')
    const manifest = await openBackup({ folder, target: staged, identities, migrations, keys: own }, onOpening)
    const opened = performance.now()
    const isOwn = own !== undefined && keysFingerprint(own) === needed
    const keys = isOwn ? own : openKeys(scratch)
    const { tenants, verifiedEvents, broken } = await stageBackup(
      { staged, manifest, migrations, keys, keysLost: !isOwn },
      clock,
    )
    const ready = performance.now()
    const plainBytes = manifest.files.reduce((sum, file) => sum + file.plainBytes, 0)
    const seconds = (from: number, to: number) => Math.round(to - from) / 1_000
    const result: DrillResult = {
      backup: manifest.id,
      takenAt: manifest.takenAt,
      at: clock().toISOString(),
      keys: isOwn ? 'those of the store' : 'not here',
      tenants,
      verifiedEvents,
      brokenChains: broken.length,
      plainBytes,
      seconds: {
        reading: seconds(began, read),
        openingAndChecking: seconds(read, opened),
        makingReady: seconds(opened, ready),
        total: seconds(began, ready),
      },
      mbPerSecond: Math.round(plainBytes / 100 / (ready - began)) / 10,
    }
    noteDrill(shelf, result)
    return result
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function noteDrill(shelf: string, result: DrillResult): void {
  mkdirSync(shelf, { recursive: true, mode: 0o700 })
  const file = join(shelf, LAST_DRILL_FILE)
  writeFileSync(`${file}.draft`, `${JSON.stringify(result, null, 2)}\n`)
  renameSync(`${file}.draft`, file)
}
