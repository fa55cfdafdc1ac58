import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

const erasure = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.reason IS NULL
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'decision', 'reason_code', 'checked_fields', 'until', 'method')}
        AND ${unchangedColumns('bulk_id', 'undoes', 'fingerprint', 'business_version', 'created_at', 'created_by')}`

const cell = (row: 'OLD' | 'NEW') => `${row}.tenant_id, ${row}.state, ${row}.is_due, ${row}.do_not_contact`
const countIn = `
        INSERT INTO review_counts (tenant_id, state, is_due, do_not_contact, count) SELECT ${cell('NEW')}, 1 WHERE NEW.is_active = 1
          ON CONFLICT DO UPDATE SET count = count + 1;`
const countOut = `
        UPDATE review_counts SET count = count - 1 WHERE OLD.is_active = 1
          AND (tenant_id, state, is_due, do_not_contact) = (${cell('OLD')});`
const orderScores = `
        UPDATE scores SET reviewed = 1 - NEW.is_due WHERE tenant = (SELECT t.number FROM tenants t WHERE t.id = NEW.tenant_id)
          AND generation IN (SELECT g.number FROM score_generations g WHERE g.tenant_id = NEW.tenant_id AND g.state = 'ready')
          AND business_id = NEW.business_id AND reviewed <> 1 - NEW.is_due;
        INSERT INTO score_changes (tenant_id, business_id) SELECT NEW.tenant_id, NEW.business_id
          WHERE EXISTS (SELECT 1 FROM score_generations g WHERE g.tenant_id = NEW.tenant_id AND g.state = 'building');`

export const reviewMigrations: readonly Migration[] = [
  {
    name: '2026-11-27-reviews',
    sql: `
    -- checked_fields: the facts that the reviewer found right. fingerprint: of what the reviewer saw.
    CREATE TABLE reviews (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      decision TEXT NOT NULL CHECK (decision = 'verify' OR decision = 'reject' OR decision = 'defer' OR decision = 'reopen'),
      reason_code TEXT CHECK (reason_code = 'not_a_business' OR reason_code = 'duplicate' OR reason_code = 'out_of_scope'
        OR reason_code = 'closed' OR reason_code = 'cannot_verify' OR reason_code = 'other'),
      reason TEXT,
      checked_fields TEXT NOT NULL CHECK (json_valid(checked_fields)),
      until TEXT,
      method TEXT NOT NULL CHECK (method IN ('single', 'bulk')),
      bulk_id TEXT,
      undoes TEXT,
      fingerprint TEXT NOT NULL,
      business_version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, undoes) REFERENCES reviews (tenant_id, id),
      CHECK ((decision = 'reject') = (reason_code IS NOT NULL)),
      CHECK ((decision = 'defer') = (until IS NOT NULL)),
      CHECK ((method = 'bulk') = (bulk_id IS NOT NULL))
    ) STRICT;
    CREATE INDEX reviews_by_business ON reviews (tenant_id, business_id, id);
    ${appendOnly('reviews', { until: erasure })}

    -- The current review of a record. A record without a row is unreviewed, so a create costs nothing more. due_from: when it becomes due by itself.
    -- is_active, do_not_contact: as in the record, for the counts.
    CREATE TABLE review_states (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state = 'unreviewed' OR state = 'verified' OR state = 'rejected' OR state = 'outdated' OR state = 'deferred'),
      is_due INTEGER NOT NULL CHECK (is_due IN (0, 1)),
      due_from TEXT,
      review_id TEXT NOT NULL,
      facts_hash TEXT NOT NULL,
      decided_at TEXT NOT NULL,
      is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
      do_not_contact INTEGER NOT NULL CHECK (do_not_contact IN (0, 1)),
      PRIMARY KEY (tenant_id, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, review_id) REFERENCES reviews (tenant_id, id),
      CHECK (state <> 'unreviewed' AND state <> 'outdated' OR is_due = 1)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX review_states_by_state ON review_states (tenant_id, state, business_id);
    CREATE INDEX review_states_by_due ON review_states (due_from, tenant_id, business_id) WHERE is_due = 0 AND due_from IS NOT NULL;

    CREATE TABLE review_counts (
      tenant_id TEXT NOT NULL,
      state TEXT NOT NULL,
      is_due INTEGER NOT NULL,
      do_not_contact INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant_id, state, is_due, do_not_contact)
    ) STRICT, WITHOUT ROWID;

    -- Counts, and the place of a record in the order of scores, are derived rows: triggers keep them with every change, and none can forget them.
    -- Scores that a run is still writing follow after it, by score_changes.
    CREATE TRIGGER review_states_counted_on_insert AFTER INSERT ON review_states
      BEGIN ${countIn} ${orderScores} END;
    CREATE TRIGGER review_states_counted_on_update AFTER UPDATE OF state, is_due, is_active, do_not_contact ON review_states
      BEGIN ${countOut} ${countIn} END;
    CREATE TRIGGER review_states_reordered_on_update AFTER UPDATE OF is_due ON review_states WHEN OLD.is_due <> NEW.is_due
      BEGIN ${orderScores} END;
    CREATE TRIGGER review_states_stay BEFORE DELETE ON review_states
      BEGIN SELECT RAISE(ABORT, 'a record that was reviewed keeps its state'); END;
    CREATE TRIGGER review_states_follow_businesses AFTER UPDATE OF do_not_contact, status ON businesses
      WHEN OLD.do_not_contact <> NEW.do_not_contact OR OLD.status <> NEW.status
      BEGIN
        UPDATE review_states SET do_not_contact = NEW.do_not_contact, is_active = iif(NEW.status = 'active', 1, 0)
          WHERE tenant_id = NEW.tenant_id AND business_id = NEW.id;
      END;

    -- How many decisions a day, for the dashboard: derived, like the counts
    CREATE TABLE review_days (
      tenant_id TEXT NOT NULL,
      day TEXT NOT NULL,
      decision TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (tenant_id, day, decision)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER reviews_counted_by_day AFTER INSERT ON reviews
      BEGIN
        INSERT INTO review_days (tenant_id, day, decision, count) VALUES (NEW.tenant_id, substr(NEW.created_at, 1, 10), NEW.decision, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;

    CREATE TABLE review_claims (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      until TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;

    -- How far the states have followed the audit; a row since the first review of the tenant
    CREATE TABLE review_positions (
      tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
      sequence INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- is_applied: whether the states have the due dates of this term
    CREATE TABLE review_settings (
      tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
      version INTEGER NOT NULL CHECK (version > 0),
      term_days INTEGER CHECK (term_days BETWEEN 30 AND 730),
      is_applied INTEGER NOT NULL CHECK (is_applied IN (0, 1)),
      updated_at TEXT NOT NULL,
      updated_by TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    name: '2026-11-27-saved-filters',
    sql: `
    -- conditions: JSON of the filter grammar of schema_version. sort: null for that of the desk.
    CREATE TABLE saved_filters (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      desk TEXT NOT NULL CHECK (desk IN ('prospects', 'review')),
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      conditions TEXT NOT NULL CHECK (json_valid(conditions)),
      sort TEXT,
      view TEXT,
      columns TEXT CHECK (json_valid(columns)),
      schema_version INTEGER NOT NULL CHECK (schema_version > 0),
      owner_id TEXT NOT NULL,
      sharing TEXT NOT NULL CHECK (sharing IN ('private', 'tenant')),
      is_locked INTEGER NOT NULL CHECK (is_locked IN (0, 1)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, owner_id, name_key),
      FOREIGN KEY (tenant_id, owner_id) REFERENCES memberships (tenant_id, user_id),
      CHECK (is_locked = 0 OR sharing = 'tenant')
    ) STRICT;
    CREATE INDEX saved_filters_shared ON saved_filters (tenant_id, name_key, id) WHERE sharing = 'tenant';

    -- user_id: empty for the defaults of the tenant
    CREATE TABLE saved_filter_defaults (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      user_id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      prospects TEXT,
      review TEXT,
      PRIMARY KEY (tenant_id, user_id),
      FOREIGN KEY (tenant_id, prospects) REFERENCES saved_filters (tenant_id, id),
      FOREIGN KEY (tenant_id, review) REFERENCES saved_filters (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    name: '2026-11-27-bulk-reviews',
    sql: `
    -- records: JSON [[id, stamp, prediction], …], the frozen selection in its order. predicate: null where the records were named.
    -- params, predicate: an erasure takes the tag, and the search, that no record holds any more.
    CREATE TABLE bulk_previews (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      action TEXT NOT NULL CHECK (action = 'verify' OR action = 'reject' OR action = 'assign' OR action = 'add_tag' OR action = 'remove_tag'),
      params TEXT NOT NULL CHECK (json_valid(params)),
      undoes TEXT,
      predicate TEXT CHECK (json_valid(predicate)),
      excluded INTEGER NOT NULL,
      size INTEGER NOT NULL CHECK (size BETWEEN 0 AND 10000),
      as_of TEXT NOT NULL,
      would_change INTEGER NOT NULL,
      unchanged INTEGER NOT NULL,
      refused TEXT NOT NULL CHECK (json_valid(refused)),
      records TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, undoes) REFERENCES bulk_reviews (tenant_id, id)
    ) STRICT;
    CREATE INDEX bulk_previews_by_end ON bulk_previews (tenant_id, expires_at);
    CREATE TRIGGER bulk_previews_are_frozen
      BEFORE UPDATE OF tenant_id, id, action, undoes, excluded, size, as_of, would_change, unchanged, refused, records, fingerprint, created_at, created_by, expires_at
      ON bulk_previews
      BEGIN SELECT RAISE(ABORT, 'a selection stays what was frozen'); END;

    CREATE TABLE bulk_reviews (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      preview_id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      correlation_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      ended_at TEXT,
      digest TEXT,
      read_back TEXT CHECK (json_valid(read_back)),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, preview_id),
      FOREIGN KEY (tenant_id, preview_id) REFERENCES bulk_previews (tenant_id, id),
      CHECK ((ended_at IS NULL) = (digest IS NULL) AND (ended_at IS NULL) = (read_back IS NULL))
    ) STRICT;
    CREATE TRIGGER bulk_reviews_stay BEFORE DELETE ON bulk_reviews
      BEGIN SELECT RAISE(ABORT, 'bulks stay'); END;
    CREATE TRIGGER bulk_reviews_end_once BEFORE UPDATE ON bulk_reviews WHEN OLD.ended_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a bulk ends once'); END;

    -- No foreign key to the business: an id that names nothing has an outcome too.
    CREATE TABLE bulk_outcomes (
      tenant_id TEXT NOT NULL,
      bulk_id TEXT NOT NULL,
      place INTEGER NOT NULL,
      business_id TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome = 'changed' OR outcome = 'unchanged' OR outcome = 'refused'),
      code TEXT,
      before TEXT CHECK (json_valid(before)),
      after TEXT CHECK (json_valid(after)),
      audit_event_id TEXT,
      PRIMARY KEY (tenant_id, bulk_id, place),
      UNIQUE (tenant_id, bulk_id, business_id),
      FOREIGN KEY (tenant_id, bulk_id) REFERENCES bulk_reviews (tenant_id, id),
      CHECK ((outcome = 'refused') = (code IS NOT NULL)),
      CHECK ((outcome = 'changed') = (audit_event_id IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('bulk_outcomes')}
  `,
  },
  {
    // The maximum depends on how the records were selected. Earlier previews all stated this one.
    name: '2026-11-29-review-maximum-of-selections',
    sql: `ALTER TABLE bulk_previews ADD COLUMN max_size INTEGER NOT NULL DEFAULT 10000 CHECK (max_size >= size);`,
  },
  {
    name: '2026-11-30-bulk-previews-by-person',
    sql: `
    -- Counts the open previews of a person without reading their rows, which contain the selections.
    CREATE INDEX bulk_previews_by_person ON bulk_previews (tenant_id, created_by, expires_at);
  `,
  },
  {
    // The dashboard counts decisions by their audit events, because a day of the workspace is not a day of UTC.
    name: '2026-12-06-review-days-are-removed',
    rewrites: true,
    sql: `
    DROP TRIGGER reviews_counted_by_day;
    DROP TABLE review_days;
  `,
  },
]
