import { appendOnly, type Migration, oneOf } from '../../store/migration.ts'

/** The built-in sources. Each has the same id in every tenant. */
const builtIns = [
  {
    id: '00000000-0000-7000-8000-000000000001',
    slug: 'manual',
    name: 'Manual references',
    description: 'References that people record by hand.',
  },
  {
    id: '00000000-0000-7000-8000-000000000002',
    slug: 'csv',
    name: 'CSV rows',
    description: 'Cells that people select in a CSV preview.',
  },
]
const CONTRACT = '{"rawRetention":"days_180"}'

/** Returns the SQL that inserts the built-in sources for the tenants that the condition `which` selects. */
const insertBuiltIns = (which: string) =>
  builtIns
    .map(
      ({ id, slug, name, description }) => `
      INSERT INTO sources (tenant_id, id, slug, name, description, kind, contract_version, version, created_at, created_by, updated_at)
        SELECT t.id, '${id}', '${slug}', '${name}', '${description}', 'built_in', 1, 1, t.created_at, 'sources', t.created_at
        FROM tenants t WHERE ${which};
      INSERT INTO source_versions (tenant_id, source_id, number, contract, fingerprint, author, created_at)
        SELECT t.id, '${id}', 1, '${CONTRACT}', '', 'sources', t.created_at FROM tenants t WHERE ${which};`,
    )
    .join('\n')

