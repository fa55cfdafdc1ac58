import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

const erasure = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.field IS NULL AND NEW.value IS NULL AND NEW.observation IS 'Erased.' AND NEW.source_reference IS NULL
        AND NEW.source_label IS 'Erased.' AND NEW.context IS NULL AND NEW.url IS NULL
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'captured_at', 'captured_on', 'observed_at', 'observed_on')}
        AND ${unchangedColumns('confidence', 'supersedes_id', 'created_at', 'created_by')}`

export const evidenceMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-evidence',
    sql: `
    -- captured_on, observed_on: the day, if the hour is unknown; the time beside it is then the start of that day
    -- (docs/decisions/days-without-a-time.md).
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
      captured_on TEXT,
      observed_at TEXT,
      observed_on TEXT,
      confidence TEXT NOT NULL CHECK (confidence = 'low' OR confidence = 'medium' OR confidence = 'high'),
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
    ${appendOnly('evidence', { until: erasure })}
  `,
  },
  {
    name: '2026-11-29-evidence-source-labels',
    sql: `
    CREATE INDEX evidence_by_source_label ON evidence (tenant_id, lower(source_label)) WHERE source_label IS NOT NULL;
  `,
  },
  {
    name: '2026-12-05-evidence-by-source-label',
    sql: `
    -- With the business, so that the index alone has the records of a source.
    DROP INDEX evidence_by_source_label;
    CREATE INDEX evidence_by_source_label ON evidence (tenant_id, lower(source_label), business_id) WHERE source_label IS NOT NULL;
  `,
  },
]
