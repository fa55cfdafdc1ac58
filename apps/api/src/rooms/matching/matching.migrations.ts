import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

const tenantHasErasures = 'EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id)'

const isErased = (...businessIds: string[]) =>
  `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id IN (${businessIds.join(', ')}))`

/** SQL condition: a merge snapshot that meets `condition` contains an erased business. An erasure empties snapshots in its last step. */
const snapshotHoldsErased = (condition: string) =>
  `EXISTS (SELECT 1 FROM merge_snapshots s JOIN erasures e ON e.tenant_id = s.tenant_id
          WHERE s.tenant_id = OLD.tenant_id AND ${condition} AND instr(s.content, e.business_id) > 0)`

/** SQL condition for the only update that a frequency snapshot allows: an erasure removes words of the erased names and changes nothing else. */
const erasureOfWords = `${tenantHasErasures}
        AND ${unchangedColumns('tenant_id', 'id', 'created_at', 'records', 'content_hash')}
        AND ${unchangedColumns('normalization_version', 'algorithm_version', 'suffix_list_version')}
        AND json_type(NEW.words) = 'object'
        AND NOT EXISTS (SELECT key, value FROM json_each(NEW.words) EXCEPT SELECT key, value FROM json_each(OLD.words))`

const erasureOfSnapshot = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND instr(OLD.content, e.business_id) > 0)
        AND NEW.content IS '{}'
        AND ${unchangedColumns('tenant_id', 'id', 'suggestion_id', 'survivor_id', 'loser_id', 'created_at', 'created_by', 'content_hash')}`

const band = (row: 'OLD' | 'NEW') => `iif(${row}.score >= 0.9, 'strong', 'review')`

export const matchingMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-matching',
    sql: `
    -- Derived from a business. facts: a number for the compared values, so that a business whose values did not change is skipped.
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

    -- An index of match_records in the order of keys: four indexes over hashes touched a page each per row, and a run over a million
    -- records wrote gigabytes. Without a foreign key, which would be checked in random order.
    CREATE TABLE match_keys (
      tenant_id TEXT NOT NULL,
      key INTEGER NOT NULL,
      business_id TEXT NOT NULL,
      PRIMARY KEY (tenant_id, key, business_id)
    ) STRICT, WITHOUT ROWID;

    -- The last audit event of a tenant that matching has processed.
    CREATE TABLE match_positions (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      PRIMARY KEY (tenant_id)
    ) STRICT, WITHOUT ROWID;

    -- Frequencies of common words in the tenant's names when scores were computed.
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
    ${appendOnly('match_snapshots', { until: erasureOfWords })}

    -- With rowid: otherwise SQLite walks the tenant by the primary key instead of looking a pair up.
    -- business_a < business_b: a pair has one open row. evidence: codes that docs/matching.md names. canonical: both records as they were
    -- compared. facts: the compared values, by which a rejected pair is recognized.
    CREATE TABLE match_suggestions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_a TEXT NOT NULL,
      business_b TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status = 'open' OR status = 'rejected' OR status = 'merged' OR status = 'superseded'),
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
    CREATE TRIGGER match_decisions_stand BEFORE UPDATE ON match_suggestions
      WHEN OLD.status = 'rejected' AND NOT (${unchangedColumns('status', 'decided_at', 'decided_by', 'score', 'renews')} AND (
        (${isErased('OLD.business_a', 'OLD.business_b')} AND NEW.decision_reason IS 'Erased.' AND NEW.facts IS '')
        OR (${snapshotHoldsErased('s.survivor_id IN (OLD.business_a, OLD.business_b)')}
          AND ${unchangedColumns('decision_reason', 'facts')} AND NEW.evidence IS '[]')))
      BEGIN SELECT RAISE(ABORT, 'a rejection stands'); END;

    -- Counting hundreds of thousands takes too long. New suggestions are counted by one statement per change: beside a trigger SQLite
    -- copies each page per row (docs/decisions/counts-are-kept-by-triggers.md). Changes of one suggestion are counted by a trigger,
    -- because several functions write them.
    CREATE TABLE match_suggestion_counts (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      status TEXT NOT NULL CHECK (status = 'open' OR status = 'rejected' OR status = 'merged' OR status = 'superseded'),
      band TEXT NOT NULL CHECK (band IN ('strong', 'review')),
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant_id, status, band)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER match_suggestions_counted_on_change AFTER UPDATE OF status, score ON match_suggestions
      WHEN OLD.status <> NEW.status OR ${band('OLD')} <> ${band('NEW')}
      BEGIN
        UPDATE match_suggestion_counts SET count = count - 1
        WHERE tenant_id = OLD.tenant_id AND status = OLD.status AND band = ${band('OLD')};
        INSERT INTO match_suggestion_counts (tenant_id, status, band, count)
        VALUES (NEW.tenant_id, NEW.status, ${band('NEW')}, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
      END;

    -- content: both records with everything that belongs to them, as they were before the merge.
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
    ${appendOnly('merge_snapshots', { until: erasureOfSnapshot })}

    -- choices: fields that differed, the chosen value, and the other one with its evidence. after: the survivor as the merge left it.
    -- read_back: counts that were read again after the write.
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
    CREATE TRIGGER merges_are_reversed_once BEFORE UPDATE ON merges
      WHEN OLD.status = 'reversed' AND NOT (${unchangedColumns('status', 'reversed_at', 'reversed_by', 'reversal')} AND (
        (${isErased('OLD.survivor_id', 'OLD.loser_id')} AND NEW.reversal_reason IS 'Erased.')
        OR (${snapshotHoldsErased('s.id = OLD.snapshot_id')} AND ${unchangedColumns('reversal_reason')})))
      BEGIN SELECT RAISE(ABORT, 'a reversal stands'); END;
    CREATE TRIGGER merges_keep_what_was_decided
      BEFORE UPDATE OF tenant_id, id, suggestion_id, snapshot_id, survivor_id, loser_id, merged_at, merged_by, reason, choices, after,
        ended_suggestions, read_back ON merges
      WHEN NOT (NEW.choices IS '[]' AND NEW.after IS '{}'
        AND ${unchangedColumns('tenant_id', 'id', 'suggestion_id', 'snapshot_id', 'survivor_id', 'loser_id', 'merged_at', 'merged_by')}
        AND ${unchangedColumns('ended_suggestions', 'read_back')} AND (
        (${isErased('OLD.survivor_id', 'OLD.loser_id')} AND NEW.reason IS 'Erased.')
        OR (${snapshotHoldsErased('s.id = OLD.snapshot_id')} AND ${unchangedColumns('reason')})))
      BEGIN SELECT RAISE(ABORT, 'what a merge did is history'); END;

    -- Inserted before anything changes, and ended with the change or when it was stopped. A crash leaves the status begun.
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
      status TEXT NOT NULL CHECK (status = 'begun' OR status = 'done' OR status = 'refused' OR status = 'stopped'),
      stage TEXT NOT NULL CHECK (stage = 'snapshot' OR stage = 'change' OR stage = 'done'),
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
    CREATE INDEX merge_attempts_begun ON merge_attempts (begun_at) WHERE status = 'begun';
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
  },
]
