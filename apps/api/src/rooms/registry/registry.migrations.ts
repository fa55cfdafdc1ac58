import { type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

export const registryMigrations: readonly Migration[] = [
  {
    name: '2026-12-14-registry',
    sql: `
    -- A round: the contact values that were compared with the registry, once. The file, the result, its confirmation and the outcome are JSON of counts,
    -- hashes and times, without any contact value.
    CREATE TABLE registry_rounds (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['preparing', 'awaiting_result', 'confirming', 'closed', 'cancelled'])}),
      kinds TEXT NOT NULL CHECK (json_valid(kinds)),
      form TEXT NOT NULL CHECK (form IN ('plain', 'sha256')),
      states TEXT NOT NULL CHECK (json_valid(states)),
      columns TEXT NOT NULL CHECK (json_valid(columns)),
      salt TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      -- The time and the place in the audit at which the first value was read. Records with a larger id than begun_id were added later.
      begun_at TEXT,
      begun_sequence INTEGER,
      begun_id TEXT,
      file TEXT CHECK (file IS NULL OR json_valid(file)),
      result TEXT CHECK (result IS NULL OR json_valid(result)),
      result_by TEXT,
      confirmation TEXT CHECK (confirmation IS NULL OR json_valid(confirmation)),
      confirmed_by TEXT,
      outcome TEXT CHECK (outcome IS NULL OR json_valid(outcome)),
      registration TEXT CHECK (registration IS NULL OR json_valid(registration)),
      closed_at TEXT,
      closed_event TEXT,
      cancelled_at TEXT,
      cancelled_because TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id),
      CHECK ((form = 'sha256') = (salt IS NOT NULL)),
      CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
      CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL))
    ) STRICT;
    CREATE UNIQUE INDEX registry_rounds_open ON registry_rounds (tenant_id) WHERE closed_at IS NULL AND cancelled_at IS NULL;
    CREATE INDEX registry_rounds_closed ON registry_rounds (tenant_id, id) WHERE closed_at IS NOT NULL;
    CREATE TRIGGER registry_rounds_end_once BEFORE UPDATE ON registry_rounds
      WHEN OLD.closed_at IS NOT NULL OR OLD.cancelled_at IS NOT NULL
        OR NOT (${unchangedColumns('tenant_id', 'id', 'job_id', 'kinds', 'form', 'states', 'columns', 'salt', 'created_at', 'created_by')})
      BEGIN SELECT RAISE(ABORT, 'an ended registry round is not changed'); END;
    CREATE TRIGGER registry_rounds_stay_known BEFORE DELETE ON registry_rounds
      BEGIN SELECT RAISE(ABORT, 'a registry round stays known'); END;

    -- The registration of the organisation with the registry, one row for each workspace that has entered it.
    CREATE TABLE registry_registrations (
      tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
      version INTEGER NOT NULL CHECK (version > 0),
      number TEXT,
      valid_until TEXT,
      updated_at TEXT NOT NULL,
      updated_by TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  },
]
