import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

/** As a chain of comparisons: SQLite builds a table for a list of three and more at each insert. */
const oneOf = (column: string, values: readonly string[]) =>
  `(${values.map((value) => `${column} = '${value}'`).join(' OR ')})`

const statuses = ['pending', 'resolved', 'no_data', 'nxdomain', 'servfail', 'timeout', 'blocked', 'error']

const identity = unchangedColumns(
  'tenant_id',
  'id',
  'kind',
  'origin',
  'source_id',
  'query_id',
  'job_id',
  'policy_version',
  'normalization_version',
  'suffix_list_version',
  'created_at',
  'created_by',
)
const named = unchangedColumns('name', 'domain')
const answered = unchangedColumns(
  'status',
  'records',
  'aliases',
  'resolver',
  'observed_at',
  'ttl',
  'is_truncated',
  'is_partial',
  'reason',
)
const pasted = unchangedColumns('raw_sha256', 'raw_delete_after')

/** A pending observation is completed once. */
const completed = `OLD.status = 'pending' AND NEW.status <> 'pending' AND OLD.erased_at IS NULL AND NEW.erased_at IS NULL
        AND NEW.raw IS OLD.raw AND NEW.raw_deleted_at IS OLD.raw_deleted_at AND ${named} AND ${pasted}`
/** Its pasted text is deleted when its retention class ends. */
const withoutText = `OLD.raw IS NOT NULL AND NEW.raw IS NULL AND NEW.raw_deleted_at IS NOT NULL AND NEW.erased_at IS OLD.erased_at
        AND ${named} AND ${answered} AND ${pasted}`
const emptied = `OLD.erased_at IS NULL AND EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.at = NEW.erased_at)
        AND NEW.name IS NULL AND NEW.domain IS NULL AND NEW.records = '[]' AND NEW.aliases = '[]' AND NEW.resolver IS NULL
        AND NEW.raw IS NULL AND NEW.raw_sha256 IS NULL
        AND ${unchangedColumns('status', 'observed_at', 'ttl', 'is_truncated', 'is_partial', 'reason')}`

