import type { Migration } from '../../store/migration.ts'

export const auditMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-audit',
    sql: `
    -- The newest signed checkpoint of each audit chain: it reveals a checkpoint file that was cut, emptied or removed
    -- (docs/decisions/audit-checkpoints.md).
    -- number, line_hash: the position of its line in the chain of checkpoints.
    CREATE TABLE audit_checkpoints (
      tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      signed_at TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      line_hash TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  },
]
