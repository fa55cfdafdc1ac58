/** Public module of the backup room: encrypted backups of the store, restores, and restore drills. */
export { newIdentity, requireIdentities, requireRecipients } from './age-keys.ts'
export { type BackupAges, backupWarnings, readBackupAges, standingOfAge } from './backup-ages.ts'
export {
  findNewestBackup,
  listBackups,
  readManifest,
  readManifestFile,
  requireFileSizes,
  requireSignature,
} from './backup-shelf.ts'
export { findLastCopy, recordCopy } from './last-copy.ts'
export { type BackupResult, type BackupSettings, isOnDiskOfStore, makeBackup } from './make-backup.ts'
export { checkSealed, openInScratch } from './open-backup.ts'
export { type RestoreResult, restore } from './restore.ts'
export { LAST_DRILL_FILE, restoreDrill } from './restore-drill.ts'
export { KEEP_DAYS_DEFAULT, KEEP_MONTHS_DEFAULT } from './retention.rules.ts'
