import type { Migration } from './migration.ts'

/** Lists show active businesses only, so their indexes hold only those. */
const listed = `WHERE status = 'active'`

export const businesses: Migration = {
  name: '0003-businesses',
  sql: `
    -- docid: the number of the business in the text index, and of its row; declared, because an implicit rowid may change when
    -- the store is compacted into a backup and the index would then point elsewhere
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
      province_code TEXT CHECK (province_code IN ('EC', 'FS', 'GP', 'KZN', 'LP', 'MP', 'NC', 'NW', 'WC', 'other')),
      postal_code TEXT,
      country TEXT,
      tags TEXT NOT NULL CHECK (json_valid(tags)),
      assignee_id TEXT,
      primary_email TEXT,
      primary_phone TEXT,
      primary_domain TEXT,
      status TEXT NOT NULL CHECK (status IN ('active', 'merged', 'inactive')),
      merged_into TEXT,
      pipeline_state TEXT NOT NULL CHECK (pipeline_state IN
        ('new', 'contacted', 'qualified', 'proposal', 'negotiation', 'won', 'lost', 'paused', 'disqualified')),
      state_before_pause TEXT CHECK (state_before_pause IN ('new', 'contacted', 'qualified', 'proposal', 'negotiation')),
      do_not_contact INTEGER NOT NULL CHECK (do_not_contact IN (0, 1)),
      blocked_at TEXT,
      blocked_by TEXT,
      blocked_reason TEXT,
      has_evidence INTEGER NOT NULL CHECK (has_evidence IN (0, 1)),
      normalization_version TEXT NOT NULL,
      UNIQUE (tenant_id, id),
      FOREIGN KEY (tenant_id, assignee_id) REFERENCES memberships (tenant_id, user_id),
      FOREIGN KEY (tenant_id, merged_into) REFERENCES businesses (tenant_id, id),
      CHECK ((status = 'merged') = (merged_into IS NOT NULL)),
      CHECK ((pipeline_state IN ('paused', 'disqualified')) = (state_before_pause IS NOT NULL)),
      CHECK (do_not_contact = 0 OR (blocked_at IS NOT NULL AND blocked_by IS NOT NULL AND blocked_reason IS NOT NULL))
    ) STRICT;

    CREATE INDEX businesses_by_update ON businesses (tenant_id, updated_at, id) ${listed};
    CREATE INDEX businesses_by_creation ON businesses (tenant_id, created_at, id) ${listed};
    CREATE INDEX businesses_by_name ON businesses (tenant_id, name_key, id) ${listed};
    CREATE INDEX businesses_by_state ON businesses (tenant_id, pipeline_state, updated_at, id) ${listed};
    CREATE INDEX businesses_by_province ON businesses (tenant_id, province_code, updated_at, id) ${listed};
    CREATE INDEX businesses_by_assignee ON businesses (tenant_id, assignee_id, updated_at, id) ${listed};
    CREATE INDEX businesses_blocked ON businesses (tenant_id, updated_at, id) ${listed} AND do_not_contact = 1;
    CREATE INDEX businesses_with_evidence ON businesses (tenant_id, updated_at, id) ${listed} AND has_evidence = 1;

    CREATE TRIGGER businesses_are_never_deleted BEFORE DELETE ON businesses
      BEGIN SELECT RAISE(ABORT, 'businesses end by a state, not by deletion'); END;

    -- original: as typed; normalized: by the rules of that version, NULL with the uncertainty named where they cannot tell
    CREATE TABLE business_identifiers (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('email', 'phone', 'domain')),
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

    -- tag_key: the tag without regard to case
    CREATE TABLE business_tags (
      tenant_id TEXT NOT NULL,
      tag_key TEXT NOT NULL,
      business_id TEXT NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (tenant_id, tag_key, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX business_tags_by_business ON business_tags (tenant_id, business_id);
  `,
}
