import { appendOnly, type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

export const scanningMigrations: readonly Migration[] = [
  {
    name: '2026-11-27-scanning',
    sql: `
    -- url: as it is stored; null once the contents of the scan were emptied
    CREATE TABLE scans (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      origin TEXT NOT NULL CHECK (origin = 'supplied' OR origin = 'fetched'),
      url TEXT,
      requested_at TEXT NOT NULL,
      requested_by TEXT NOT NULL,
      job_id TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;
    CREATE INDEX scans_by_business ON scans (tenant_id, business_id, id);
    ${appendOnly('scans', {
      until: `NEW.url IS NULL AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'origin', 'requested_at', 'requested_by', 'job_id')}`,
    })}

    -- reasons: JSON; applied and spent: JSON, the budgets; delete_after: when the contents are emptied
    CREATE TABLE scan_results (
      tenant_id TEXT NOT NULL,
      scan_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['deferred', 'queued', 'running', 'complete', 'incomplete', 'blocked', 'cancelled'])}),
      reasons TEXT NOT NULL,
      observed_at TEXT,
      ended_at TEXT,
      scanner_version INTEGER NOT NULL,
      policy_version INTEGER NOT NULL,
      address_policy_version INTEGER NOT NULL,
      dns_policy_version INTEGER,
      applied TEXT NOT NULL,
      spent TEXT NOT NULL,
      expires_at TEXT,
      cache_status TEXT NOT NULL CHECK (${oneOf('cache_status', ['miss', 'bypass', 'not_cached'])}),
      delete_after TEXT,
      emptied_at TEXT,
      PRIMARY KEY (tenant_id, scan_id),
      FOREIGN KEY (tenant_id, scan_id) REFERENCES scans (tenant_id, id),
      CHECK ((ended_at IS NULL) = (state = 'queued' OR state = 'running'))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX scan_results_open ON scan_results (tenant_id, scan_id) WHERE ended_at IS NULL;
    CREATE INDEX scan_results_due ON scan_results (tenant_id, delete_after) WHERE emptied_at IS NULL AND delete_after IS NOT NULL;
    CREATE TRIGGER scan_results_end_once BEFORE UPDATE ON scan_results
      WHEN OLD.ended_at IS NOT NULL AND (NEW.ended_at IS NOT OLD.ended_at
        OR (NEW.state IS NOT OLD.state AND NEW.state <> 'incomplete' AND NEW.state <> 'blocked'))
      BEGIN SELECT RAISE(ABORT, 'a scan ends once, and only a re-evaluation makes its result worse'); END;
    CREATE TRIGGER scan_results_lose_no_rows BEFORE DELETE ON scan_results
      BEGIN SELECT RAISE(ABORT, 'scan_results loses no rows'); END;

    -- outcome: null while the page is read; facts: JSON, never the page itself; reasons, suspected: JSON
    CREATE TABLE scan_pages (
      tenant_id TEXT NOT NULL,
      scan_id TEXT NOT NULL,
      position INTEGER NOT NULL CHECK (position >= 0),
      url TEXT NOT NULL,
      role TEXT NOT NULL CHECK (${oneOf('role', ['start', 'contact', 'about', 'other'])}),
      outcome TEXT CHECK (${oneOf('outcome', ['read', 'read_in_part', 'not_read', 'refused', 'deferred', 'blocked', 'interrupted'])}),
      facts TEXT,
      class TEXT NOT NULL CHECK (${oneOf('class', ['content', 'empty', 'needs_script', 'error', 'not_html', 'unreadable', 'unknown'])}),
      suspected TEXT NOT NULL,
      reasons TEXT NOT NULL,
      retry_at TEXT,
      PRIMARY KEY (tenant_id, scan_id, position),
      FOREIGN KEY (tenant_id, scan_id) REFERENCES scans (tenant_id, id)
    ) STRICT, WITHOUT ROWID;

    -- the redirect chain of a page: each address that was judged, and the verdict
    CREATE TABLE scan_hops (
      tenant_id TEXT NOT NULL,
      scan_id TEXT NOT NULL,
      page INTEGER NOT NULL,
      position INTEGER NOT NULL CHECK (position >= 0),
      url TEXT NOT NULL,
      status INTEGER,
      address TEXT,
      verdict TEXT NOT NULL CHECK (verdict = 'allowed' OR verdict = 'denied'),
      reason TEXT,
      PRIMARY KEY (tenant_id, scan_id, page, position),
      FOREIGN KEY (tenant_id, scan_id, page) REFERENCES scan_pages (tenant_id, scan_id, position)
    ) STRICT, WITHOUT ROWID;

    -- scans of one day in UTC
    CREATE TABLE scan_counts (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      day TEXT NOT NULL,
      fetched INTEGER NOT NULL DEFAULT 0,
      supplied INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, day)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX scan_counts_by_day ON scan_counts (day, fetched);
  `,
  },
  {
    name: '2026-11-27-scanning-official-sites',
    sql: `
    -- host: null once it was erased
    CREATE TABLE official_sites (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      host TEXT,
      origin TEXT NOT NULL CHECK (origin = 'person' OR origin = 'domain_association'),
      domain_candidate_id TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;
    CREATE INDEX official_sites_by_business ON official_sites (tenant_id, business_id, id);
    CREATE INDEX official_sites_by_host ON official_sites (tenant_id, host) WHERE host IS NOT NULL;
    ${appendOnly('official_sites', {
      until: `NEW.host IS NULL AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'origin', 'domain_candidate_id', 'created_at', 'created_by')}
        AND EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)`,
    })}

    -- fingerprint: what the person saw; empty where the clock decided
    CREATE TABLE official_site_decisions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      site_id TEXT NOT NULL,
      decision TEXT NOT NULL CHECK (${oneOf('decision', ['approve', 'decline', 'withdraw', 'expire'])}),
      reason TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      valid_until TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, site_id) REFERENCES official_sites (tenant_id, id),
      CHECK ((valid_until IS NOT NULL) = (decision = 'approve'))
    ) STRICT;
    CREATE INDEX official_site_decisions_by_site ON official_site_decisions (tenant_id, site_id, id);
    CREATE INDEX official_site_decisions_by_end ON official_site_decisions (tenant_id, valid_until) WHERE valid_until IS NOT NULL;
    ${appendOnly('official_site_decisions', {
      until: `NEW.reason IS 'Erased.' AND ${unchangedColumns('tenant_id', 'id', 'site_id', 'decision', 'fingerprint', 'valid_until', 'at', 'actor')}`,
    })}
  `,
  },
  {
    name: '2026-11-27-scanning-policies',
    sql: `
    CREATE TABLE scan_policies (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      based_on INTEGER NOT NULL,
      bounds TEXT NOT NULL,
      retention_days INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, version)
    ) STRICT;
    ${appendOnly('scan_policies')}
    CREATE TABLE scan_policy_approvals (
      tenant_id TEXT NOT NULL,
      version INTEGER NOT NULL,
      reason TEXT NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, version),
      FOREIGN KEY (tenant_id, version) REFERENCES scan_policies (tenant_id, version)
    ) STRICT;
    ${appendOnly('scan_policy_approvals')}
  `,
  },
  {
    name: '2026-11-28-scanning-fetched-pages',
    sql: `
    -- the versions of the last re-evaluation; null: it was not evaluated again
    ALTER TABLE scan_results ADD COLUMN evaluated_by TEXT;

    -- url_hash: SHA-256 of the whole address; the least recently used entries leave
    CREATE TABLE scan_cache (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      url_hash TEXT NOT NULL,
      scan_id TEXT NOT NULL,
      used_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id, url_hash),
      FOREIGN KEY (tenant_id, scan_id) REFERENCES scans (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX scan_cache_by_use ON scan_cache (tenant_id, used_at);
    CREATE INDEX scan_cache_by_scan ON scan_cache (tenant_id, scan_id);
  `,
  },
  {
    // A version or a request is rejected everywhere else, and this decision was called "decline".
    name: '2026-12-04-scanning-sites-are-rejected',
    rewrites: true,
    sql: `
    CREATE TABLE new_official_site_decisions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      site_id TEXT NOT NULL,
      decision TEXT NOT NULL CHECK (${oneOf('decision', ['approve', 'reject', 'withdraw', 'expire'])}),
      reason TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      valid_until TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, site_id) REFERENCES official_sites (tenant_id, id),
      CHECK ((valid_until IS NOT NULL) = (decision = 'approve'))
    ) STRICT;
    INSERT INTO new_official_site_decisions
      SELECT tenant_id, id, site_id, iif(decision = 'decline', 'reject', decision), reason, fingerprint, valid_until, at, actor
      FROM official_site_decisions;
    DROP TABLE official_site_decisions;
    ALTER TABLE new_official_site_decisions RENAME TO official_site_decisions;
    CREATE INDEX official_site_decisions_by_site ON official_site_decisions (tenant_id, site_id, id);
    CREATE INDEX official_site_decisions_by_end ON official_site_decisions (tenant_id, valid_until) WHERE valid_until IS NOT NULL;
    ${appendOnly('official_site_decisions', {
      until: `NEW.reason IS 'Erased.' AND ${unchangedColumns('tenant_id', 'id', 'site_id', 'decision', 'fingerprint', 'valid_until', 'at', 'actor')}`,
    })}
  `,
  },
]
