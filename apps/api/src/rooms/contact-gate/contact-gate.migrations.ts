import { appendOnly, type Migration } from '../../store/migration.ts'

/**
 * Tables of the gate. Their triggers refuse what must never happen, so that no code, later room or manual repair can do it: deleting an entry, ending
 * a match while its entry is active, or an active match with a business that is not marked. The marks are written by functions of
 * `businesses/blocks/`.
 */
export const contactGateMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-contact-gate',
    sql: `
    -- original, normalized: null for a tombstone, which has only hashed keys. confirmed_at: the last time that it was requested again.
    CREATE TABLE suppressions (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind = 'email' OR kind = 'phone' OR kind = 'domain'),
      scope TEXT NOT NULL CHECK (scope IN ('exact', 'with_subdomains')),
      original TEXT,
      normalized TEXT,
      region TEXT,
      rules_version TEXT NOT NULL,
      reason TEXT NOT NULL,
      requested_by TEXT,
      channel TEXT NOT NULL CHECK (channel = 'email' OR channel = 'phone' OR channel = 'letter' OR channel = 'in_person'
        OR channel = 'website' OR channel = 'registry' OR channel = 'internal' OR channel = 'other'),
      reference TEXT,
      requested_at TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      confirmed_at TEXT,
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
    CREATE INDEX suppressions_by_term ON suppressions (tenant_id, coalesce(confirmed_at, created_at), id) WHERE status = 'active';
    CREATE INDEX suppressions_by_kind_and_term ON suppressions (tenant_id, kind, coalesce(confirmed_at, created_at), id)
      WHERE status = 'active';
    CREATE INDEX suppressions_tombstones ON suppressions (tenant_id) WHERE tombstone = 1;

    CREATE TRIGGER suppressions_are_never_deleted BEFORE DELETE ON suppressions
      BEGIN SELECT RAISE(ABORT, 'suppressions end by removal, not by deletion'); END;
    CREATE TRIGGER suppressions_end_once BEFORE UPDATE ON suppressions WHEN OLD.status <> 'active'
      BEGIN SELECT RAISE(ABORT, 'a suppression that has ended is history'); END;
    CREATE TRIGGER suppressions_keep_what_they_block
      BEFORE UPDATE OF tenant_id, id, kind, scope, original, normalized, region, created_at, created_by, tombstone ON suppressions
      BEGIN SELECT RAISE(ABORT, 'what a suppression blocks is not edited'); END;

    -- The keys of an entry stay when it ends, so that it can still be found.
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
      action TEXT NOT NULL CHECK (action = 'added' OR action = 'requested_again' OR action = 'removed' OR action = 'reevaluated'),
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

    -- The keys of a business's contact values, written with these. source: the business itself or its evidence.
    CREATE TABLE suppression_record_keys (
      tenant_id TEXT NOT NULL,
      key TEXT NOT NULL,
      business_id TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('record', 'evidence')),
      PRIMARY KEY (tenant_id, key, business_id, source),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX suppression_record_keys_by_business ON suppression_record_keys (tenant_id, business_id);

    -- An entry matches a business. A match stays until its entry ends, also when the identifier is edited away.
    CREATE TABLE suppression_matches (
      tenant_id TEXT NOT NULL,
      suppression_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      at TEXT NOT NULL,
      cause TEXT NOT NULL CHECK (cause = 'entry' OR cause = 'record' OR cause = 'merge' OR cause = 'reevaluation'),
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
    CREATE TRIGGER suppression_matches_end_once BEFORE UPDATE OF live ON suppression_matches WHEN OLD.live = 0 AND NEW.live = 1
      BEGIN SELECT RAISE(ABORT, 'a match that has ended is history'); END;
    -- A live match implies a mark: on its business, and through a match of its own on the record that this was merged into.
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
  `,
  },
  {
    // Each key was stored twice with the ids of its tenant and business as text, which took 0.9 KB a business.
    name: '2026-12-05-contact-gate-short-record-keys',
    rewrites: true,
    sql: `
    -- The keys of a business's contact values, written with these. tenant, docid: the numbers of the tenant and the business.
    -- of_evidence: 1 for a value of the evidence of the business, 0 for its own.
    CREATE TABLE new_suppression_record_keys (
      tenant INTEGER NOT NULL,
      key TEXT NOT NULL,
      docid INTEGER NOT NULL REFERENCES businesses (docid),
      of_evidence INTEGER NOT NULL CHECK (of_evidence IN (0, 1)),
      PRIMARY KEY (tenant, key, docid, of_evidence)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_suppression_record_keys (tenant, key, docid, of_evidence)
      SELECT t.number, k.key, b.docid, k.source = 'evidence'
      FROM tenants t CROSS JOIN suppression_record_keys k ON k.tenant_id = t.id
        CROSS JOIN businesses b ON b.tenant_id = k.tenant_id AND b.id = k.business_id
      ORDER BY t.number;
    DROP TABLE suppression_record_keys;
    ALTER TABLE new_suppression_record_keys RENAME TO suppression_record_keys;
    CREATE INDEX suppression_record_keys_by_business ON suppression_record_keys (docid);
    CREATE TRIGGER suppression_record_keys_belong_to_the_tenant BEFORE INSERT ON suppression_record_keys
      WHEN NOT EXISTS (SELECT 1 FROM businesses b JOIN tenants t ON t.id = b.tenant_id
        WHERE b.docid = NEW.docid AND t.number = NEW.tenant)
      BEGIN SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: a key belongs to the tenant of its business'); END;
  `,
  },
]
