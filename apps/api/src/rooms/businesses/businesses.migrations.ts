import { type Migration, oneOf } from '../../store/migration.ts'

/** Condition of the partial indexes for lists, because lists show active businesses only. */
const listed = `WHERE status = 'active'`

/** SQL of a trigger that adds a business to the stored count of its combination of state, province, assignee, block and evidence. */
const intoCell = `
        INSERT INTO business_counts (tenant_id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence, count)
        SELECT NEW.tenant_id, NEW.pipeline_state, coalesce(NEW.province_code, ''), coalesce(NEW.assignee_id, ''),
               NEW.do_not_contact, NEW.has_evidence, 1
        WHERE NEW.status = 'active'
        ON CONFLICT DO UPDATE SET count = count + 1;`

/**
 * SQL of a trigger that subtracts a business from its stored count. It is an update, because an upsert of -1 would violate the CHECK before it
 * detects the conflict.
 */
const outOfCell = `
        UPDATE business_counts SET count = count - 1
        WHERE OLD.status = 'active' AND tenant_id = OLD.tenant_id AND pipeline_state = OLD.pipeline_state
          AND province_code = coalesce(OLD.province_code, '') AND assignee_id = coalesce(OLD.assignee_id, '')
          AND do_not_contact = OLD.do_not_contact AND has_evidence = OLD.has_evidence;`

/** SQL for the time of the last change of a listed (active) business; an empty string for any other business. */
const listedAt = (row: 'OLD' | 'NEW') => `iif(${row}.status = 'active', ${row}.updated_at, '')`

