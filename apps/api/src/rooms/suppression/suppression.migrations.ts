import type { Migration } from '../../store/migration.ts'

export const suppressionMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-suppression',
    sql: `
    -- The rules by which all records and entries of a tenant were evaluated last. A tenant with records and without a row needs it.
    CREATE TABLE suppression_rules (
      tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
      rules_version TEXT NOT NULL,
      evaluated_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  },
]
