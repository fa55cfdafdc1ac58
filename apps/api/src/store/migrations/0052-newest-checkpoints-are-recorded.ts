import type { Migration } from './migration.ts'

/**
 * The newest signed checkpoint of each audit chain, recorded beside the chain (decision 0093): a file of checkpoints that ends before it was cut,
 * emptied or removed. `number` and `line_hash` are the place of its line in the chain of checkpoints, which continues from the newest one.
 */
export const newestCheckpointsAreRecorded: Migration = {
  name: '0052-newest-checkpoints-are-recorded',
  sql: `
    CREATE TABLE audit_checkpoints (
      tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      signed_at TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      line_hash TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
