import { appendOnly, type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

const erased = (businessOf: string) =>
  `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = ${businessOf})`

export const assistMigrations: readonly Migration[] = [
  {
    name: '2026-11-28-assist',
    sql: `
    -- content: JSON; a version is never edited, its state moves on
    CREATE TABLE assist_policies (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      content TEXT NOT NULL CHECK (json_valid(content)),
      fingerprint TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['draft', 'in_review', 'approved', 'rejected', 'expired', 'superseded', 'withdrawn'])}),
      submitted_at TEXT,
      submitted_by TEXT,
      decided_at TEXT,
      decided_by TEXT,
      decision_reason TEXT,
      ends_at TEXT,
      ended_at TEXT,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, version)
    ) STRICT;
    CREATE UNIQUE INDEX assist_policies_approved_once ON assist_policies (tenant_id) WHERE state = 'approved';
    CREATE TRIGGER assist_policies_keep_content BEFORE UPDATE ON assist_policies
      WHEN NOT (${unchangedColumns('tenant_id', 'id', 'version', 'content', 'fingerprint', 'created_at', 'created_by')})
        OR OLD.state = 'rejected' OR OLD.state = 'expired' OR OLD.state = 'superseded' OR OLD.state = 'withdrawn'
      BEGIN SELECT RAISE(ABORT, 'a policy version is never edited, and an ended one stays ended'); END;
    CREATE TRIGGER assist_policies_lose_no_rows BEFORE DELETE ON assist_policies
      BEGIN SELECT RAISE(ABORT, 'assist_policies loses no rows'); END;

    -- evidence: JSON, ids and content hashes; the hashes and '[]' after an erasure
    CREATE TABLE assist_suggestions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      purpose TEXT NOT NULL CHECK (purpose IN ('prospect_summary', 'draft_text')),
      job_id TEXT NOT NULL,
      policy_id TEXT NOT NULL,
      evidence TEXT NOT NULL CHECK (json_valid(evidence)),
      evidence_hash TEXT NOT NULL,
      content_hash TEXT NOT NULL,
      requested_at TEXT NOT NULL,
      requested_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES assist_policies (tenant_id, id)
    ) STRICT;
    CREATE INDEX assist_suggestions_by_business ON assist_suggestions (tenant_id, business_id, id);
    ${appendOnly('assist_suggestions', {
      until: `${erased('OLD.business_id')} AND NEW.evidence IS '[]' AND NEW.evidence_hash IS '' AND NEW.content_hash IS ''
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'purpose', 'job_id', 'policy_id', 'requested_at', 'requested_by')}`,
    })}

    -- result, claims, versions, usage: JSON
    CREATE TABLE assist_results (
      tenant_id TEXT NOT NULL,
      suggestion_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['queued', 'running', 'proposed', 'no_result', 'approved', 'rejected', 'invalidated', 'expired'])}),
      result TEXT,
      claims TEXT NOT NULL CHECK (json_valid(claims)),
      fingerprint TEXT,
      versions TEXT,
      source_id TEXT,
      fallback_used INTEGER NOT NULL CHECK (fallback_used IN (0, 1)),
      usage TEXT,
      proposed_at TEXT,
      decided_at TEXT,
      decided_by TEXT,
      decision_reason TEXT,
      decision_event_id TEXT,
      state_code TEXT,
      state_since TEXT NOT NULL,
      state_subject TEXT,
      PRIMARY KEY (tenant_id, suggestion_id),
      FOREIGN KEY (tenant_id, suggestion_id) REFERENCES assist_suggestions (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX assist_results_open ON assist_results (tenant_id, suggestion_id)
      WHERE state = 'queued' OR state = 'running' OR state = 'proposed' OR state = 'approved';
    CREATE TRIGGER assist_results_end_once BEFORE UPDATE ON assist_results
      WHEN NEW.state IS NOT OLD.state AND NOT (
        (OLD.state = 'queued' AND (NEW.state = 'running' OR NEW.state = 'no_result'))
        OR (OLD.state = 'running' AND (NEW.state = 'proposed' OR NEW.state = 'no_result'))
        OR (OLD.state = 'proposed' AND (NEW.state = 'approved' OR NEW.state = 'rejected' OR NEW.state = 'invalidated' OR NEW.state = 'expired'))
        OR (OLD.state = 'approved' AND (NEW.state = 'invalidated' OR NEW.state = 'expired')))
      BEGIN SELECT RAISE(ABORT, 'a suggestion does not go back'); END;
    CREATE TRIGGER assist_results_lose_no_rows BEFORE DELETE ON assist_results
      BEGIN SELECT RAISE(ABORT, 'assist_results loses no rows'); END;

    CREATE TABLE assist_events (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      subject TEXT NOT NULL CHECK (subject IN ('policy', 'suggestion')),
      subject_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      code TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id)
    ) STRICT;
    CREATE INDEX assist_events_by_subject ON assist_events (tenant_id, subject_id, id);
    ${appendOnly('assist_events')}

    -- Integers; costs in minor units. A settlement holds the difference from its reservation and counts when that did.
    CREATE TABLE assist_usage (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind = 'reservation' OR kind = 'settlement' OR kind = 'correction'),
      suggestion_id TEXT,
      reservation_id TEXT,
      adapter_id TEXT NOT NULL,
      calls INTEGER NOT NULL,
      tokens INTEGER NOT NULL,
      cost INTEGER NOT NULL,
      counts_at TEXT NOT NULL,
      lease_until TEXT,
      reason TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, reservation_id) REFERENCES assist_usage (tenant_id, id),
      CHECK ((kind = 'settlement') = (reservation_id IS NOT NULL)),
      CHECK ((kind = 'correction') = (reason IS NOT NULL)),
      CHECK ((kind = 'reservation') = (lease_until IS NOT NULL))
    ) STRICT;
    CREATE INDEX assist_usage_by_tenant ON assist_usage (tenant_id, counts_at);
    CREATE INDEX assist_usage_by_adapter ON assist_usage (adapter_id, counts_at);
    CREATE UNIQUE INDEX assist_usage_settled_once ON assist_usage (tenant_id, reservation_id) WHERE reservation_id IS NOT NULL;
    ${appendOnly('assist_usage')}

    -- body: null where it is not stored, or after its retention period
    CREATE TABLE assist_exchanges (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      suggestion_id TEXT NOT NULL,
      direction TEXT NOT NULL CHECK (direction IN ('sent', 'received')),
      body TEXT,
      bytes INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      at TEXT NOT NULL,
      delete_after TEXT,
      emptied_at TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, suggestion_id) REFERENCES assist_suggestions (tenant_id, id)
    ) STRICT;
    CREATE INDEX assist_exchanges_by_suggestion ON assist_exchanges (tenant_id, suggestion_id, id);
    CREATE INDEX assist_exchanges_due ON assist_exchanges (tenant_id, delete_after) WHERE body IS NOT NULL;
    ${appendOnly('assist_exchanges', {
      until: `NEW.body IS NULL AND NEW.emptied_at IS NOT NULL AND (NEW.sha256 IS OLD.sha256 OR NEW.sha256 IS '')
        AND ${unchangedColumns('tenant_id', 'id', 'suggestion_id', 'direction', 'bytes', 'at', 'delete_after')}`,
    })}
  `,
  },
  {
    // Nothing read this copy of what the audit records.
    name: '2026-11-29-assist-one-history',
    rewrites: true,
    sql: 'DROP TABLE assist_events;',
  },
]
