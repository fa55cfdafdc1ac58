import { appendOnly, type Migration, oneOf } from '../../store/migration.ts'

/**
 * SQL condition: the scores of the row's generation are active or reserved for an activation. Triggers maintain order, deadlines and counts only
 * then, not while a generation is being filled.
 */
const isReady = (row: 'OLD' | 'NEW') =>
  `EXISTS (SELECT 1 FROM score_generations g WHERE g.number = ${row}.generation AND g.state = 'ready')`

const takeOut = `
        DELETE FROM score_order WHERE tenant = OLD.tenant AND generation = OLD.generation AND reviewed = OLD.reviewed
          AND eligibility = OLD.eligibility AND rank = iif(OLD.low < 0, 101, 100 - OLD.low) AND tie_rank = -OLD.tie AND business_id = OLD.business_id;
        DELETE FROM score_due WHERE tenant = OLD.tenant AND generation = OLD.generation AND holds_until = OLD.holds_until AND business_id = OLD.business_id;
        UPDATE score_counts SET count = count - 1 WHERE tenant = OLD.tenant AND generation = OLD.generation AND eligibility = OLD.eligibility
          AND priority = OLD.priority AND reachable = OLD.reachable AND low = OLD.low;`

const putIn = `
        INSERT INTO score_order (tenant, generation, reviewed, eligibility, rank, tie_rank, business_id, priority, reachable)
          VALUES (NEW.tenant, NEW.generation, NEW.reviewed, NEW.eligibility, iif(NEW.low < 0, 101, 100 - NEW.low), -NEW.tie, NEW.business_id, NEW.priority, NEW.reachable);
        INSERT INTO score_due (tenant, generation, holds_until, business_id)
          SELECT NEW.tenant, NEW.generation, NEW.holds_until, NEW.business_id WHERE NEW.holds_until IS NOT NULL;
        INSERT INTO score_counts (tenant, generation, eligibility, priority, reachable, low, count)
          VALUES (NEW.tenant, NEW.generation, NEW.eligibility, NEW.priority, NEW.reachable, NEW.low, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;`

const readyOf = `(SELECT g.number FROM score_generations g WHERE g.tenant_id = NEW.tenant_id AND g.state = 'ready')`
const scoreOf = `tenant = (SELECT t.number FROM tenants t WHERE t.id = NEW.tenant_id) AND generation IN ${readyOf} AND business_id = NEW.id`

/**
 * Scores are derived rows of some hundred bytes per record and generation, so their keys contain the tenant's number instead of its id.
 * `score-codes.ts` explains the codes of `scores`, `score_order` and `score_counts`. Times are milliseconds.
 */
