import type { Migration } from './migration.ts'

/** Which process runs a loop that may run once over a store. */
export const leases: Migration = {
  name: '0056-leases',
  sql: `
    CREATE TABLE leases (
      name TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
