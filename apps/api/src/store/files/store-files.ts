import { join } from 'node:path'

/* The names of all files and folders of a data folder. The runbook describes the purpose of each. */
export const STORE_FILE = 'prospect.sqlite'
export const CHECKPOINT_FILE = 'audit-checkpoints.jsonl'
/** Locked by the process that signs checkpoints: the API while it runs, or a command for a short time. */
export const CHECKPOINT_LOCK_FILE = 'audit-checkpoints.lock'
/** Shared lock of every process with the store open; exclusive lock of a migration and a restore. */
export const STORE_LOCK_FILE = 'store.lock'
/** Copies of the store from before a migration that rewrites a table. */
export const BEFORE_MIGRATIONS_FOLDER = 'before-migrations'
/** Export files, stored for a day. Backups exclude them, and a restore deletes them. */
export const EXPORTS_FOLDER = 'exports'
/** The secrets of the store, one file each. */
export const KEYS_FOLDER = 'keys'
/** Locked by a running backup. */
export const BACKUP_LOCK_FILE = 'backup.lock'
/** Uploads while they are read. Each process has its own folder, named `<process id>.<random>`. */
export const UPLOADS_FOLDER = join('tmp', 'csv-previews')
/** A job worker locks the file with its name while its process lives. */
export const JOB_WORKERS_FOLDER = join('tmp', 'job-workers')
/** A process locks the file with its name while it has a lease. */
export const LEASE_HOLDERS_FOLDER = join('tmp', 'lease-holders')
