import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

export const notes: Migration = {
  name: '0007-notes',
  sql: `
    CREATE TABLE notes (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      text TEXT NOT NULL,
      sensitive INTEGER NOT NULL CHECK (sensitive IN (0, 1)),
      author TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;
    CREATE INDEX notes_by_business ON notes (tenant_id, business_id, id);
    ${appendOnly('notes')}
  `,
}
