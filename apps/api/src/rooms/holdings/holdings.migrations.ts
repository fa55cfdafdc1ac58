import { type Migration, unchangedColumns } from '../../store/migration.ts'

const fixed = unchangedColumns('tenant_id', 'id', 'job_id', 'business_id', 'value_kind', 'created_at', 'created_by')

export const holdingMigrations: readonly Migration[] = [
  {
    name: '2026-12-15-holdings',
    sql: `
    -- A collection of everything held about one business or one contact value. The value is emptied with the file. file: JSON of sizes, hashes and counts.
    CREATE TABLE holdings (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      business_id TEXT,
      value_kind TEXT CHECK (value_kind = 'email' OR value_kind = 'phone' OR value_kind = 'domain'),
      value TEXT,
      value_normalized TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      file TEXT CHECK (file IS NULL OR json_valid(file)),
      ended_at TEXT,
      ended_because TEXT CHECK (ended_because = 'failed' OR ended_because = 'expired' OR ended_because = 'erasure'),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      CHECK ((business_id IS NULL) = (value_kind IS NOT NULL)),
      CHECK ((value IS NULL) = (value_normalized IS NULL)),
      CHECK ((ended_at IS NULL) = (ended_because IS NULL)),
      CHECK (ended_at IS NULL OR value IS NULL)
    ) STRICT;
    CREATE INDEX holdings_open ON holdings (tenant_id, id) WHERE ended_at IS NULL;
    CREATE INDEX holdings_by_business ON holdings (tenant_id, business_id, id) WHERE business_id IS NOT NULL;
    CREATE TRIGGER holdings_end_once BEFORE UPDATE ON holdings WHEN OLD.ended_at IS NOT NULL OR NOT (${fixed})
      BEGIN SELECT RAISE(ABORT, 'an ended collection is not changed'); END;
    CREATE TRIGGER holdings_stay_known BEFORE DELETE ON holdings
      BEGIN SELECT RAISE(ABORT, 'a collection stays known'); END;
  `,
  },
]