export const domainsMigrations: readonly Migration[] = [
  {
    name: '2026-11-27-domains',
    sql: `
    -- Every registrable domain that the tenant knows. label, skeleton, letters: what its first label is compared by.
    -- Triggers keep the counts, and delete a domain that nothing refers to any more.
    CREATE TABLE domain_names (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      domain TEXT NOT NULL,
      label TEXT NOT NULL,
      skeleton TEXT NOT NULL,
      letters TEXT NOT NULL,
      uses INTEGER NOT NULL DEFAULT 0 CHECK (uses >= 0),
      observations INTEGER NOT NULL DEFAULT 0 CHECK (observations >= 0),
      open_candidates INTEGER NOT NULL DEFAULT 0 CHECK (open_candidates >= 0),
      candidates INTEGER NOT NULL DEFAULT 0 CHECK (candidates >= 0),
      last_observed_at TEXT,
      PRIMARY KEY (tenant_id, domain)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX domain_names_by_label ON domain_names (tenant_id, label);
    CREATE INDEX domain_names_by_skeleton ON domain_names (tenant_id, skeleton);
    CREATE INDEX domain_names_by_letters ON domain_names (tenant_id, letters);
    CREATE INDEX domain_names_waiting ON domain_names (tenant_id, domain) WHERE open_candidates > 0;
    CREATE TRIGGER domain_names_are_known AFTER UPDATE ON domain_names
      WHEN NEW.uses = 0 AND NEW.observations = 0 AND NEW.candidates = 0
      BEGIN DELETE FROM domain_names WHERE tenant_id = NEW.tenant_id AND domain = NEW.domain; END;

    -- One name, one kind of record, one look-up. name, domain: null once erased. raw: what a person pasted, deleted after its retention class.
    CREATE TABLE dns_observations (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      name TEXT,
      domain TEXT,
      kind TEXT NOT NULL CHECK (${oneOf('kind', ['MX', 'NS', 'TXT'])}),
      status TEXT NOT NULL CHECK (${oneOf('status', statuses)}),
      records TEXT NOT NULL CHECK (json_valid(records)),
      aliases TEXT NOT NULL CHECK (json_valid(aliases)),
      resolver TEXT,
      origin TEXT NOT NULL CHECK (origin = 'operator' OR origin = 'adapter'),
      observed_at TEXT,
      ttl INTEGER CHECK (ttl BETWEEN 0 AND 86400),
      is_truncated INTEGER NOT NULL CHECK (is_truncated IN (0, 1)),
      is_partial INTEGER NOT NULL CHECK (is_partial IN (0, 1)),
      reason TEXT,
      policy_version TEXT NOT NULL,
      normalization_version TEXT NOT NULL,
      suffix_list_version TEXT NOT NULL,
      source_id TEXT,
      query_id TEXT,
      job_id TEXT,
      raw TEXT,
      raw_sha256 TEXT,
      raw_delete_after TEXT,
      raw_deleted_at TEXT,
      erased_at TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, source_id) REFERENCES sources (tenant_id, id),
      CHECK ((name IS NULL) = (erased_at IS NOT NULL)),
      CHECK ((name IS NULL) = (domain IS NULL)),
      CHECK ((origin = 'adapter') = (source_id IS NOT NULL)),
      CHECK ((status = 'pending') = (observed_at IS NULL)),
      CHECK ((status = 'blocked' OR status = 'error') = (reason IS NOT NULL)),
      CHECK (status <> 'pending' OR job_id IS NOT NULL)
    ) STRICT;
    CREATE INDEX dns_observations_by_domain ON dns_observations (tenant_id, domain, id) WHERE domain IS NOT NULL;
    CREATE INDEX dns_observations_by_name ON dns_observations (tenant_id, name, kind, id) WHERE name IS NOT NULL;
    CREATE INDEX dns_observations_by_kind ON dns_observations (tenant_id, kind, id) WHERE name IS NOT NULL;
    CREATE INDEX dns_observations_by_status ON dns_observations (tenant_id, status, id) WHERE name IS NOT NULL;
    CREATE INDEX dns_observations_by_query ON dns_observations (tenant_id, query_id) WHERE query_id IS NOT NULL;
    CREATE INDEX dns_observations_due ON dns_observations (tenant_id, raw_delete_after) WHERE raw IS NOT NULL;
    ${appendOnly('dns_observations', { until: `${identity} AND ((${completed}) OR (${withoutText}) OR (${emptied}))` })}

    -- References to observations that may answer a later question. used: rises with every use.
    CREATE TABLE dns_cache (
      tenant_id TEXT NOT NULL,
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (${oneOf('kind', ['MX', 'NS', 'TXT'])}),
      class TEXT NOT NULL CHECK (class = 'IN'),
      policy_version TEXT NOT NULL,
      observation_id TEXT NOT NULL,
      domain TEXT NOT NULL,
      suffix_list_version TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      used INTEGER NOT NULL,
      PRIMARY KEY (tenant_id, name, kind, class, policy_version),
      FOREIGN KEY (tenant_id, observation_id) REFERENCES dns_observations (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX dns_cache_by_use ON dns_cache (tenant_id, used);
    CREATE INDEX dns_cache_by_domain ON dns_cache (tenant_id, domain);
    CREATE INDEX dns_cache_by_observation ON dns_cache (tenant_id, observation_id);

    CREATE TRIGGER dns_observations_are_counted AFTER INSERT ON dns_observations
      BEGIN
        UPDATE domain_names SET observations = observations + 1, last_observed_at = max(coalesce(last_observed_at, ''), NEW.created_at)
          WHERE tenant_id = NEW.tenant_id AND domain = NEW.domain;
      END;
    CREATE TRIGGER dns_observations_are_discounted AFTER UPDATE OF domain ON dns_observations WHEN NEW.domain IS NULL
      BEGIN
        UPDATE domain_names SET observations = observations - 1 WHERE tenant_id = OLD.tenant_id AND domain = OLD.domain;
      END;
  `,
  },
]
