/** The front door of what an operator does to the service itself. */

export {
  type AcceptanceCheck,
  type AcceptanceGate,
  type AcceptanceReport,
  acceptanceReportFile,
  type Figures,
} from './acceptance-report.ts'
export { newIdentity, requireIdentities, requireRecipients } from './backup/age-keys.ts'
export { listBackups } from './backup/backup-shelf.ts'
export { type BackupResult, type BackupSettings, makeBackup } from './backup/make-backup.ts'
export { checkSealed, openInScratch } from './backup/open-backup.ts'
export { type RestoreResult, restore } from './backup/restore.ts'
export { restoreDrill } from './backup/restore-drill.ts'
export { KEEP_DAYS_DEFAULT, KEEP_MONTHS_DEFAULT } from './backup/retention.rules.ts'
export { createMetrics, serveMetrics } from './metrics.ts'
export { type Finding, probe, type Standing, standings, worstOf } from './probe.ts'
export { fillWithSampleData, SAMPLE_BUSINESSES_DEFAULT, SAMPLE_BUSINESSES_MAX } from './sample-data.ts'
