import type { Migration } from './migration.ts'

/**
 * Events of jobs that ended long ago may go; jobs, their ends and the ledger of effects stay. What went is written down first, and the
 * database lets go of nothing else: never of the last event of a job, never while an attempt of the lineage is open.
 */
export const jobEventRetention: Migration = {
  name: '0024-job-event-retention',
  sql: `
    CREATE TABLE job_prunings (
      tenant_id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      -- every event up to this one is gone
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

    DROP TRIGGER job_events_loses_no_rows;
    CREATE TRIGGER job_events_loses_no_rows BEFORE DELETE ON job_events
      WHEN NOT EXISTS (SELECT 1 FROM job_prunings WHERE tenant_id = OLD.tenant_id AND job_id = OLD.job_id
                       AND through_sequence >= OLD.sequence)
      BEGIN SELECT RAISE(ABORT, 'job_events is append-only'); END;

    CREATE INDEX jobs_ended ON jobs (tenant_id, ended_at, id) WHERE ended_at IS NOT NULL;
  `,
}
