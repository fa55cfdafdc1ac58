import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

export const matching: Migration = {
  name: '0017-matching',
  sql: `
    -- What matching looks a business up by, derived from it; facts: a number for what it stood on, so that what did not change is passed by
    CREATE TABLE match_records (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      name_key INTEGER NOT NULL,
      building_key INTEGER,
      number_key INTEGER,
      digits_key INTEGER,
      facts INTEGER NOT NULL,
      normalization_version TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX match_records_by_name ON match_records (tenant_id, name_key);
    CREATE INDEX match_records_by_building ON match_records (tenant_id, building_key) WHERE building_key IS NOT NULL;
    CREATE INDEX match_records_by_number ON match_records (tenant_id, number_key) WHERE number_key IS NOT NULL;
    CREATE INDEX match_records_by_digits ON match_records (tenant_id, digits_key) WHERE digits_key IS NOT NULL;

    -- How far matching has followed the audit of a tenant
    CREATE TABLE match_positions (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      PRIMARY KEY (tenant_id)
    ) STRICT, WITHOUT ROWID;

    -- How often the common words of names stood in the tenant when scores were computed
    CREATE TABLE match_snapshots (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      records INTEGER NOT NULL CHECK (records >= 0),
      words TEXT NOT NULL CHECK (json_valid(words)),
      content_hash TEXT NOT NULL,
      normalization_version TEXT NOT NULL,
      algorithm_version TEXT NOT NULL,
      suffix_list_version TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('match_snapshots')}

    -- Not WITHOUT ROWID: SQLite would rather walk the tenant by its primary key than look a pair up.
    -- business_a before business_b: a pair has one row that is open. evidence: what was found, in codes that docs/matching.md names;
    -- canonical: both records as they were compared. facts: what both stood on, by which a rejected pair is known again.
    CREATE TABLE match_suggestions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_a TEXT NOT NULL,
      business_b TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('open', 'rejected', 'merged', 'superseded')),
      score REAL NOT NULL CHECK (score >= 0.75 AND score <= 1),
      evidence TEXT NOT NULL CHECK (json_valid(evidence)),
      canonical TEXT NOT NULL CHECK (json_valid(canonical)),
      facts TEXT NOT NULL,
      normalization_version TEXT NOT NULL,
      algorithm_version TEXT NOT NULL,
      snapshot_id TEXT NOT NULL,
      renews TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      decided_at TEXT,
      decided_by TEXT,
      decision_reason TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_a) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, business_b) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, snapshot_id) REFERENCES match_snapshots (tenant_id, id),
      FOREIGN KEY (tenant_id, renews) REFERENCES match_suggestions (tenant_id, id),
      CHECK (business_a < business_b),
      CHECK ((status IN ('rejected', 'merged')) = (decided_at IS NOT NULL)),
      CHECK ((decided_at IS NULL) = (decided_by IS NULL)),
      CHECK (status <> 'rejected' OR decision_reason IS NOT NULL)
    ) STRICT;
    CREATE UNIQUE INDEX match_suggestions_open ON match_suggestions (tenant_id, business_a, business_b) WHERE status = 'open';
    CREATE INDEX match_suggestions_by_pair ON match_suggestions (tenant_id, business_a, business_b, id);
    CREATE INDEX match_suggestions_by_first ON match_suggestions (tenant_id, business_a, status, score, id);
    CREATE INDEX match_suggestions_by_second ON match_suggestions (tenant_id, business_b, status, score, id);
    CREATE INDEX match_suggestions_by_score ON match_suggestions (tenant_id, status, score, id);
    CREATE INDEX match_suggestions_by_snapshot ON match_suggestions (tenant_id, snapshot_id);
    CREATE INDEX match_suggestions_renewing ON match_suggestions (tenant_id, renews) WHERE renews IS NOT NULL;

    CREATE TRIGGER match_suggestions_are_kept BEFORE DELETE ON match_suggestions
      BEGIN SELECT RAISE(ABORT, 'suggestions end by a state, not by deletion'); END;
    CREATE TRIGGER match_decisions_stand BEFORE UPDATE ON match_suggestions WHEN OLD.status = 'rejected'
      BEGIN SELECT RAISE(ABORT, 'a rejection stands'); END;
  `,
}
