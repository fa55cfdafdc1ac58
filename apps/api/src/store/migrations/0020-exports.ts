import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

export const exportsOfTenants: Migration = {
  name: '0020-exports',
  sql: `
    -- what was asked, written once; suppressed: what becomes of records that are do not contact
    CREATE TABLE exports (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('prospects', 'report')),
      report_id TEXT,
      format TEXT NOT NULL CHECK (format IN ('csv', 'jsonl')),
      suppressed TEXT NOT NULL CHECK (suppressed IN ('leave_out', 'mark')),
      filter_json TEXT NOT NULL CHECK (json_valid(filter_json)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id),
      FOREIGN KEY (tenant_id, report_id) REFERENCES reports (tenant_id, id),
      CHECK ((source = 'report') = (report_id IS NOT NULL))
    ) STRICT;
    CREATE INDEX exports_by_job ON exports (tenant_id, job_id);
    CREATE INDEX exports_by_report ON exports (tenant_id, report_id) WHERE report_id IS NOT NULL;
    ${appendOnly('exports')}

    -- the file that an export wrote, while it is kept and afterwards; what it held is told by its counts and its hash alone
    CREATE TABLE export_files (
      tenant_id TEXT NOT NULL,
      export_id TEXT NOT NULL,
      rows INTEGER NOT NULL CHECK (rows >= 0),
      left_out INTEGER NOT NULL CHECK (left_out >= 0),
      marked INTEGER NOT NULL CHECK (marked >= 0),
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      sha256 TEXT NOT NULL,
      begun_at TEXT NOT NULL,
      written_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      removed_at TEXT,
      removed_because TEXT CHECK (removed_because IN ('expired', 'replaced', 'erasure', 'missing')),
      PRIMARY KEY (tenant_id, export_id),
      FOREIGN KEY (tenant_id, export_id) REFERENCES exports (tenant_id, id),
      CHECK ((removed_at IS NULL) = (removed_because IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX export_files_kept ON export_files (tenant_id, export_id) WHERE removed_at IS NULL;
    CREATE TRIGGER export_files_stay_known BEFORE DELETE ON export_files
      BEGIN SELECT RAISE(ABORT, 'what was exported stays known'); END;
    CREATE TRIGGER export_files_are_removed_once BEFORE UPDATE ON export_files WHEN OLD.removed_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a removed file is history'); END;
    CREATE TRIGGER export_files_keep_what_was_written
      BEFORE UPDATE OF tenant_id, export_id, rows, left_out, marked, bytes, sha256, begun_at, written_at, expires_at ON export_files
      BEGIN SELECT RAISE(ABORT, 'what was exported is not edited'); END;
  `,
}
