import { appendOnly, type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

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

/** Condition of the one allowed completion of a pending observation. */
const completed = `OLD.status = 'pending' AND NEW.status <> 'pending' AND OLD.erased_at IS NULL AND NEW.erased_at IS NULL
        AND NEW.raw IS OLD.raw AND NEW.raw_deleted_at IS OLD.raw_deleted_at AND ${named} AND ${pasted}`
/** Condition of the deletion of a pasted text when its retention period ends. */
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
  {
    name: '2026-11-28-domain-candidates',
    sql: `
    -- Derived from identifiers: which records use a domain, by their web domains or by their addresses. hosts: those of their web domains.
    CREATE TABLE domain_uses (
      tenant_id TEXT NOT NULL,
      domain TEXT NOT NULL,
      business_id TEXT NOT NULL,
      by_record INTEGER NOT NULL CHECK (by_record IN (0, 1)),
      by_email INTEGER NOT NULL CHECK (by_email IN (0, 1)),
      hosts TEXT NOT NULL CHECK (json_valid(hosts)),
      PRIMARY KEY (tenant_id, domain, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX domain_uses_by_business ON domain_uses (tenant_id, business_id);
    CREATE TRIGGER domain_uses_are_counted AFTER INSERT ON domain_uses
      BEGIN UPDATE domain_names SET uses = uses + 1 WHERE tenant_id = NEW.tenant_id AND domain = NEW.domain; END;
    CREATE TRIGGER domain_uses_are_discounted AFTER DELETE ON domain_uses
      BEGIN UPDATE domain_names SET uses = uses - 1 WHERE tenant_id = OLD.tenant_id AND domain = OLD.domain; END;

    -- Derived from names: what a record is compared with the labels of domains by. rules_version: by which rules its rows were derived.
    CREATE TABLE domain_records (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      label TEXT,
      rules_version TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX domain_records_by_label ON domain_records (tenant_id, label) WHERE label IS NOT NULL;
    CREATE INDEX domain_records_by_version ON domain_records (tenant_id, rules_version);

    -- sequence: how far the audit was followed. list_version: the suffix list by which everything was derived; empty: not yet.
    CREATE TABLE domain_followers (
      tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
      sequence INTEGER NOT NULL,
      list_version TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Written once; what changes of a candidate is in domain_candidate_states. domain: empty once erased.
    CREATE TABLE domain_candidates (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      domain TEXT NOT NULL,
      origin TEXT NOT NULL CHECK (origin = 'derived' OR origin = 'person'),
      reason TEXT,
      previous_id TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, previous_id) REFERENCES domain_candidates (tenant_id, id),
      CHECK ((origin = 'person') = (reason IS NOT NULL))
    ) STRICT;
    CREATE INDEX domain_candidates_by_business ON domain_candidates (tenant_id, business_id, id);
    ${appendOnly('domain_candidates', {
      until: `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.domain = '' AND (NEW.reason IS NULL OR NEW.reason = 'Erased.')
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'origin', 'previous_id', 'created_at', 'created_by')}`,
    })}

    -- The newest evaluation of each candidate and its decision. domain: as in its candidate, for the list.
    CREATE TABLE domain_candidate_states (
      tenant_id TEXT NOT NULL,
      candidate_id TEXT NOT NULL,
      domain TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['open', 'accepted', 'rejected', 'superseded', 'withdrawn'])}),
      band TEXT NOT NULL CHECK (${oneOf('band', ['low', 'medium', 'high'])}),
      evaluation TEXT NOT NULL CHECK (json_valid(evaluation)),
      fingerprint TEXT NOT NULL,
      algorithm_version TEXT NOT NULL,
      normalization_version TEXT NOT NULL,
      suffix_list_version TEXT NOT NULL,
      evaluated_at TEXT NOT NULL,
      decided_at TEXT,
      decided_by TEXT,
      decision_reason TEXT,
      withdrawn_at TEXT,
      withdrawn_by TEXT,
      withdrawal_reason TEXT,
      PRIMARY KEY (tenant_id, candidate_id),
      FOREIGN KEY (tenant_id, candidate_id) REFERENCES domain_candidates (tenant_id, id),
      CHECK ((state = 'open' OR state = 'superseded') = (decided_at IS NULL)),
      CHECK ((state = 'withdrawn') = (withdrawn_at IS NOT NULL)),
      CHECK ((decided_at IS NULL) = (decision_reason IS NULL)),
      CHECK ((withdrawn_at IS NULL) = (withdrawal_reason IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX domain_candidate_states_listed ON domain_candidate_states (tenant_id, state, candidate_id);
    CREATE INDEX domain_candidate_states_by_domain ON domain_candidate_states (tenant_id, domain, state, candidate_id);
    CREATE TRIGGER domain_candidate_states_follow_their_order BEFORE UPDATE OF state ON domain_candidate_states
      WHEN NEW.state IS NOT OLD.state AND NOT (OLD.state = 'open' OR (OLD.state = 'accepted' AND NEW.state = 'withdrawn'))
      BEGIN SELECT RAISE(ABORT, 'a candidate is decided once, and only an accepted one is withdrawn'); END;
    CREATE TRIGGER domain_candidate_states_lose_no_rows BEFORE DELETE ON domain_candidate_states
      BEGIN SELECT RAISE(ABORT, 'domain_candidate_states loses no rows'); END;
    CREATE TRIGGER domain_candidate_states_are_counted AFTER INSERT ON domain_candidate_states
      BEGIN
        UPDATE domain_names SET candidates = candidates + 1, open_candidates = open_candidates + (NEW.state = 'open')
          WHERE tenant_id = NEW.tenant_id AND domain = NEW.domain;
      END;
    CREATE TRIGGER domain_candidate_states_are_recounted AFTER UPDATE OF state, domain ON domain_candidate_states
      WHEN NEW.state IS NOT OLD.state OR NEW.domain IS NOT OLD.domain
      BEGIN
        UPDATE domain_names SET candidates = candidates - (NEW.domain = ''), open_candidates = open_candidates - (OLD.state = 'open')
          WHERE tenant_id = OLD.tenant_id AND domain = OLD.domain;
      END;

    CREATE TABLE domain_associations (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      domain TEXT NOT NULL,
      candidate_id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, candidate_id) REFERENCES domain_candidates (tenant_id, id)
    ) STRICT;
    CREATE UNIQUE INDEX domain_associations_once ON domain_associations (tenant_id, candidate_id);
    CREATE INDEX domain_associations_by_domain ON domain_associations (tenant_id, domain, id);
    CREATE INDEX domain_associations_by_business ON domain_associations (tenant_id, business_id, id);
    ${appendOnly('domain_associations', {
      until: `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.domain = '' AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'candidate_id', 'created_at', 'created_by')}`,
    })}
  `,
  },
  {
    // Remove the index on the skeleton. Similar domains are found by their letters, which are derived from the skeleton.
    name: '2026-11-29-domain-names-by-letters-only',
    sql: 'DROP INDEX domain_names_by_skeleton',
  },
  {
    // due_at: when the evidence of an open candidate is next too old for its evaluation; null if age cannot change the evaluation
    name: '2026-12-07-domain-candidates-age',
    sql: `
    ALTER TABLE domain_candidate_states ADD COLUMN due_at TEXT;
    CREATE INDEX domain_candidate_states_due ON domain_candidate_states (tenant_id, due_at) WHERE state = 'open' AND due_at IS NOT NULL;
  `,
  },
  {
    // host: as it was typed, or as the first evidence that names one states it; null for a name alone, and once erased
    name: '2026-12-11-domain-candidates-host',
    sql: `
    ALTER TABLE domain_candidates ADD COLUMN host TEXT;
    DROP TRIGGER domain_candidates_keeps_rows;
    DROP TRIGGER domain_candidates_loses_no_rows;
    ${appendOnly('domain_candidates', {
      until: `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.domain = '' AND NEW.host IS NULL AND (NEW.reason IS NULL OR NEW.reason = 'Erased.')
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'origin', 'previous_id', 'created_at', 'created_by')}`,
    })}
  `,
  },
]
