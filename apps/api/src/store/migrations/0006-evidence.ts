import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

export const evidence: Migration = {
  name: '0006-evidence',
  sql: `
    CREATE TABLE evidence (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      field TEXT,
      value TEXT,
      observation TEXT,
      source_reference TEXT,
      source_label TEXT,
      captured_at TEXT NOT NULL,
      observed_at TEXT,
      confidence TEXT NOT NULL CHECK (confidence IN ('low', 'medium', 'high')),
      context TEXT,
      url TEXT,
      supersedes_id TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, business_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id, supersedes_id) REFERENCES evidence (tenant_id, business_id, id),
      CHECK (source_reference IS NOT NULL OR source_label IS NOT NULL),
      CHECK ((field IS NULL) = (value IS NULL)),
      CHECK (field IS NOT NULL OR observation IS NOT NULL)
    ) STRICT;
    CREATE UNIQUE INDEX evidence_superseded_once ON evidence (tenant_id, supersedes_id) WHERE supersedes_id IS NOT NULL;
    CREATE INDEX evidence_by_field ON evidence (tenant_id, business_id, field, id) WHERE field IS NOT NULL;
    ${appendOnly('evidence')}
  `,
}
