import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

/**
 * Merges and their reversal. A merge links the loser to the survivor and moves nothing; what it was before is in a snapshot that is
 * written first and never again. That no chain of merges closes into a ring is refused by the database itself: one merges only into
 * a business that is active, and whatever is merged is not.
 */
export const merges: Migration = {
  name: '0018-merges',
  sql: `
    CREATE INDEX businesses_by_survivor ON businesses (tenant_id, merged_into, id) WHERE merged_into IS NOT NULL;

    CREATE TRIGGER businesses_merge_into_active BEFORE UPDATE OF merged_into ON businesses
      WHEN NEW.merged_into IS NOT NULL AND NEW.merged_into IS NOT OLD.merged_into AND (NEW.merged_into = NEW.id
        OR NOT EXISTS (SELECT 1 FROM businesses s
          WHERE s.tenant_id = NEW.tenant_id AND s.id = NEW.merged_into AND s.status = 'active'))
      BEGIN SELECT RAISE(ABORT, 'a business is merged into another one that is active'); END;

    -- content: both records with all that hangs on them, as they were before the merge
    CREATE TABLE merge_snapshots (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      suggestion_id TEXT NOT NULL,
      survivor_id TEXT NOT NULL,
      loser_id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      content TEXT NOT NULL CHECK (json_valid(content)),
      content_hash TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, suggestion_id) REFERENCES match_suggestions (tenant_id, id),
      FOREIGN KEY (tenant_id, survivor_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, loser_id) REFERENCES businesses (tenant_id, id),
      CHECK (survivor_id <> loser_id)
    ) STRICT;
    CREATE INDEX merge_snapshots_by_suggestion ON merge_snapshots (tenant_id, suggestion_id);
    CREATE INDEX merge_snapshots_by_survivor ON merge_snapshots (tenant_id, survivor_id);
    CREATE INDEX merge_snapshots_by_loser ON merge_snapshots (tenant_id, loser_id);
    ${appendOnly('merge_snapshots')}

    -- choices: the fields that differed, which value stands, and the other one with its evidence; after: the survivor as the merge
    -- left it; read_back: what was read again once it was written
    CREATE TABLE merges (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      suggestion_id TEXT NOT NULL,
      snapshot_id TEXT NOT NULL,
      survivor_id TEXT NOT NULL,
      loser_id TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('merged', 'reversed')),
      merged_at TEXT NOT NULL,
      merged_by TEXT NOT NULL,
      reason TEXT NOT NULL,
      choices TEXT NOT NULL CHECK (json_valid(choices)),
      after TEXT NOT NULL CHECK (json_valid(after)),
      ended_suggestions TEXT NOT NULL CHECK (json_valid(ended_suggestions)),
      read_back TEXT NOT NULL CHECK (json_valid(read_back)),
      reversed_at TEXT,
      reversed_by TEXT,
      reversal_reason TEXT,
      reversal TEXT CHECK (reversal IS NULL OR json_valid(reversal)),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, suggestion_id) REFERENCES match_suggestions (tenant_id, id),
      FOREIGN KEY (tenant_id, snapshot_id) REFERENCES merge_snapshots (tenant_id, id),
      FOREIGN KEY (tenant_id, survivor_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, loser_id) REFERENCES businesses (tenant_id, id),
      CHECK ((status = 'reversed') = (reversed_at IS NOT NULL)),
      CHECK ((reversed_at IS NULL) = (reversed_by IS NULL)),
      CHECK ((reversed_at IS NULL) = (reversal_reason IS NULL)),
      CHECK ((reversed_at IS NULL) = (reversal IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX merges_of_a_loser ON merges (tenant_id, loser_id) WHERE status = 'merged';
    CREATE UNIQUE INDEX merges_by_snapshot ON merges (tenant_id, snapshot_id);
    CREATE INDEX merges_by_suggestion ON merges (tenant_id, suggestion_id);
    CREATE INDEX merges_by_survivor ON merges (tenant_id, survivor_id, id);
    CREATE INDEX merges_by_loser ON merges (tenant_id, loser_id, id);
    CREATE INDEX merges_by_status ON merges (tenant_id, status, id);
    CREATE TRIGGER merges_are_kept BEFORE DELETE ON merges
      BEGIN SELECT RAISE(ABORT, 'merges end by reversal, not by deletion'); END;
    CREATE TRIGGER merges_are_reversed_once BEFORE UPDATE ON merges WHEN OLD.status = 'reversed'
      BEGIN SELECT RAISE(ABORT, 'a reversal stands'); END;
    CREATE TRIGGER merges_keep_what_was_decided
      BEFORE UPDATE OF tenant_id, id, suggestion_id, snapshot_id, survivor_id, loser_id, merged_at, merged_by, reason, choices, after,
        ended_suggestions, read_back ON merges
      BEGIN SELECT RAISE(ABORT, 'what a merge did is history'); END;

    -- Begun before anything is changed, ended with the change or when it was stopped; one that stays begun was cut off by a crash
    CREATE TABLE merge_attempts (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('merge', 'reversal')),
      suggestion_id TEXT NOT NULL,
      merge_id TEXT,
      snapshot_id TEXT,
      survivor_id TEXT NOT NULL,
      loser_id TEXT NOT NULL,
      begun_at TEXT NOT NULL,
      begun_by TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('begun', 'done', 'refused', 'stopped')),
      stage TEXT NOT NULL CHECK (stage IN ('snapshot', 'change', 'done')),
      failure TEXT,
      ended_at TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, suggestion_id) REFERENCES match_suggestions (tenant_id, id),
      FOREIGN KEY (tenant_id, merge_id) REFERENCES merges (tenant_id, id),
      FOREIGN KEY (tenant_id, snapshot_id) REFERENCES merge_snapshots (tenant_id, id),
      FOREIGN KEY (tenant_id, survivor_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, loser_id) REFERENCES businesses (tenant_id, id),
      CHECK ((status = 'begun') = (ended_at IS NULL)),
      CHECK ((status IN ('refused', 'stopped')) = (failure IS NOT NULL)),
      CHECK ((status = 'done') = (stage = 'done'))
    ) STRICT;
    CREATE INDEX merge_attempts_by_suggestion ON merge_attempts (tenant_id, suggestion_id);
    CREATE INDEX merge_attempts_by_merge ON merge_attempts (tenant_id, merge_id) WHERE merge_id IS NOT NULL;
    CREATE INDEX merge_attempts_by_snapshot ON merge_attempts (tenant_id, snapshot_id) WHERE snapshot_id IS NOT NULL;
    CREATE INDEX merge_attempts_by_survivor ON merge_attempts (tenant_id, survivor_id);
    CREATE INDEX merge_attempts_by_loser ON merge_attempts (tenant_id, loser_id);
    CREATE TRIGGER merge_attempts_are_kept BEFORE DELETE ON merge_attempts
      BEGIN SELECT RAISE(ABORT, 'attempts are kept'); END;
    CREATE TRIGGER merge_attempts_end_once BEFORE UPDATE ON merge_attempts WHEN OLD.status <> 'begun'
      BEGIN SELECT RAISE(ABORT, 'an attempt that has ended is history'); END;
  `,
}