export const businessesMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-businesses',
    sql: `
    -- docid: the rowid, by which the text index refers to the business. Declared, because a backup renumbers implicit rowids.
    -- name_key: folded for sorting. tags: JSON, business_tags has a row for each. primary_*: the first of each kind, for lists.
    -- blocked_through: null for a business that is not blocked.
    CREATE TABLE businesses (
      docid INTEGER PRIMARY KEY,
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      trading_name TEXT,
      registration_number TEXT,
      industry TEXT,
      street TEXT,
      suburb TEXT,
      city TEXT,
      province TEXT,
      province_code TEXT CHECK (province_code = 'EC' OR province_code = 'FS' OR province_code = 'GP' OR province_code = 'KZN'
        OR province_code = 'LP' OR province_code = 'MP' OR province_code = 'NC' OR province_code = 'NW' OR province_code = 'WC'
        OR province_code = 'other'),
      postal_code TEXT,
      country TEXT,
      tags TEXT NOT NULL CHECK (json_valid(tags)),
      assignee_id TEXT,
      primary_email TEXT,
      primary_phone TEXT,
      primary_domain TEXT,
      status TEXT NOT NULL CHECK (status = 'active' OR status = 'merged' OR status = 'inactive'),
      merged_into TEXT,
      pipeline_state TEXT NOT NULL CHECK (pipeline_state = 'new' OR pipeline_state = 'contacted' OR pipeline_state = 'qualified'
        OR pipeline_state = 'proposal' OR pipeline_state = 'negotiation' OR pipeline_state = 'won' OR pipeline_state = 'lost'
        OR pipeline_state = 'paused' OR pipeline_state = 'disqualified'),
      state_before_pause TEXT CHECK (state_before_pause = 'new' OR state_before_pause = 'contacted' OR state_before_pause = 'qualified'
        OR state_before_pause = 'proposal' OR state_before_pause = 'negotiation'),
      do_not_contact INTEGER NOT NULL CHECK (do_not_contact IN (0, 1)),
      blocked_at TEXT,
      blocked_by TEXT,
      blocked_reason TEXT,
      blocked_through TEXT CHECK (blocked_through = 'hand' OR blocked_through = 'suppression' OR blocked_through = 'both'),
      has_evidence INTEGER NOT NULL CHECK (has_evidence IN (0, 1)),
      normalization_version TEXT NOT NULL,
      UNIQUE (tenant_id, id),
      FOREIGN KEY (tenant_id, assignee_id) REFERENCES memberships (tenant_id, user_id),
      FOREIGN KEY (tenant_id, merged_into) REFERENCES businesses (tenant_id, id),
      CHECK ((status = 'merged') = (merged_into IS NOT NULL)),
      CHECK ((pipeline_state IN ('paused', 'disqualified')) = (state_before_pause IS NOT NULL)),
      CHECK ((do_not_contact = 1) = (blocked_through IS NOT NULL)),
      CHECK (do_not_contact = 0 OR (blocked_at IS NOT NULL AND blocked_by IS NOT NULL AND blocked_reason IS NOT NULL))
    ) STRICT;

    CREATE INDEX businesses_by_update ON businesses (tenant_id, updated_at, id) ${listed};
    CREATE INDEX businesses_by_name ON businesses (tenant_id, name_key, id) ${listed};
    CREATE INDEX businesses_by_state ON businesses (tenant_id, pipeline_state, updated_at, id) ${listed};
    CREATE INDEX businesses_by_province ON businesses (tenant_id, province_code, updated_at, id) ${listed};
    -- Without the state new, which is most of any province, so that a create does not write it (docs/performance/lists.md).
    CREATE INDEX businesses_by_province_and_state ON businesses
      (tenant_id, province_code, pipeline_state, updated_at, id, assignee_id, do_not_contact, has_evidence)
      ${listed} AND pipeline_state <> 'new';
    CREATE INDEX businesses_by_assignee ON businesses (tenant_id, assignee_id, updated_at, id) ${listed};
    CREATE INDEX businesses_blocked ON businesses (tenant_id, updated_at, id) ${listed} AND do_not_contact = 1;
    CREATE INDEX businesses_with_evidence ON businesses (tenant_id, updated_at, id) ${listed} AND has_evidence = 1;
    CREATE INDEX businesses_by_survivor ON businesses (tenant_id, merged_into, id) WHERE merged_into IS NOT NULL;

    CREATE TRIGGER businesses_are_never_deleted BEFORE DELETE ON businesses
      BEGIN SELECT RAISE(ABORT, 'businesses end by a state, not by deletion'); END;
    -- Refuses rings: a merged business is not active.
    CREATE TRIGGER businesses_merge_into_active BEFORE UPDATE OF merged_into ON businesses
      WHEN NEW.merged_into IS NOT NULL AND NEW.merged_into IS NOT OLD.merged_into AND (NEW.merged_into = NEW.id
        OR NOT EXISTS (SELECT 1 FROM businesses s
          WHERE s.tenant_id = NEW.tenant_id AND s.id = NEW.merged_into AND s.status = 'active'))
      BEGIN SELECT RAISE(ABORT, 'a business is merged into another one that is active'); END;

    -- Blocks: businesses/blocks/ writes them, these triggers refuse what must never be.
    CREATE TRIGGER businesses_stay_blocked BEFORE UPDATE OF do_not_contact, blocked_through ON businesses
      WHEN (NEW.do_not_contact = 0 OR NEW.blocked_through = 'hand')
        AND EXISTS (SELECT 1 FROM suppression_matches m
          WHERE m.tenant_id = OLD.tenant_id AND m.business_id = OLD.id AND m.live = 1)
      BEGIN SELECT RAISE(ABORT, 'a business stays do not contact while a suppression matches it'); END;
    CREATE TRIGGER businesses_carry_matches BEFORE UPDATE OF merged_into ON businesses
      WHEN NEW.merged_into IS NOT OLD.merged_into AND NEW.merged_into IS NOT NULL
        AND EXISTS (SELECT 1 FROM suppression_matches m
          WHERE m.tenant_id = NEW.tenant_id AND m.business_id = NEW.id AND m.live = 1
            AND NOT EXISTS (SELECT 1 FROM suppression_matches s
              WHERE s.tenant_id = m.tenant_id AND s.suppression_id = m.suppression_id AND s.business_id = NEW.merged_into AND s.live = 1))
      BEGIN SELECT RAISE(ABORT, 'a business is merged after its suppression matches were carried to the survivor'); END;
    -- Only when it begins: a block by hand may later be lifted from the survivor alone.
    CREATE TRIGGER businesses_carry_blocks BEFORE UPDATE OF merged_into, do_not_contact, blocked_through ON businesses
      WHEN NEW.merged_into IS NOT NULL AND NEW.do_not_contact = 1 AND NEW.blocked_through <> 'suppression'
        AND (NEW.merged_into IS NOT OLD.merged_into OR OLD.do_not_contact = 0 OR OLD.blocked_through = 'suppression')
        AND EXISTS (SELECT 1 FROM businesses s
          WHERE s.tenant_id = NEW.tenant_id AND s.id = NEW.merged_into AND (s.do_not_contact = 0 OR s.blocked_through = 'suppression'))
      BEGIN SELECT RAISE(ABORT, 'a block by hand reaches the survivor before what was merged into it'); END;

    -- original: as typed. normalized: by the rules of that version, null with a named uncertainty if they cannot decide.
    CREATE TABLE business_identifiers (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind = 'email' OR kind = 'phone' OR kind = 'domain'),
      position INTEGER NOT NULL,
      original TEXT NOT NULL,
      label TEXT,
      region TEXT,
      normalized TEXT,
      uncertainty TEXT,
      normalization_version TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id, kind, position),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      CHECK ((normalized IS NULL) = (uncertainty IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX business_identifiers_by_value ON business_identifiers (tenant_id, kind, normalized) WHERE normalized IS NOT NULL;

    -- tag_key: the tag regardless of case. listed_at: last change of its business, so that a page of a tag is read in order
    -- (docs/performance/lists.md).
    CREATE TABLE business_tags (
      tenant_id TEXT NOT NULL,
      tag_key TEXT NOT NULL,
      listed_at TEXT NOT NULL,
      business_id TEXT NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (tenant_id, tag_key, listed_at, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX business_tags_by_business ON business_tags (tenant_id, business_id, tag_key);
    -- Derived by a trigger, because every function that touches updated_at or status would have to remember the tags.
    -- unlikely: without it SQLite walks all tags of the tenant.
    CREATE TRIGGER business_tags_listed_anew AFTER UPDATE OF status, updated_at ON businesses
      WHEN ${listedAt('OLD')} <> ${listedAt('NEW')}
      BEGIN
        UPDATE business_tags SET listed_at = ${listedAt('NEW')} WHERE tenant_id = NEW.tenant_id AND unlikely(business_id = NEW.id);
      END;

    -- Counting a million rows takes 140 ms, so counts are derived: a cube over the filters with few values, and a count per tag.
    -- Derived by triggers: every write of these columns counts, and none can forget it. A test compares them with a full count.
    CREATE TABLE business_counts (
      tenant_id TEXT NOT NULL,
      pipeline_state TEXT NOT NULL,
      province_code TEXT NOT NULL,
      assignee_id TEXT NOT NULL,
      do_not_contact INTEGER NOT NULL,
      has_evidence INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant_id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER business_counted_on_create AFTER INSERT ON businesses
      BEGIN ${intoCell} END;
    CREATE TRIGGER business_counted_on_change
      AFTER UPDATE OF status, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence ON businesses
      BEGIN ${outOfCell} ${intoCell} END;

    CREATE TABLE business_tag_counts (
      tenant_id TEXT NOT NULL,
      tag_key TEXT NOT NULL,
      tag TEXT NOT NULL,
      count INTEGER NOT NULL CHECK (count >= 0),
      PRIMARY KEY (tenant_id, tag_key)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER business_tag_counted_on_add AFTER INSERT ON business_tags WHEN NEW.listed_at <> ''
      BEGIN
        INSERT INTO business_tag_counts (tenant_id, tag_key, tag, count) VALUES (NEW.tenant_id, NEW.tag_key, NEW.tag, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
      END;
    CREATE TRIGGER business_tag_counted_on_remove AFTER DELETE ON business_tags WHEN OLD.listed_at <> ''
      BEGIN
        UPDATE business_tag_counts SET count = count - 1 WHERE tenant_id = OLD.tenant_id AND tag_key = OLD.tag_key;
      END;
    CREATE TRIGGER business_tag_counted_on_status AFTER UPDATE OF listed_at ON business_tags
      WHEN (OLD.listed_at = '') <> (NEW.listed_at = '')
      BEGIN
        UPDATE business_tag_counts SET count = count + iif(NEW.listed_at = '', -1, 1)
        WHERE tenant_id = NEW.tenant_id AND tag_key = NEW.tag_key;
      END;
    -- A tag that no business has leaves no count in which it could be read after an erasure.
    CREATE TRIGGER business_tag_forgotten AFTER DELETE ON business_tags
      WHEN NOT EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = OLD.tenant_id AND t.tag_key = OLD.tag_key)
      BEGIN
        DELETE FROM business_tag_counts WHERE tenant_id = OLD.tenant_id AND tag_key = OLD.tag_key;
      END;

    -- Full-text search by parts of three characters and more. tenant: one token, so that the index itself is limited to a tenant.
    -- The room writes these tables; triggers would flush the index after every row.
    CREATE TABLE business_search (
      docid INTEGER PRIMARY KEY REFERENCES businesses (docid),
      tenant TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE business_search_index USING fts5 (
      tenant, text, content = 'business_search', content_rowid = 'docid', tokenize = 'trigram', columnsize = 0
    );
    -- The writer merges the index in small steps (docs/decisions/full-text-search.md).
    INSERT INTO business_search_index (business_search_index, rank) VALUES ('automerge', 0);
    -- Texts that business_search, and so the index, does not have yet (docs/decisions/full-text-search.md).
    CREATE TABLE business_search_pending (
      docid INTEGER PRIMARY KEY REFERENCES businesses (docid),
      tenant TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
  `,
  },
  {
    name: '2026-11-29-business-deactivation',
    sql: `
    -- Set while a person's deactivation is what made the record inactive; null for an erased one.
    ALTER TABLE businesses ADD COLUMN deactivated_at TEXT CHECK (deactivated_at IS NULL OR status = 'inactive');
    ALTER TABLE businesses ADD COLUMN deactivated_by TEXT CHECK ((deactivated_by IS NULL) = (deactivated_at IS NULL));
    CREATE INDEX businesses_deactivated ON businesses (tenant_id, updated_at, id) WHERE deactivated_at IS NOT NULL;
  `,
  },
  {
    name: '2026-11-29-last-contact',
    sql: `
    -- Derived from the interactions of the record and of those merged into it (record/last-contact.ts).
    ALTER TABLE businesses ADD COLUMN last_interaction_at TEXT;
    ALTER TABLE businesses ADD COLUMN follow_up_on TEXT;
    UPDATE businesses SET last_interaction_at = latest.occurred_at, follow_up_on = latest.follow_up_on FROM (
      WITH RECURSIVE records (tenant_id, id, member) AS (
        SELECT DISTINCT tenant_id, business_id, business_id FROM interactions
        UNION
        SELECT b.tenant_id, b.merged_into, records.member FROM records
          JOIN businesses b ON b.tenant_id = records.tenant_id AND b.id = records.id WHERE b.merged_into IS NOT NULL)
      SELECT tenant_id, id, occurred_at, follow_up_on FROM (
        SELECT records.tenant_id, records.id, i.occurred_at, i.follow_up_on,
               row_number() OVER (PARTITION BY records.tenant_id, records.id ORDER BY i.occurred_at DESC, i.id DESC) AS place
        FROM records JOIN interactions i ON i.tenant_id = records.tenant_id AND i.business_id = records.member
        WHERE NOT EXISTS (SELECT 1 FROM interactions later WHERE later.tenant_id = i.tenant_id AND later.corrects_id = i.id))
      WHERE place = 1) AS latest
      WHERE latest.tenant_id = businesses.tenant_id AND latest.id = businesses.id;
    CREATE INDEX businesses_by_city ON businesses (tenant_id, lower(city), id) ${listed} AND city IS NOT NULL;
    CREATE INDEX businesses_by_industry ON businesses (tenant_id, lower(industry), id) ${listed} AND industry IS NOT NULL;
    CREATE INDEX businesses_by_creation ON businesses (tenant_id, created_at, id) ${listed};
    -- Records without the value are not in these indexes, so a create does not write them.
    CREATE INDEX businesses_by_last_interaction ON businesses (tenant_id, last_interaction_at, id)
      ${listed} AND last_interaction_at IS NOT NULL;
    CREATE INDEX businesses_by_follow_up ON businesses (tenant_id, follow_up_on, id) ${listed} AND follow_up_on IS NOT NULL;
  `,
  },
  {
    name: '2026-11-30-business-stand-in-name',
    sql: `
    -- 1: the registered name is not known, and \`name\` is the trading name. Without effect once the two differ.
    ALTER TABLE businesses ADD COLUMN name_stands_in INTEGER NOT NULL DEFAULT 0 CHECK (name_stands_in IN (0, 1));
  `,
  },
  {
    name: '2026-12-01-business-list-values',
    sql: `
    -- Values of list rows, stored so that a page needs no further look-up for each of its records.
    ALTER TABLE businesses ADD COLUMN primary_phone_normalized TEXT;
    UPDATE businesses SET primary_phone_normalized = (SELECT i.normalized FROM business_identifiers i
        WHERE i.tenant_id = businesses.tenant_id AND i.business_id = businesses.id AND i.kind = 'phone' AND i.position = 0)
      WHERE primary_phone IS NOT NULL;
    -- Observations of the record and of those merged into it (record/evidence-count.ts).
    ALTER TABLE businesses ADD COLUMN evidence_count INTEGER NOT NULL DEFAULT 0 CHECK (evidence_count >= 0);
    UPDATE businesses SET evidence_count = counted.count FROM (
      WITH RECURSIVE records (tenant_id, id, own) AS (
        SELECT tenant_id, business_id, count(*) FROM evidence GROUP BY tenant_id, business_id
        UNION ALL
        SELECT b.tenant_id, b.merged_into, records.own FROM records
          JOIN businesses b ON b.tenant_id = records.tenant_id AND b.id = records.id WHERE b.merged_into IS NOT NULL)
      SELECT tenant_id, id, sum(own) AS count FROM records GROUP BY tenant_id, id) AS counted
      WHERE counted.tenant_id = businesses.tenant_id AND counted.id = businesses.id;
  `,
  },
  {
    name: '2026-12-02-business-search-fold',
    sql: `
    -- Keys by which two spellings of a name are equal, for the hint at duplicates.
    CREATE TABLE business_name_keys (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      name_key TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id, name_key),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX business_name_keys_by_key ON business_name_keys (tenant_id, name_key, business_id);
    -- Tenants whose search texts and name keys a loop derives again, because their rules changed (search/renew-search.ts).
    CREATE TABLE business_search_renewals (
      tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
      after_id TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO business_search_renewals (tenant_id, after_id)
      SELECT t.id, '' FROM tenants t WHERE EXISTS (SELECT 1 FROM businesses b WHERE b.tenant_id = t.id);
  `,
  },
  {
    name: '2026-12-03-business-employees',
    sql: `
    ALTER TABLE businesses ADD COLUMN employees INTEGER CHECK (employees BETWEEN 0 AND 10000000);
    -- Records without the number are not in this index, so a create without it does not write it.
    CREATE INDEX businesses_by_employees ON businesses (tenant_id, employees, id) ${listed} AND employees IS NOT NULL;
  `,
  },
  {
    // Each key was stored twice with the ids of its tenant and business as text.
    name: '2026-12-05-business-short-name-keys',
    rewrites: true,
    sql: `
    -- tenant, docid: the numbers of the tenant and the business.
    CREATE TABLE new_business_name_keys (
      tenant INTEGER NOT NULL,
      name_key TEXT NOT NULL,
      docid INTEGER NOT NULL REFERENCES businesses (docid),
      PRIMARY KEY (tenant, name_key, docid)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_business_name_keys (tenant, name_key, docid)
      SELECT t.number, k.name_key, b.docid
      FROM tenants t CROSS JOIN business_name_keys k INDEXED BY business_name_keys_by_key ON k.tenant_id = t.id
        CROSS JOIN businesses b ON b.tenant_id = k.tenant_id AND b.id = k.business_id
      ORDER BY t.number;
    DROP TABLE business_name_keys;
    ALTER TABLE new_business_name_keys RENAME TO business_name_keys;
    CREATE INDEX business_name_keys_by_business ON business_name_keys (docid);
    CREATE TRIGGER business_name_keys_belong_to_the_tenant BEFORE INSERT ON business_name_keys
      WHEN NOT EXISTS (SELECT 1 FROM businesses b JOIN tenants t ON t.id = b.tenant_id
        WHERE b.docid = NEW.docid AND t.number = NEW.tenant)
      BEGIN SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: a key belongs to the tenant of its business'); END;
    `,
  },
  {
    name: '2026-12-05-businesses-listed',
    sql: `
    -- All filterable values of the listed businesses in the order of the list, so that one scan of this index counts any filter and finds its rows
    -- (docs/decisions/one-index-for-filters.md). Of identifiers and
    -- tags only their absence is stored: no filter compares an identifier, and tags have an index of their own.
    CREATE INDEX businesses_listed ON businesses (
      tenant_id, updated_at, id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence, evidence_count, created_at,
      lower(city), lower(industry), employees, follow_up_on, last_interaction_at, name_key,
      primary_email IS NULL, primary_phone IS NULL, primary_domain IS NULL, registration_number IS NULL, tags = '[]'
    ) ${listed};
    -- The records that lists omit: few, so a search counts its matches without them instead of looking up each match.
    CREATE INDEX businesses_unlisted ON businesses (tenant_id) WHERE status <> 'active';
    DROP INDEX businesses_by_update;
    DROP INDEX businesses_by_state;
    DROP INDEX businesses_by_province;
    DROP INDEX businesses_by_province_and_state;
    DROP INDEX businesses_by_assignee;
    DROP INDEX businesses_blocked;
    DROP INDEX businesses_with_evidence;
    DROP INDEX businesses_by_creation;
  `,
  },
  {
    name: '2026-12-07-business-last-outcome',
    sql: `
    -- Outcome of the interaction whose time is last_interaction_at, derived with it (record/last-contact.ts).
    ALTER TABLE businesses ADD COLUMN last_outcome TEXT
      CHECK (${oneOf('last_outcome', ['connected', 'no_answer', 'left_message', 'meeting_booked', 'meeting_held', 'qualified', 'disqualified', 'won', 'lost', 'other'])});
    -- Built again below with the new column. The update is quicker without it.
    DROP INDEX businesses_listed;
    UPDATE businesses SET last_outcome = latest.outcome FROM (
      WITH RECURSIVE records (tenant_id, id, member) AS (
        SELECT DISTINCT tenant_id, business_id, business_id FROM interactions
        UNION
        SELECT b.tenant_id, b.merged_into, records.member FROM records
          JOIN businesses b ON b.tenant_id = records.tenant_id AND b.id = records.id WHERE b.merged_into IS NOT NULL)
      SELECT tenant_id, id, outcome FROM (
        SELECT records.tenant_id, records.id, i.outcome,
               row_number() OVER (PARTITION BY records.tenant_id, records.id ORDER BY i.occurred_at DESC, i.id DESC) AS place
        FROM records JOIN interactions i ON i.tenant_id = records.tenant_id AND i.business_id = records.member
        WHERE NOT EXISTS (SELECT 1 FROM interactions later WHERE later.tenant_id = i.tenant_id AND later.corrects_id = i.id))
      WHERE place = 1) AS latest
      WHERE latest.tenant_id = businesses.tenant_id AND latest.id = businesses.id;
    CREATE INDEX businesses_listed ON businesses (
      tenant_id, updated_at, id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence, evidence_count, created_at,
      lower(city), lower(industry), employees, follow_up_on, last_interaction_at, last_outcome, name_key,
      primary_email IS NULL, primary_phone IS NULL, primary_domain IS NULL, registration_number IS NULL, tags = '[]'
    ) ${listed};
  `,
  },
  {
    name: '2026-12-11-business-doubts',
    sql: `
    -- Sum of the doubts about the record: 1 for its place, 2 for a phone without a normalized form (record/doubts.ts). Only the rules of the
    -- application read a place, so the loop that renews search data adds the 1 to existing records.
    ALTER TABLE businesses ADD COLUMN doubts INTEGER NOT NULL DEFAULT 0 CHECK (doubts BETWEEN 0 AND 3);
    -- Built again below with the new column. The update is quicker without it.
    DROP INDEX businesses_listed;
    UPDATE businesses SET doubts = 2 WHERE EXISTS (SELECT 1 FROM business_identifiers i
      WHERE i.tenant_id = businesses.tenant_id AND i.business_id = businesses.id AND i.kind = 'phone' AND i.normalized IS NULL);
    INSERT INTO business_search_renewals (tenant_id, after_id)
      SELECT t.id, '' FROM tenants t WHERE EXISTS (SELECT 1 FROM businesses b WHERE b.tenant_id = t.id)
      ON CONFLICT (tenant_id) DO UPDATE SET after_id = '';
    CREATE INDEX businesses_listed ON businesses (
      tenant_id, updated_at, id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence, evidence_count, created_at,
      lower(city), lower(industry), employees, follow_up_on, last_interaction_at, last_outcome, doubts, name_key,
      primary_email IS NULL, primary_phone IS NULL, primary_domain IS NULL, registration_number IS NULL, tags = '[]'
    ) ${listed};
  `,
  },
  {
    name: '2026-12-28-business-has-person',
    sql: `
    -- Whether a person at the business, or at a record merged into it, has not left and is not do not contact. Derived with the search text, in which the
    -- names of people now have a place of their own, so the loop that renews search data sets both for existing people.
    ALTER TABLE businesses ADD COLUMN has_person INTEGER NOT NULL DEFAULT 0 CHECK (has_person IN (0, 1));
    INSERT INTO business_search_renewals (tenant_id, after_id)
      SELECT t.id, '' FROM tenants t WHERE EXISTS (SELECT 1 FROM people p WHERE p.tenant_id = t.id)
      ON CONFLICT (tenant_id) DO UPDATE SET after_id = '';
    -- With the new column.
    DROP INDEX businesses_listed;
    CREATE INDEX businesses_listed ON businesses (
      tenant_id, updated_at, id, pipeline_state, province_code, assignee_id, do_not_contact, has_evidence, evidence_count, created_at,
      lower(city), lower(industry), employees, follow_up_on, last_interaction_at, last_outcome, doubts, has_person, name_key,
      primary_email IS NULL, primary_phone IS NULL, primary_domain IS NULL, registration_number IS NULL, tags = '[]'
    ) ${listed};
  `,
  },
]
