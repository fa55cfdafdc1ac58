import { join } from 'node:path'

/*
 * The names of all files and folders of a data folder. The runbook describes the purpose of each.
 */
export const STORE_FILE = 'prospect.sqlite'
export const CHECKPOINT_FILE = 'audit-checkpoints.jsonl'
/** Held alone by the process that signs checkpoints: the API while it runs, a command for a moment. */
export const CHECKPOINT_LOCK_FILE = 'audit-checkpoints.lock'
/** Held together by whoever has the store open, alone by a migration and a restore. */
export const STORE_LOCK_FILE = 'store.lock'
/** Copies of the store from before a migration that rewrites a table. */
export const BEFORE_MIGRATIONS_FOLDER = 'before-migrations'
/** Files that exports wrote, for a day; in no backup, and gone after a restore. */
export const EXPORTS_FOLDER = 'exports'
/** The secrets of the store, a file each. */
export const KEYS_FOLDER = 'keys'
/** Held by a backup while it is made. */
export const BACKUP_LOCK_FILE = 'backup.lock'
/** Uploads while they are read; each process has a folder of its own in it, named `<process id>.<random>`. */
export const UPLOADS_FOLDER = join('tmp', 'csv-previews')
/** A job worker holds the file of its name while its process lives. */
export const JOB_WORKERS_FOLDER = join('tmp', 'job-workers')
/** A process holds the file of its name while it holds a lease. */
export const LEASE_HOLDERS_FOLDER = join('tmp', 'lease-holders')
