/** What lies in a data folder; the runbook says what each is for. */
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
