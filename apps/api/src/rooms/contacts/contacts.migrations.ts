import { appendOnly, type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

export const contactsMigrations: readonly Migration[] = [
  {
    name: '2026-11-29-contacts',
    sql: `
    -- the newest row of a tenant is its enablement; checklist and limits: JSON
    CREATE TABLE contact_enablements (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['disabled', 'enabled', 'lapsed'])}),
      reason TEXT NOT NULL,
      checklist TEXT NOT NULL,
      extractor_version INTEGER NOT NULL,
      policy_version INTEGER NOT NULL,
      limits TEXT NOT NULL,
      valid_until TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CHECK ((valid_until IS NOT NULL) = (state = 'enabled'))
    ) STRICT;
    ${appendOnly('contact_enablements')}

    CREATE TABLE extractions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      scan_ids TEXT NOT NULL,
      extractor_version INTEGER NOT NULL,
      policy_version INTEGER NOT NULL,
      limits TEXT NOT NULL,
      requested_at TEXT NOT NULL,
      requested_by TEXT NOT NULL,
      job_id TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;
    CREATE INDEX extractions_by_business ON extractions (tenant_id, business_id, id);
    ${appendOnly('extractions')}

    -- reasons, not_read, counts: JSON
    CREATE TABLE extraction_results (
      tenant_id TEXT NOT NULL,
      extraction_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['queued', 'running', 'complete', 'deferred', 'blocked', 'unknown', 'failed', 'cancelled'])}),
      reasons TEXT NOT NULL,
      not_read TEXT NOT NULL,
      counts TEXT NOT NULL,
      ended_at TEXT,
      emptied_at TEXT,
      PRIMARY KEY (tenant_id, extraction_id),
      FOREIGN KEY (tenant_id, extraction_id) REFERENCES extractions (tenant_id, id),
      CHECK ((ended_at IS NULL) = (state = 'queued' OR state = 'running'))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX extraction_results_open ON extraction_results (tenant_id, extraction_id) WHERE ended_at IS NULL;
    CREATE INDEX extraction_results_failed ON extraction_results (tenant_id, extraction_id) WHERE state = 'failed';
    CREATE TRIGGER extraction_results_end_once BEFORE UPDATE ON extraction_results
      WHEN OLD.ended_at IS NOT NULL AND (NEW.ended_at IS NOT OLD.ended_at OR NEW.state IS NOT OLD.state)
      BEGIN SELECT RAISE(ABORT, 'an extraction ends once'); END;
    CREATE TRIGGER extraction_results_lose_no_rows BEFORE DELETE ON extraction_results
      BEGIN SELECT RAISE(ABORT, 'extraction_results loses no rows'); END;

    -- extractions of one day in UTC
    CREATE TABLE extraction_counts (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      day TEXT NOT NULL,
      requested INTEGER NOT NULL,
      PRIMARY KEY (tenant_id, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE contact_candidates (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      extraction_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind = 'email' OR kind = 'phone'),
      created_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, extraction_id) REFERENCES extractions (tenant_id, id)
    ) STRICT;
    CREATE INDEX contact_candidates_by_business ON contact_candidates (tenant_id, business_id, id);
    ${appendOnly('contact_candidates')}

    -- value, normalized, identity and domain are null once emptied; confidence: JSON
    CREATE TABLE contact_candidate_states (
      tenant_id TEXT NOT NULL,
      candidate_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['open', 'known', 'quarantined', 'accepted', 'rejected', 'suppressed', 'expired'])}),
      value TEXT,
      normalized TEXT,
      normalization_version TEXT NOT NULL,
      uncertainty TEXT,
      identity TEXT,
      domain TEXT,
      rule TEXT,
      confidence TEXT NOT NULL,
      syntax TEXT NOT NULL CHECK (${oneOf('syntax', ['valid', 'unusual', 'invalid'])}),
      is_role INTEGER NOT NULL,
      is_free_mail INTEGER NOT NULL,
      delete_after TEXT NOT NULL,
      emptied_at TEXT,
      PRIMARY KEY (tenant_id, candidate_id),
      FOREIGN KEY (tenant_id, candidate_id) REFERENCES contact_candidates (tenant_id, id),
      CHECK ((emptied_at IS NULL) = (value IS NOT NULL)),
      CHECK ((emptied_at IS NULL) = (identity IS NOT NULL)),
      CHECK ((state <> 'suppressed' AND state <> 'expired') OR emptied_at IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX contact_candidate_states_listed ON contact_candidate_states (tenant_id, state, candidate_id);
    CREATE INDEX contact_candidate_states_by_rule ON contact_candidate_states (tenant_id, rule, candidate_id) WHERE rule IS NOT NULL;
    CREATE INDEX contact_candidate_states_by_business ON contact_candidate_states (tenant_id, business_id, candidate_id);
    CREATE INDEX contact_candidate_states_filled ON contact_candidate_states (tenant_id, candidate_id) WHERE emptied_at IS NULL;
    CREATE INDEX contact_candidate_states_due ON contact_candidate_states (tenant_id, delete_after) WHERE emptied_at IS NULL;
    CREATE UNIQUE INDEX contact_candidate_states_once ON contact_candidate_states (tenant_id, business_id, identity)
      WHERE identity IS NOT NULL AND state <> 'rejected';
    CREATE TRIGGER contact_candidate_states_stay_empty BEFORE UPDATE ON contact_candidate_states
      WHEN OLD.emptied_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'an emptied contact candidate stays empty'); END;
    CREATE TRIGGER contact_candidate_states_stay_decided BEFORE UPDATE OF state ON contact_candidate_states
      WHEN (OLD.state = 'accepted' OR OLD.state = 'rejected') AND NEW.state IS NOT OLD.state
      BEGIN SELECT RAISE(ABORT, 'a decided contact candidate stays decided'); END;
    CREATE TRIGGER contact_candidate_states_lose_no_rows BEFORE DELETE ON contact_candidate_states
      BEGIN SELECT RAISE(ABORT, 'contact_candidate_states loses no rows'); END;

    -- one for each page; what the page said is null once the candidate is emptied
    CREATE TABLE contact_sightings (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      candidate_id TEXT NOT NULL,
      extraction_id TEXT NOT NULL,
      scan_id TEXT NOT NULL,
      site_id TEXT NOT NULL,
      page_url TEXT,
      page_title TEXT,
      location TEXT,
      context TEXT,
      method TEXT NOT NULL CHECK (${oneOf('method', ['text', 'mailto', 'tel', 'chat_link', 'microdata', 'h_card', 'hcard', 'json_ld'])}),
      rule TEXT,
      result TEXT NOT NULL CHECK (${oneOf('result', ['open', 'known', 'quarantined'])}),
      observed_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, candidate_id) REFERENCES contact_candidates (tenant_id, id),
      FOREIGN KEY (tenant_id, extraction_id) REFERENCES extractions (tenant_id, id)
    ) STRICT;
    CREATE INDEX contact_sightings_by_candidate ON contact_sightings (tenant_id, candidate_id, id);
    CREATE INDEX contact_sightings_by_extraction ON contact_sightings (tenant_id, extraction_id, candidate_id);
    CREATE INDEX contact_sightings_by_site ON contact_sightings (tenant_id, site_id, candidate_id);
    ${appendOnly('contact_sightings', {
      until: `NEW.page_url IS NULL AND NEW.page_title IS NULL AND NEW.location IS NULL AND NEW.context IS NULL
        AND ${unchangedColumns('tenant_id', 'id', 'candidate_id', 'extraction_id', 'scan_id', 'site_id', 'method', 'rule', 'result', 'observed_at')}`,
    })}

    CREATE TABLE contact_decisions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      candidate_id TEXT NOT NULL,
      decision TEXT NOT NULL CHECK (${oneOf('decision', ['accept', 'reject', 'release'])}),
      reason TEXT,
      fingerprint TEXT NOT NULL,
      evidence_id TEXT,
      added_to_record INTEGER NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, candidate_id) REFERENCES contact_candidates (tenant_id, id),
      CHECK ((evidence_id IS NOT NULL) = (decision = 'accept')),
      CHECK (decision = 'accept' OR reason IS NOT NULL)
    ) STRICT;
    CREATE INDEX contact_decisions_by_candidate ON contact_decisions (tenant_id, candidate_id, id);
    ${appendOnly('contact_decisions', {
      until: `NEW.reason IS 'Erased.' AND ${unchangedColumns('tenant_id', 'id', 'candidate_id', 'decision', 'fingerprint', 'evidence_id', 'added_to_record', 'at', 'actor')}`,
    })}

    -- hash: of the value, under a secret of the tenant
    CREATE TABLE contact_rejections (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      hash TEXT NOT NULL,
      candidate_id TEXT NOT NULL,
      rejected_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id, hash),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    // region: country with which a number in local form was read, that of the workspace or one that a person stated
    name: '2026-12-10-contact-candidates-country',
    sql: 'ALTER TABLE contact_candidate_states ADD COLUMN region TEXT',
  },
  {
    // By which a collection of everything held about a value finds candidates.
    name: '2026-12-15-contact-candidates-by-value',
    sql: `
    CREATE INDEX contact_candidate_states_by_value ON contact_candidate_states (tenant_id, normalized, business_id)
      WHERE normalized IS NOT NULL;
  `,
  },
]
