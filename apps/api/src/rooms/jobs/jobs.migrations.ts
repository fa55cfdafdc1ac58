import { appendOnly, type Migration } from '../../store/migration.ts'

export const jobsMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-jobs',
    sql: `
    -- An attempt is a row of its own; the attempts of one request are a lineage, named by its first.
    -- owner, claim: the lease, its worker and the number of the claim. Both guard every write of a worker.
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
      status TEXT NOT NULL CHECK (status = 'queued' OR status = 'running' OR status = 'succeeded' OR status = 'failed'
        OR status = 'cancelled'),
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
      CHECK ((status = 'succeeded' OR status = 'failed' OR status = 'cancelled') = (ended_at IS NOT NULL)),
      CHECK ((status = 'failed') = (error_code IS NOT NULL)),
      CHECK ((error_code IS NULL) = (error_message IS NULL)),
      CHECK ((cancel_requested_at IS NULL) = (cancel_requested_by IS NULL)),
      CHECK ((progress_done IS NULL) = (progress_unit IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX jobs_by_idempotency_key ON jobs (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
    CREATE INDEX jobs_queued ON jobs (tenant_id, id) WHERE status = 'queued';
    CREATE INDEX jobs_running ON jobs (owner) WHERE status = 'running';
    CREATE INDEX jobs_ended ON jobs (tenant_id, ended_at, id) WHERE ended_at IS NOT NULL;
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
      type TEXT NOT NULL CHECK (type = 'created' OR type = 'started' OR type = 'progress' OR type = 'checkpoint'
        OR type = 'cancel_requested' OR type = 'handed_back' OR type = 'reclaimed'
        OR type = 'succeeded' OR type = 'failed' OR type = 'cancelled'),
      at TEXT NOT NULL,
      data_json TEXT NOT NULL,
      PRIMARY KEY (tenant_id, job_id, sequence),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    -- An event is deleted only if a pruning covers it.
    CREATE TRIGGER job_events_keeps_rows BEFORE UPDATE ON job_events
      BEGIN SELECT RAISE(ABORT, 'job_events is append-only'); END;
    CREATE TRIGGER job_events_loses_no_rows BEFORE DELETE ON job_events
      WHEN NOT EXISTS (SELECT 1 FROM job_prunings WHERE tenant_id = OLD.tenant_id AND job_id = OLD.job_id
                       AND through_sequence >= OLD.sequence)
      BEGIN SELECT RAISE(ABORT, 'job_events is append-only'); END;

    -- Events of a job up to through_sequence are deleted. Never the last one, and never while an attempt of the lineage is open.
    CREATE TABLE job_prunings (
      tenant_id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      through_sequence INTEGER NOT NULL CHECK (through_sequence > 0),
      at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, job_id, through_sequence),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER job_prunings_keep_rows BEFORE UPDATE ON job_prunings
      BEGIN SELECT RAISE(ABORT, 'job_prunings is append-only'); END;
    CREATE TRIGGER job_prunings_lose_no_rows BEFORE DELETE ON job_prunings
      BEGIN SELECT RAISE(ABORT, 'job_prunings is append-only'); END;
    CREATE TRIGGER job_prunings_of_what_ended BEFORE INSERT ON job_prunings
      WHEN NOT EXISTS (SELECT 1 FROM jobs WHERE tenant_id = NEW.tenant_id AND id = NEW.job_id
                       AND ended_at IS NOT NULL AND NEW.through_sequence < last_sequence)
        OR EXISTS (SELECT 1 FROM jobs AS job JOIN jobs AS attempt
                   ON attempt.tenant_id = job.tenant_id AND attempt.lineage_id = job.lineage_id
                   WHERE job.tenant_id = NEW.tenant_id AND job.id = NEW.job_id AND attempt.ended_at IS NULL)
      BEGIN SELECT RAISE(ABORT, 'only what happened before the end of a lineage that is over can go'); END;

    -- An effect runs once per lineage and step.
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

    -- One row per worker process. Its beat moves while the process lives; observers need no clock but their own.
    CREATE TABLE job_workers (
      id TEXT PRIMARY KEY,
      beat INTEGER NOT NULL,
      started_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    // The failed jobs of a person, which the dashboard counts for them.
    name: '2026-12-09-jobs-failed-by-actor',
    sql: `CREATE INDEX jobs_failed_by_actor ON jobs (tenant_id, actor, ended_at) WHERE status = 'failed';`,
  },
  {
    // The access token with which a program requested the job, for the audit events of its work.
    name: '2026-12-22-jobs-token',
    sql: 'ALTER TABLE jobs ADD COLUMN token_id TEXT;',
  },
]
