import type { Migration } from '../../store/migration.ts'

export const dashboardMigrations: readonly Migration[] = [
  {
    name: '2026-11-28-dashboard',
    sql: `
    -- tiles: JSON [{ key, isHidden }], in their order
    CREATE TABLE dashboard_arrangements (
      tenant_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      tiles TEXT NOT NULL CHECK (json_valid(tiles)),
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, user_id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;
  `,
  },
]
