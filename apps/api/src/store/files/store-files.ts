import { join } from 'node:path'

/* The names of all files and folders of a data folder. The runbook describes the purpose of each. */
export const STORE_FILE = 'prospect.sqlite'
export const CHECKPOINT_FILE = 'audit-checkpoints.jsonl'
/** Lock file of the process that signs checkpoints: the API while it runs, or a command for a short time. */
export const CHECKPOINT_LOCK_FILE = 'audit-checkpoints.lock'
/** Lock file of the store. Every process with the store open has a shared lock; a migration and a restore take an exclusive lock. */
export const STORE_LOCK_FILE = 'store.lock'
/** Folder of copies of the store, each made before a migration that rewrites a table. */
export const BEFORE_MIGRATIONS_FOLDER = 'before-migrations'
/** Folder of export files, which are stored for a day. Backups exclude them, and a restore deletes them. */
export const EXPORTS_FOLDER = 'exports'
/** Folder of the files of open registry rounds. Backups exclude them, and a restore deletes them. */
export const REGISTRY_FOLDER = 'registry'
/** Folder of the files of everything held, which are stored for a day. Backups exclude them, and a restore deletes them. */
export const HOLDINGS_FOLDER = 'holdings'
/** Folder of the secrets of the store, one file each. */
export const KEYS_FOLDER = 'keys'
/** Lock file of a running backup. */
export const BACKUP_LOCK_FILE = 'backup.lock'
/** Folder of uploads that are being read. Each process has its own subfolder, named `<process id>.<random>`. */
export const UPLOADS_FOLDER = join('tmp', 'csv-previews')
/** Folder of lock files of job workers. A worker's process locks the file with the worker's name while it lives. */
export const JOB_WORKERS_FOLDER = join('tmp', 'job-workers')
/** Folder of lock files of processes that have a lease. A process locks the file with its name while it lives. */
export const LEASE_HOLDERS_FOLDER = join('tmp', 'lease-holders')
