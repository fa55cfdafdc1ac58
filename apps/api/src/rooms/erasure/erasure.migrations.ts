import { appendOnly, type Migration } from '../../store/migration.ts'

export const erasureMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-erasure',
    sql: `
    -- An erased business. root_id: the business that was erased, together with all that had been merged into it.
    -- Append-only tables accept the update that empties a row only for a business that is named here.
    CREATE TABLE erasures (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      root_id TEXT NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, root_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX erasures_by_root ON erasures (tenant_id, root_id);
    CREATE INDEX erasures_by_time ON erasures (tenant_id, at);
    ${appendOnly('erasures')}
  `,
  },
]
