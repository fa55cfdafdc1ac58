import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

export const reports: Migration = {
  name: '0016-reports',
  sql: `
    -- what was asked, written once; its result is a row of its own, written once by the job
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
    ${appendOnly('reports')}

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
}
