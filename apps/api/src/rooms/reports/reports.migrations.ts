import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

/**
 * Condition of an update that an erasure may make: it removes a tag from the filter that no business has any more, and the name that a person gave
 * the report.
 */
const erasure = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id)
        AND (OLD.filter_json ->> '$.tag' IS NOT NULL AND NEW.filter_json IS json_set(OLD.filter_json, '$.tag', NULL))
        AND ${unchangedColumns('tenant_id', 'id', 'job_id', 'first_day', 'last_day', 'time_zone', 'starts_at', 'ends_at', 'as_of')}
        AND ${unchangedColumns('created_at', 'created_by')} AND NEW.name IS OLD.first_day || ' to ' || OLD.last_day`

export const reportsMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-reports',
    sql: `
    -- The request, written once. Its job writes the result once, as a row of its own.
    CREATE TABLE reports (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      name TEXT NOT NULL,
      first_day TEXT NOT NULL,
      last_day TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      starts_at TEXT NOT NULL,
      ends_at TEXT NOT NULL,
      as_of TEXT NOT NULL,
      filter_json TEXT NOT NULL CHECK (json_valid(filter_json)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id),
      CHECK (first_day <= last_day AND starts_at < ends_at)
    ) STRICT;
    CREATE INDEX reports_with_tag ON reports (tenant_id) WHERE filter_json ->> '$.tag' IS NOT NULL;
    ${appendOnly('reports', { until: erasure })}

    CREATE TABLE report_results (
      tenant_id TEXT NOT NULL,
      report_id TEXT NOT NULL,
      figures_version TEXT NOT NULL,
      figures_json TEXT NOT NULL CHECK (json_valid(figures_json)),
      figures_hash TEXT NOT NULL,
      businesses INTEGER NOT NULL CHECK (businesses >= 0),
      computed_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, report_id),
      FOREIGN KEY (tenant_id, report_id) REFERENCES reports (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('report_results')}
  `,
  },
]