export const scoringMigrations: readonly Migration[] = [
  {
    name: '2026-11-26-scoring',
    sql: `
    CREATE TABLE scoring_rule_sets (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      name TEXT NOT NULL,
      description TEXT,
      owner_id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, owner_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT;
    CREATE TRIGGER scoring_rule_sets_are_never_deleted BEFORE DELETE ON scoring_rule_sets
      BEGIN SELECT RAISE(ABORT, 'rule sets stay for the scores that name them'); END;

    -- number: the version of the rule set; version: for optimistic concurrency
    CREATE TABLE scoring_versions (
      tenant_id TEXT NOT NULL,
      rule_set_id TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      version INTEGER NOT NULL CHECK (version > 0),
      state TEXT NOT NULL CHECK ${oneOf('state', ['draft', 'submitted', 'approved', 'rejected', 'retired'])},
      based_on INTEGER,
      template TEXT,
      content TEXT NOT NULL CHECK (json_valid(content)),
      content_hash TEXT NOT NULL,
      rollback_plan TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      submitted_at TEXT,
      submitted_by TEXT,
      preview_id TEXT,
      decided_at TEXT,
      decided_by TEXT,
      decision_reason TEXT,
      retired_at TEXT,
      retired_by TEXT,
      retirement_reason TEXT,
      PRIMARY KEY (tenant_id, rule_set_id, number),
      FOREIGN KEY (tenant_id, rule_set_id) REFERENCES scoring_rule_sets (tenant_id, id),
      FOREIGN KEY (tenant_id, rule_set_id, based_on) REFERENCES scoring_versions (tenant_id, rule_set_id, number),
      CHECK ((state = 'draft') = (submitted_at IS NULL)),
      CHECK ((submitted_at IS NULL) = (submitted_by IS NULL)),
      CHECK (submitted_at IS NULL OR rollback_plan IS NOT NULL),
      CHECK ((state IN ('draft', 'submitted')) = (decided_at IS NULL)),
      CHECK ((decided_at IS NULL) = (decided_by IS NULL) AND (decided_at IS NULL) = (decision_reason IS NULL)),
      CHECK ((state = 'retired') = (retired_at IS NOT NULL)),
      CHECK ((retired_at IS NULL) = (retired_by IS NULL) AND (retired_at IS NULL) = (retirement_reason IS NULL))
    ) STRICT;
    CREATE TRIGGER scoring_versions_are_never_deleted BEFORE DELETE ON scoring_versions
      BEGIN SELECT RAISE(ABORT, 'versions stay for the scores that name them'); END;
    CREATE TRIGGER scoring_versions_are_frozen BEFORE UPDATE ON scoring_versions
      WHEN OLD.state <> 'draft' AND (NEW.content IS NOT OLD.content OR NEW.content_hash IS NOT OLD.content_hash
        OR NEW.rollback_plan IS NOT OLD.rollback_plan OR NEW.based_on IS NOT OLD.based_on OR NEW.template IS NOT OLD.template)
      BEGIN SELECT RAISE(ABORT, 'the content of a version is frozen from its submission on'); END;
    CREATE TRIGGER scoring_versions_move_forward BEFORE UPDATE OF state ON scoring_versions
      WHEN NEW.state <> OLD.state AND OLD.state || ' ' || NEW.state NOT IN
        ('draft submitted', 'submitted draft', 'submitted rejected', 'submitted approved', 'approved retired')
      BEGIN SELECT RAISE(ABORT, 'a version does not take this step'); END;
    CREATE TRIGGER scoring_versions_keep_their_names BEFORE UPDATE OF tenant_id, rule_set_id, number ON scoring_versions
      BEGIN SELECT RAISE(ABORT, 'a version keeps its number'); END;

    -- Everybody who edited the content: none of them approves it
    CREATE TABLE scoring_editors (
      tenant_id TEXT NOT NULL,
      rule_set_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      user_id TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, rule_set_id, number, user_id),
      FOREIGN KEY (tenant_id, rule_set_id, number) REFERENCES scoring_versions (tenant_id, rule_set_id, number)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('scoring_editors')}

    -- result: null until the job has ended; against: what was compared, null for no scores at all
    CREATE TABLE scoring_previews (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      rule_set_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      content_hash TEXT NOT NULL,
      against TEXT CHECK (json_valid(against)),
      job_id TEXT NOT NULL,
      algorithm_version TEXT,
      result TEXT CHECK (json_valid(result)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      completed_at TEXT,
      expires_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, rule_set_id, number) REFERENCES scoring_versions (tenant_id, rule_set_id, number),
      CHECK ((result IS NULL) = (completed_at IS NULL))
    ) STRICT;
    CREATE INDEX scoring_previews_by_version ON scoring_previews (tenant_id, rule_set_id, number, id);
    CREATE INDEX scoring_previews_by_end ON scoring_previews (expires_at);

    CREATE TABLE scoring_preview_moves (
      tenant_id TEXT NOT NULL,
      preview_id TEXT NOT NULL,
      matrix TEXT NOT NULL CHECK (matrix IN ('priority', 'eligibility')),
      from_cell TEXT NOT NULL,
      to_cell TEXT NOT NULL,
      place INTEGER NOT NULL,
      business_id TEXT NOT NULL,
      from_low INTEGER,
      from_high INTEGER,
      to_low INTEGER,
      to_high INTEGER,
      PRIMARY KEY (tenant_id, preview_id, matrix, from_cell, to_cell, place),
      FOREIGN KEY (tenant_id, preview_id) REFERENCES scoring_previews (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;

    -- status: as the run itself wrote it; that of its job says whether it was cancelled or failed
    CREATE TABLE scoring_runs (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      rule_set_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      content_hash TEXT NOT NULL,
      job_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      activate TEXT NOT NULL CHECK (activate IN ('when_complete', 'by_hand')),
      active_when_created TEXT,
      status TEXT NOT NULL CHECK ${oneOf('status', ['queued', 'running', 'complete', 'partial', 'stopped'])},
      generation INTEGER,
      algorithm_version TEXT,
      cutoff_sequence INTEGER,
      cutoff_at TEXT,
      started_at TEXT,
      ended_at TEXT,
      counts TEXT CHECK (json_valid(counts)),
      digest TEXT,
      read_back TEXT CHECK (json_valid(read_back)),
      stopped_because TEXT,
      activated_at TEXT,
      superseded_at TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, rule_set_id, number) REFERENCES scoring_versions (tenant_id, rule_set_id, number),
      CHECK ((status = 'stopped') = (stopped_because IS NOT NULL)),
      CHECK (status NOT IN ('complete', 'partial') OR (digest IS NOT NULL AND counts IS NOT NULL AND read_back IS NOT NULL AND generation IS NOT NULL))
    ) STRICT;
    CREATE INDEX scoring_runs_by_job ON scoring_runs (tenant_id, job_id);
    CREATE TRIGGER scoring_runs_are_never_deleted BEFORE DELETE ON scoring_runs
      BEGIN SELECT RAISE(ABORT, 'runs stay'); END;
    CREATE TRIGGER scoring_runs_end_once BEFORE UPDATE ON scoring_runs
      WHEN OLD.status IN ('complete', 'partial', 'stopped') AND (NEW.status <> OLD.status OR NEW.digest IS NOT OLD.digest
        OR NEW.counts IS NOT OLD.counts OR NEW.generation IS NOT OLD.generation)
      BEGIN SELECT RAISE(ABORT, 'a run ends once'); END;

    CREATE TABLE scoring_failures (
      tenant_id TEXT NOT NULL,
      run_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (tenant_id, run_id, business_id),
      FOREIGN KEY (tenant_id, run_id) REFERENCES scoring_runs (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE scoring_activations (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      run_id TEXT NOT NULL,
      replaced_run_id TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, run_id) REFERENCES scoring_runs (tenant_id, id),
      FOREIGN KEY (tenant_id, replaced_run_id) REFERENCES scoring_runs (tenant_id, id)
    ) STRICT;
    ${appendOnly('scoring_activations')}

    -- The one row that decides which scores a tenant sees
    CREATE TABLE scoring_active (
      tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
      run_id TEXT NOT NULL,
      generation INTEGER NOT NULL REFERENCES score_generations (number),
      previous_run_id TEXT,
      FOREIGN KEY (tenant_id, run_id) REFERENCES scoring_runs (tenant_id, id),
      FOREIGN KEY (tenant_id, previous_run_id) REFERENCES scoring_runs (tenant_id, id)
    ) STRICT, WITHOUT ROWID;

    -- The rows of one attempt of a run. A number is never used twice, so a lost attempt cannot write into a later one.
    -- sequence, change_number: how far the scores have followed the audit and score_changes. compared_with: the run that moves start from.
    -- paused: this build evaluates otherwise, so that changed records wait for a recalculation.
    CREATE TABLE score_generations (
      number INTEGER PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      run_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK ${oneOf('state', ['building', 'ready', 'removing', 'removed'])},
      rule_set_id TEXT NOT NULL,
      rule_version INTEGER NOT NULL,
      algorithm_version TEXT NOT NULL,
      bands TEXT NOT NULL CHECK (json_valid(bands)),
      sequence INTEGER NOT NULL,
      change_number INTEGER NOT NULL,
      paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
      compared_with TEXT,
      FOREIGN KEY (tenant_id, run_id) REFERENCES scoring_runs (tenant_id, id)
    ) STRICT;
    CREATE INDEX score_generations_by_state ON score_generations (tenant_id, state);
    CREATE TRIGGER score_generations_are_never_deleted BEFORE DELETE ON score_generations
      BEGIN SELECT RAISE(ABORT, 'the number of a generation is used once'); END;

    CREATE TABLE scores (
      tenant INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      business_id TEXT NOT NULL,
      eligibility INTEGER NOT NULL CHECK (eligibility BETWEEN 0 AND 4),
      low INTEGER NOT NULL CHECK (low BETWEEN -1 AND 100),
      high INTEGER NOT NULL CHECK (high BETWEEN low AND 100),
      priority INTEGER NOT NULL CHECK (priority BETWEEN -2 AND 5),
      reachable INTEGER NOT NULL CHECK (reachable BETWEEN -2 AND 5),
      completeness INTEGER NOT NULL CHECK (completeness BETWEEN 0 AND 100),
      tie INTEGER NOT NULL,
      reviewed INTEGER NOT NULL CHECK (reviewed IN (0, 1)),
      scored_at INTEGER NOT NULL,
      holds_until INTEGER,
      PRIMARY KEY (tenant, generation, business_id),
      CHECK ((eligibility < 3) = (low >= 0) AND (low < 0) = (priority = -2) AND (low < 0) = (reachable = -2) AND (low < 0) = (high < 0))
    ) STRICT, WITHOUT ROWID;

    -- The order of lists: best first. reviewed: 0 until the review room fills it.
    CREATE TABLE score_order (
      tenant INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      reviewed INTEGER NOT NULL,
      eligibility INTEGER NOT NULL,
      rank INTEGER NOT NULL,
      tie_rank INTEGER NOT NULL,
      business_id TEXT NOT NULL,
      priority INTEGER NOT NULL,
      reachable INTEGER NOT NULL,
      PRIMARY KEY (tenant, generation, reviewed, eligibility, rank, tie_rank, business_id)
    ) STRICT, WITHOUT ROWID;

    -- When a score may change by time alone
    CREATE TABLE score_due (
      tenant INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      holds_until INTEGER NOT NULL,
      business_id TEXT NOT NULL,
      PRIMARY KEY (tenant, generation, holds_until, business_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE score_counts (
      tenant INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      eligibility INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      reachable INTEGER NOT NULL,
      low INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant, generation, eligibility, priority, reachable, low)
    ) STRICT, WITHOUT ROWID;

    -- Order, deadlines and counts are derived rows: triggers keep them with every change of a score that is served. A run fills them itself,
    -- in their own order, which is faster than row by row.
    CREATE TRIGGER scores_reordered_on_change AFTER UPDATE ON scores WHEN ${isReady('OLD')}
      BEGIN ${takeOut} ${putIn} END;
    CREATE TRIGGER scores_taken_out_on_removal AFTER DELETE ON scores WHEN ${isReady('OLD')}
      BEGIN ${takeOut} END;

    -- Records whose inputs changed without an audit event that names them; scores follow these numbers as they follow the audit
    CREATE TABLE score_changes (
      number INTEGER PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL
    ) STRICT;
    CREATE INDEX score_changes_by_tenant ON score_changes (tenant_id, number);
    CREATE INDEX score_changes_by_business ON score_changes (tenant_id, business_id, number);

    -- Do not contact removes score and band in the same transaction, from all scores that are served or kept; a record that ends loses its row.
    -- Only derived rows are written.
    CREATE TRIGGER scores_follow_businesses AFTER UPDATE OF do_not_contact, status ON businesses
      WHEN (OLD.do_not_contact <> NEW.do_not_contact OR OLD.status <> NEW.status)
        AND EXISTS (SELECT 1 FROM score_generations g WHERE g.tenant_id = NEW.tenant_id AND g.state IN ('building', 'ready'))
      BEGIN
        INSERT INTO score_changes (tenant_id, business_id) VALUES (NEW.tenant_id, NEW.id);
        UPDATE scores SET eligibility = 3, low = -1, high = -1, priority = -2, reachable = -2, completeness = 0, tie = 0, holds_until = NULL
          WHERE NEW.do_not_contact = 1 AND ${scoreOf};
        DELETE FROM scores WHERE NEW.status <> 'active' AND ${scoreOf};
      END;
    -- Suggestions that are new are named by the audit of matching; the end of one concerns both records.
    CREATE TRIGGER scores_follow_suggestions AFTER UPDATE OF status, score ON match_suggestions
      WHEN (OLD.score >= 0.9 OR NEW.score >= 0.9) AND (OLD.status <> NEW.status OR (OLD.score >= 0.9) <> (NEW.score >= 0.9))
        AND EXISTS (SELECT 1 FROM score_generations g WHERE g.tenant_id = NEW.tenant_id AND g.state IN ('building', 'ready'))
      BEGIN
        INSERT INTO score_changes (tenant_id, business_id) VALUES (NEW.tenant_id, NEW.business_a), (NEW.tenant_id, NEW.business_b);
      END;

    -- Every change of priority or eligibility while a version was active
    CREATE TABLE score_history (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      id TEXT NOT NULL,
      at TEXT NOT NULL,
      run_id TEXT NOT NULL,
      cause TEXT NOT NULL CHECK (cause IN ('record_changed', 'time_passed')),
      from_eligibility INTEGER NOT NULL,
      to_eligibility INTEGER NOT NULL,
      from_priority TEXT,
      to_priority TEXT,
      from_low INTEGER NOT NULL,
      to_low INTEGER NOT NULL,
      PRIMARY KEY (tenant_id, business_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, run_id) REFERENCES scoring_runs (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('score_history')}

    -- What a run would change against the scores that were active when it ended; history once it was activated
    CREATE TABLE score_moves (
      tenant INTEGER NOT NULL,
      generation INTEGER NOT NULL REFERENCES score_generations (number),
      business_id TEXT NOT NULL,
      from_eligibility INTEGER NOT NULL,
      to_eligibility INTEGER NOT NULL,
      from_priority TEXT,
      to_priority TEXT,
      from_low INTEGER NOT NULL,
      to_low INTEGER NOT NULL,
      PRIMARY KEY (tenant, generation, business_id)
    ) STRICT, WITHOUT ROWID;
  `,
  },
]
