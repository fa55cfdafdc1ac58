import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

/**
 * The suppression centre. What must never happen is refused by the database itself, so that no path of the code, none of a room
 * that is not built yet and no repair by hand can do it: an entry does not go, a match does not go while its entry stands, and a
 * business does not lose its mark while a match stands. A match marks its business, and a merge carries both to the survivor, by
 * triggers, for the same reason.
 */
export const suppression: Migration = {
  name: '0014-suppression',
  sql: `
    -- original and normalized: null for a tombstone, of which only the hashed keys are left
    CREATE TABLE suppressions (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('email', 'phone', 'domain')),
      scope TEXT NOT NULL CHECK (scope IN ('exact', 'with_subdomains')),
      original TEXT,
      normalized TEXT,
      region TEXT,
      rules_version TEXT NOT NULL,
      reason TEXT NOT NULL,
      requested_by TEXT,
      channel TEXT NOT NULL CHECK (channel IN ('email', 'phone', 'letter', 'in_person', 'website', 'registry', 'internal', 'other')),
      reference TEXT,
      requested_at TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      tombstone INTEGER NOT NULL CHECK (tombstone IN (0, 1)),
      status TEXT NOT NULL CHECK (status IN ('active', 'removed')),
      ended_at TEXT,
      ended_by TEXT,
      ended_reason TEXT,
      PRIMARY KEY (tenant_id, id),
      CHECK ((tombstone = 1) = (original IS NULL)),
      CHECK ((original IS NULL) = (normalized IS NULL)),
      CHECK (scope = 'exact' OR kind = 'domain'),
      CHECK ((status = 'active') = (ended_at IS NULL)),
      CHECK ((ended_at IS NULL) = (ended_by IS NULL) AND (ended_at IS NULL) = (ended_reason IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX suppressions_by_status ON suppressions (tenant_id, status, id);
    CREATE INDEX suppressions_by_kind ON suppressions (tenant_id, kind, id);
    CREATE INDEX suppressions_by_status_and_kind ON suppressions (tenant_id, status, kind, id);
    CREATE INDEX suppressions_by_rules ON suppressions (tenant_id, rules_version, id) WHERE status = 'active' AND tombstone = 0;
    CREATE INDEX suppressions_tombstones ON suppressions (tenant_id) WHERE tombstone = 1;

    CREATE TRIGGER suppressions_are_never_deleted BEFORE DELETE ON suppressions
      BEGIN SELECT RAISE(ABORT, 'suppressions end by removal, not by deletion'); END;
    CREATE TRIGGER suppressions_end_once BEFORE UPDATE ON suppressions WHEN OLD.status <> 'active'
      BEGIN SELECT RAISE(ABORT, 'a suppression that has ended is history'); END;
    CREATE TRIGGER suppressions_keep_what_they_block
      BEFORE UPDATE OF tenant_id, id, kind, scope, original, normalized, region, created_at, created_by, tombstone ON suppressions
      BEGIN SELECT RAISE(ABORT, 'what a suppression blocks is not edited'); END;

    -- The keys by which an entry is found. Kept when the entry ends, so that it can still be looked up.
    CREATE TABLE suppression_keys (
      tenant_id TEXT NOT NULL,
      key TEXT NOT NULL,
      suppression_id TEXT NOT NULL,
      live INTEGER NOT NULL CHECK (live IN (0, 1)),
      PRIMARY KEY (tenant_id, key, suppression_id),
      FOREIGN KEY (tenant_id, suppression_id) REFERENCES suppressions (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX suppression_keys_by_entry ON suppression_keys (tenant_id, suppression_id);
    CREATE TRIGGER suppression_keys_are_never_deleted BEFORE DELETE ON suppression_keys
      BEGIN SELECT RAISE(ABORT, 'the keys of a suppression stay'); END;
    CREATE TRIGGER suppression_keys_end_with_their_entry BEFORE UPDATE ON suppression_keys
      WHEN NEW.live = 0 AND EXISTS (SELECT 1 FROM suppressions s
        WHERE s.tenant_id = OLD.tenant_id AND s.id = OLD.suppression_id AND s.status = 'active')
      BEGIN SELECT RAISE(ABORT, 'the keys of a suppression that stands stay live'); END;

    CREATE TABLE suppression_history (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      suppression_id TEXT NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL CHECK (action IN ('added', 'requested_again', 'removed', 'reevaluated')),
      reason TEXT NOT NULL,
      requested_by TEXT,
      channel TEXT,
      reference TEXT,
      requested_at TEXT,
      records INTEGER NOT NULL CHECK (records >= 0),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, suppression_id) REFERENCES suppressions (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX suppression_history_by_entry ON suppression_history (tenant_id, suppression_id, id);
    ${appendOnly('suppression_history')}

    -- The keys that the contact values of a business come down to, written whenever those are. source: where the value stands.
    CREATE TABLE suppression_record_keys (
      tenant_id TEXT NOT NULL,
      key TEXT NOT NULL,
      business_id TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('record', 'evidence')),
      PRIMARY KEY (tenant_id, key, business_id, source),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;

    -- By which rules the keys of a tenant's records were made last; a tenant without a row has had no other rules.
    CREATE TABLE suppression_rules (
      tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
      rules_version TEXT NOT NULL,
      evaluated_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- That an entry matches a business: stays although the identifier is edited away, until the entry ends.
    CREATE TABLE suppression_matches (
      tenant_id TEXT NOT NULL,
      suppression_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      at TEXT NOT NULL,
      cause TEXT NOT NULL CHECK (cause IN ('entry', 'record', 'merge', 'reevaluation')),
      live INTEGER NOT NULL CHECK (live IN (0, 1)),
      PRIMARY KEY (tenant_id, suppression_id, business_id),
      FOREIGN KEY (tenant_id, suppression_id) REFERENCES suppressions (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX suppression_matches_by_business ON suppression_matches (tenant_id, business_id, live, suppression_id);

    CREATE TRIGGER suppression_matches_are_never_deleted BEFORE DELETE ON suppression_matches
      BEGIN SELECT RAISE(ABORT, 'a match ends with its entry, not by deletion'); END;
    CREATE TRIGGER suppression_matches_end_with_their_entry BEFORE UPDATE ON suppression_matches
      WHEN NEW.live = 0 AND EXISTS (SELECT 1 FROM suppressions s
        WHERE s.tenant_id = OLD.tenant_id AND s.id = OLD.suppression_id AND s.status = 'active')
      BEGIN SELECT RAISE(ABORT, 'a match stands as long as its entry'); END;

    -- null: not blocked
    ALTER TABLE businesses ADD COLUMN blocked_through TEXT CHECK (blocked_through IN ('hand', 'suppression', 'both'));

    -- A live match implies a mark: on its business, and through a match of its own on the one that this was merged into.
    CREATE TRIGGER suppression_matches_need_a_mark BEFORE INSERT ON suppression_matches
      WHEN NEW.live = 1 AND EXISTS (SELECT 1 FROM businesses b
        WHERE b.tenant_id = NEW.tenant_id AND b.id = NEW.business_id AND (b.do_not_contact = 0 OR b.blocked_through = 'hand'))
      BEGIN SELECT RAISE(ABORT, 'a business is marked before its match is inserted'); END;
    CREATE TRIGGER suppression_matches_reach_survivors BEFORE INSERT ON suppression_matches
      WHEN NEW.live = 1 AND EXISTS (SELECT 1 FROM businesses b
        WHERE b.tenant_id = NEW.tenant_id AND b.id = NEW.business_id AND b.merged_into IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM suppression_matches m
            WHERE m.tenant_id = NEW.tenant_id AND m.suppression_id = NEW.suppression_id AND m.business_id = b.merged_into AND m.live = 1))
      BEGIN SELECT RAISE(ABORT, 'a match is inserted for the survivor before what was merged into it'); END;
    CREATE TRIGGER suppression_matches_end_once BEFORE UPDATE OF live ON suppression_matches
      WHEN OLD.live = 0 AND NEW.live = 1
      BEGIN SELECT RAISE(ABORT, 'a match that has ended is history'); END;

    CREATE TRIGGER businesses_stay_blocked BEFORE UPDATE OF do_not_contact, blocked_through ON businesses
      WHEN (NEW.do_not_contact = 0 OR NEW.blocked_through = 'hand')
        AND EXISTS (SELECT 1 FROM suppression_matches m
          WHERE m.tenant_id = OLD.tenant_id AND m.business_id = OLD.id AND m.live = 1)
      BEGIN SELECT RAISE(ABORT, 'a business stays do not contact while a suppression matches it'); END;

    -- A merge carries matches and a block by hand first. Later the survivor may be freed of a block by hand alone.
    CREATE TRIGGER businesses_carry_matches BEFORE UPDATE OF merged_into ON businesses
      WHEN NEW.merged_into IS NOT OLD.merged_into AND NEW.merged_into IS NOT NULL
        AND EXISTS (SELECT 1 FROM suppression_matches m
          WHERE m.tenant_id = NEW.tenant_id AND m.business_id = NEW.id AND m.live = 1
            AND NOT EXISTS (SELECT 1 FROM suppression_matches s
              WHERE s.tenant_id = m.tenant_id AND s.suppression_id = m.suppression_id AND s.business_id = NEW.merged_into AND s.live = 1))
      BEGIN SELECT RAISE(ABORT, 'a business is merged after its suppression matches were carried to the survivor'); END;
    CREATE TRIGGER businesses_carry_blocks BEFORE UPDATE OF merged_into, do_not_contact, blocked_through ON businesses
      WHEN NEW.merged_into IS NOT NULL AND NEW.do_not_contact = 1 AND NEW.blocked_through <> 'suppression'
        AND (NEW.merged_into IS NOT OLD.merged_into OR OLD.do_not_contact = 0 OR OLD.blocked_through = 'suppression')
        AND EXISTS (SELECT 1 FROM businesses s
          WHERE s.tenant_id = NEW.tenant_id AND s.id = NEW.merged_into AND (s.do_not_contact = 0 OR s.blocked_through = 'suppression'))
      BEGIN SELECT RAISE(ABORT, 'a block by hand reaches the survivor before what was merged into it'); END;
  `,
}