export const sourcesMigrations: readonly Migration[] = [
  {
    name: '2026-11-26-sources',
    sql: `
    CREATE TABLE sources (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      slug TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT,
      kind TEXT NOT NULL CHECK (kind = 'built_in' OR kind = 'adapter'),
      adapter_id TEXT,
      adapter_version TEXT,
      -- the newest of source_versions
      contract_version INTEGER NOT NULL CHECK (contract_version > 0),
      version INTEGER NOT NULL CHECK (version > 0),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, slug),
      CHECK ((kind = 'adapter') = (adapter_id IS NOT NULL)),
      CHECK ((adapter_id IS NULL) = (adapter_version IS NULL))
    ) STRICT;

    -- fingerprint: what the version, the adapters and ADAPTERS_FILE were when it was saved; empty for a built-in entry
    CREATE TABLE source_versions (
      tenant_id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      contract TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      author TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, source_id, number),
      FOREIGN KEY (tenant_id, source_id) REFERENCES sources (tenant_id, id)
    ) STRICT;
    ${appendOnly('source_versions')}

    -- sequence: the place of its event in the audit chain of the tenant; items: of a lapse, what lapsed, as JSON
    CREATE TABLE source_decisions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (${oneOf('kind', ['approval', 'rejection', 'revocation', 'enablement', 'disablement', 'lapse', 'withdrawal'])}),
      desk TEXT CHECK (${oneOf('desk', ['product', 'legal', 'security'])}),
      fingerprint TEXT NOT NULL,
      reason TEXT NOT NULL,
      ends_at TEXT,
      revokes_id TEXT,
      items TEXT,
      sequence INTEGER NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, source_id, number) REFERENCES source_versions (tenant_id, source_id, number),
      FOREIGN KEY (tenant_id, revokes_id) REFERENCES source_decisions (tenant_id, id),
      CHECK ((desk IS NOT NULL) = (kind = 'approval' OR kind = 'rejection')),
      CHECK ((ends_at IS NOT NULL) = (kind = 'approval' OR kind = 'enablement')),
      CHECK ((revokes_id IS NOT NULL) = (kind = 'revocation')),
      CHECK ((items IS NOT NULL) = (kind = 'lapse'))
    ) STRICT;
    CREATE INDEX source_decisions_by_version ON source_decisions (tenant_id, source_id, number, id);
    CREATE UNIQUE INDEX source_decisions_revoked_once ON source_decisions (tenant_id, revokes_id) WHERE revokes_id IS NOT NULL;
    ${appendOnly('source_decisions')}

    CREATE TABLE source_desks (
      tenant_id TEXT NOT NULL,
      desk TEXT NOT NULL CHECK (${oneOf('desk', ['product', 'legal', 'security'])}),
      user_id TEXT NOT NULL,
      PRIMARY KEY (tenant_id, desk, user_id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE source_desk_sets (
      tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
      version INTEGER NOT NULL CHECK (version > 0),
      updated_at TEXT NOT NULL,
      updated_by TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- the transitions of each circuit; without a row it is closed
    CREATE TABLE source_circuits (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['open', 'probation', 'closed'])}),
      opening_id TEXT NOT NULL,
      cause TEXT NOT NULL,
      incident_id TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, source_id) REFERENCES sources (tenant_id, id),
      CHECK ((incident_id IS NOT NULL) = (state = 'probation'))
    ) STRICT;
    CREATE INDEX source_circuits_by_source ON source_circuits (tenant_id, source_id, id);
    ${appendOnly('source_circuits')}

    CREATE TABLE source_incidents (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      opening_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind = 'incident' OR kind = 'change'),
      description TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      decision TEXT CHECK (decision = 'approve' OR decision = 'reject'),
      decision_reason TEXT,
      decided_at TEXT,
      decided_by TEXT,
      used_at TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, source_id) REFERENCES sources (tenant_id, id),
      CHECK ((decision IS NULL) = (decided_at IS NULL)),
      CHECK (used_at IS NULL OR decision = 'approve')
    ) STRICT;
    CREATE INDEX source_incidents_by_source ON source_incidents (tenant_id, source_id, id);
    CREATE TRIGGER source_incidents_are_decided_once BEFORE UPDATE ON source_incidents
      WHEN OLD.used_at IS NOT NULL OR (OLD.decision IS NOT NULL AND NEW.decision IS NOT OLD.decision)
      BEGIN SELECT RAISE(ABORT, 'an incident record is decided once and used once'); END;
    CREATE TRIGGER source_incidents_lose_no_rows BEFORE DELETE ON source_incidents
      BEGIN SELECT RAISE(ABORT, 'source_incidents loses no rows'); END;

    -- dry runs and queries, refused ones among them; outcome: JSON, null while a query runs
    CREATE TABLE source_queries (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind = 'dry_run' OR kind = 'query'),
      purpose TEXT NOT NULL,
      business_id TEXT,
      request TEXT,
      plan TEXT NOT NULL,
      outcome TEXT,
      job_id TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      ended_at TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, source_id, number) REFERENCES source_versions (tenant_id, source_id, number),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      CHECK ((outcome IS NULL) = (ended_at IS NULL))
    ) STRICT;
    CREATE INDEX source_queries_by_source ON source_queries (tenant_id, source_id, id);
    CREATE INDEX source_queries_open ON source_queries (tenant_id, id) WHERE outcome IS NULL;
    CREATE INDEX source_queries_by_business ON source_queries (tenant_id, business_id) WHERE business_id IS NOT NULL;

    -- one row for each request that was let out; circuit_id: the transition that was the newest then
    CREATE TABLE source_permits (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      query_id TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      target TEXT,
      circuit_id TEXT,
      taken_at TEXT NOT NULL,
      lease_until TEXT NOT NULL,
      ended_at TEXT,
      -- 1: a failure of the source, 0: none, null: not counted towards the circuit
      is_failure INTEGER CHECK (is_failure = 0 OR is_failure = 1),
      cause TEXT,
      latency_ms INTEGER,
      bytes INTEGER,
      defer_until TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, query_id) REFERENCES source_queries (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX source_permits_by_time ON source_permits (tenant_id, source_id, taken_at);
    CREATE INDEX source_permits_counted ON source_permits (tenant_id, source_id, id, circuit_id, is_failure, latency_ms)
      WHERE is_failure IS NOT NULL;
    CREATE INDEX source_permits_live ON source_permits (tenant_id, source_id, lease_until) WHERE ended_at IS NULL;
    CREATE INDEX source_permits_deferring ON source_permits (tenant_id, source_id, target, defer_until)
      WHERE defer_until IS NOT NULL;
    CREATE INDEX source_permits_by_query ON source_permits (tenant_id, query_id);

    CREATE TABLE source_health (
      tenant_id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      interval TEXT NOT NULL CHECK (interval = 'minutes_5' OR interval = 'day'),
      starts_at TEXT NOT NULL,
      requests INTEGER NOT NULL DEFAULT 0,
      answers INTEGER NOT NULL DEFAULT 0,
      rate_limited INTEGER NOT NULL DEFAULT 0,
      timeouts INTEGER NOT NULL DEFAULT 0,
      errors INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      -- how many answers took how long: JSON, by the number of the step
      latencies TEXT NOT NULL DEFAULT '{}',
      circuit TEXT NOT NULL DEFAULT 'closed' CHECK (${oneOf('circuit', ['open', 'probation', 'closed'])}),
      raw_kept INTEGER NOT NULL DEFAULT 0,
      raw_deleted INTEGER NOT NULL DEFAULT 0,
      raw_failed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, source_id, interval, starts_at),
      FOREIGN KEY (tenant_id, source_id) REFERENCES sources (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX source_health_by_age ON source_health (interval, starts_at);

    -- identity: what makes it the same record of the same business; null where nothing does
    CREATE TABLE source_records (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      query_id TEXT,
      identity TEXT,
      reference TEXT,
      raw_sha256 TEXT,
      attribution TEXT NOT NULL,
      captured_at TEXT NOT NULL,
      observed_at TEXT,
      csv_file_sha256 TEXT,
      csv_row INTEGER,
      csv_line INTEGER,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, source_id, number) REFERENCES source_versions (tenant_id, source_id, number),
      FOREIGN KEY (tenant_id, query_id) REFERENCES source_queries (tenant_id, id),
      CHECK ((csv_file_sha256 IS NULL) = (csv_row IS NULL))
    ) STRICT;
    CREATE INDEX source_records_by_business ON source_records (tenant_id, business_id, id);
    CREATE UNIQUE INDEX source_records_once ON source_records (tenant_id, business_id, identity) WHERE identity IS NOT NULL;
    CREATE TRIGGER source_records_keeps_rows BEFORE UPDATE ON source_records
      WHEN NOT (EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.attribution IS 'Erased.' AND NEW.identity IS NULL AND NEW.reference IS NULL AND NEW.raw_sha256 IS NULL
        AND NEW.csv_file_sha256 IS NULL AND NEW.csv_row IS NULL AND NEW.csv_line IS NULL
        AND NEW.tenant_id IS OLD.tenant_id AND NEW.id IS OLD.id AND NEW.business_id IS OLD.business_id
        AND NEW.source_id IS OLD.source_id AND NEW.number IS OLD.number AND NEW.query_id IS OLD.query_id
        AND NEW.captured_at IS OLD.captured_at AND NEW.observed_at IS OLD.observed_at
        AND NEW.created_at IS OLD.created_at AND NEW.created_by IS OLD.created_by)
      BEGIN SELECT RAISE(ABORT, 'source_records is append-only'); END;
    CREATE TRIGGER source_records_loses_no_rows BEFORE DELETE ON source_records
      BEGIN SELECT RAISE(ABORT, 'source_records is append-only'); END;

    -- the only place of raw text, apart from its record because it is deleted while the record stays; none: there never was any
    CREATE TABLE source_record_raws (
      tenant_id TEXT NOT NULL,
      record_id TEXT NOT NULL,
      source_id TEXT NOT NULL,
      raw TEXT,
      state TEXT NOT NULL CHECK (${oneOf('state', ['none', 'kept', 'deleted', 'failed'])}),
      delete_after TEXT,
      deleted_at TEXT,
      deleted_by TEXT,
      reason TEXT,
      failure TEXT,
      PRIMARY KEY (tenant_id, record_id),
      FOREIGN KEY (tenant_id, record_id) REFERENCES source_records (tenant_id, id),
      CHECK ((raw IS NOT NULL) = (state = 'kept' OR state = 'failed')),
      CHECK ((deleted_at IS NOT NULL) = (state = 'deleted'))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX source_record_raws_due ON source_record_raws (tenant_id, delete_after) WHERE raw IS NOT NULL;

    ALTER TABLE evidence ADD COLUMN source_record_id TEXT;
    CREATE INDEX evidence_by_source_record ON evidence (tenant_id, source_record_id) WHERE source_record_id IS NOT NULL;
    CREATE TRIGGER evidence_has_its_source_record BEFORE INSERT ON evidence
      WHEN NEW.source_record_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM source_records r
        WHERE r.tenant_id = NEW.tenant_id AND r.id = NEW.source_record_id AND r.business_id = NEW.business_id)
      BEGIN SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: evidence names a source record of its business'); END;

    -- a tenant is created by several commands; each gets its built-in entries here, so that none can forget them
    CREATE TRIGGER tenants_have_built_in_sources AFTER INSERT ON tenants
      BEGIN
        ${insertBuiltIns('t.id = NEW.id')}
      END;
    ${insertBuiltIns('TRUE')}
  `,
  },
  {
    name: '2026-11-30-source-raw-counts',
    sql: `
    -- Counting 100,000 raw texts takes 30 ms, and each new source record checks their number. Triggers count, so no write can forget it.
    CREATE TABLE source_raw_counts (
      tenant_id TEXT NOT NULL PRIMARY KEY,
      count INTEGER NOT NULL CHECK (count >= 0)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO source_raw_counts (tenant_id, count)
      SELECT tenant_id, count(*) FROM source_record_raws WHERE raw IS NOT NULL GROUP BY tenant_id;
    CREATE TRIGGER source_record_raws_are_counted AFTER INSERT ON source_record_raws WHEN NEW.raw IS NOT NULL
      BEGIN
        INSERT INTO source_raw_counts (tenant_id, count) VALUES (NEW.tenant_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
      END;
    CREATE TRIGGER source_record_raws_are_recounted AFTER UPDATE OF raw ON source_record_raws
      WHEN (OLD.raw IS NULL) <> (NEW.raw IS NULL)
      BEGIN
        UPDATE source_raw_counts SET count = count + iif(NEW.raw IS NULL, -1, 1) WHERE tenant_id = NEW.tenant_id;
      END;
    CREATE TRIGGER source_record_raws_are_discounted AFTER DELETE ON source_record_raws WHEN OLD.raw IS NOT NULL
      BEGIN UPDATE source_raw_counts SET count = count - 1 WHERE tenant_id = OLD.tenant_id; END;
  `,
  },
  {
    // refused: questions that the platform itself refused, by a budget, the scope, the status or the circuit, before anything was sent
    name: '2026-12-07-source-health-refused',
    sql: 'ALTER TABLE source_health ADD COLUMN refused INTEGER NOT NULL DEFAULT 0',
  },
  {
    name: '2026-12-10-source-files',
    sql: `
    -- label: the source label of the observations that are made from the file
    CREATE TABLE source_files (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      name TEXT NOT NULL,
      label TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      purpose TEXT NOT NULL,
      legal_basis TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, sha256),
      FOREIGN KEY (tenant_id, owner_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT;
    ${appendOnly('source_files')}
  `,
  },
]
