import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

/**
 * Jobs, what happened to each, and which of their effects are done. An attempt is a row of its own; the attempts of one request are a
 * lineage, named by its first. That a job ends once is held by a trigger, that an effect happens once by a key.
 */
export const jobs: Migration = {
  name: '0012-jobs',
  sql: `
    CREATE TABLE jobs (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      lineage_id TEXT NOT NULL,
      attempt INTEGER NOT NULL CHECK (attempt > 0),
      retry_of TEXT,
      kind TEXT NOT NULL,
      input_json TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      idempotency_key TEXT,
      actor TEXT NOT NULL,
      correlation_id TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
      -- the lease: who works at it, and the how manieth claim that is; both guard every write of a worker
      owner TEXT,
      claim INTEGER NOT NULL CHECK (claim >= 0),
      reclaims INTEGER NOT NULL CHECK (reclaims >= 0),
      cancel_requested_at TEXT,
      cancel_requested_by TEXT,
      progress_done INTEGER,
      progress_total INTEGER,
      progress_unit TEXT,
      checkpoint_json TEXT,
      result_json TEXT,
      error_code TEXT,
      error_message TEXT,
      last_sequence INTEGER NOT NULL CHECK (last_sequence >= 0),
      created_at TEXT NOT NULL,
      started_at TEXT,
      ended_at TEXT,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, lineage_id, attempt),
      FOREIGN KEY (tenant_id, lineage_id) REFERENCES jobs (tenant_id, id),
      FOREIGN KEY (tenant_id, retry_of) REFERENCES jobs (tenant_id, id),
      CHECK ((attempt = 1) = (lineage_id = id)),
      CHECK ((attempt = 1) = (retry_of IS NULL)),
      CHECK ((status = 'running') = (owner IS NOT NULL)),
      CHECK ((status IN ('succeeded', 'failed', 'cancelled')) = (ended_at IS NOT NULL)),
      CHECK ((status = 'failed') = (error_code IS NOT NULL)),
      CHECK ((error_code IS NULL) = (error_message IS NULL)),
      CHECK ((cancel_requested_at IS NULL) = (cancel_requested_by IS NULL)),
      CHECK ((progress_done IS NULL) = (progress_unit IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX jobs_by_idempotency_key ON jobs (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
    CREATE INDEX jobs_queued ON jobs (tenant_id, id) WHERE status = 'queued';
    CREATE INDEX jobs_running ON jobs (owner) WHERE status = 'running';
    CREATE INDEX jobs_by_kind ON jobs (tenant_id, kind, id);
    CREATE INDEX jobs_by_kind_and_status ON jobs (tenant_id, kind, status, id);

    CREATE TRIGGER jobs_end_once BEFORE UPDATE ON jobs WHEN OLD.ended_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a job that has ended stays as it ended'); END;
    CREATE TRIGGER jobs_lose_no_rows BEFORE DELETE ON jobs
      BEGIN SELECT RAISE(ABORT, 'a job is never deleted'); END;

    CREATE TABLE job_events (
      tenant_id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      type TEXT NOT NULL CHECK (type IN ('created', 'started', 'progress', 'checkpoint', 'cancel_requested', 'handed_back', 'reclaimed',
                                         'succeeded', 'failed', 'cancelled')),
      at TEXT NOT NULL,
      data_json TEXT NOT NULL,
      PRIMARY KEY (tenant_id, job_id, sequence),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('job_events')}

    CREATE TABLE job_effects (
      tenant_id TEXT NOT NULL,
      lineage_id TEXT NOT NULL,
      step TEXT NOT NULL,
      job_id TEXT NOT NULL,
      result_json TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, lineage_id, step),
      FOREIGN KEY (tenant_id, lineage_id) REFERENCES jobs (tenant_id, id),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('job_effects')}

    -- a row for each process that works; its beat moves while it lives, and whoever watches needs no clock but their own
    CREATE TABLE job_workers (
      id TEXT PRIMARY KEY,
      beat INTEGER NOT NULL,
      started_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
