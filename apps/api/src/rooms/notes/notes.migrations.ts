import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

const erasure = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.text IS 'Erased.' AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'sensitive', 'author', 'created_at')}`

export const notesMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-notes',
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
    ${appendOnly('notes', { until: erasure })}
  `,
  },
]
