import type { Clock } from '../../lib/clock.ts'
import { findNewestBackup } from './backup-shelf.ts'
import { findLastCopy, type LastCopy } from './last-copy.ts'

const HOUR_MS = 3_600_000
/** Ages at which a backup is late or overdue. Backups are daily: one late backup is a warning, two are critical. */
const LATE_AFTER_MS = 26 * HOUR_MS
const OVERDUE_AFTER_MS = 50 * HOUR_MS

export const backupWarnings = ['no_backup', 'backup_late', 'only_on_host', 'copy_late'] as const
export type BackupWarning = (typeof backupWarnings)[number]

/** The newest backup on this host and the newest off it, without any check of their files. */
export type BackupAges = {
  newest: { id: string; takenAt: string } | null
  offHost: LastCopy | null
  warnings: BackupWarning[]
}

export function readBackupAges(shelf: string, clock: Clock): BackupAges {
  const manifest = findNewestBackup(shelf)?.manifest
  const newest = manifest === undefined ? null : { id: manifest.id, takenAt: manifest.takenAt }
  const offHost = findLastCopy(shelf) ?? null
  const warnings = [
    newest === null ? ('no_backup' as const) : isLate(newest, clock) && ('backup_late' as const),
    offHost === null ? ('only_on_host' as const) : isLate(offHost, clock) && ('copy_late' as const),
  ].filter((warning) => warning !== false)
  return { newest, offHost, warnings }
}

/** Returns whether a backup of this age is a warning or critical for monitoring. */
export function standingOfAge(ageMs: number): 'ok' | 'warning' | 'critical' {
  return ageMs > OVERDUE_AFTER_MS ? 'critical' : ageMs > LATE_AFTER_MS ? 'warning' : 'ok'
}

function isLate({ takenAt }: { takenAt: string }, clock: Clock): boolean {
  return standingOfAge(clock().getTime() - Date.parse(takenAt)) !== 'ok'
}
