import { appendOnly, type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

const erasedWith = (business: string) =>
  `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = ${business})`
const businessOfDraft = '(SELECT d.business_id FROM drafts d WHERE d.tenant_id = OLD.tenant_id AND d.id = OLD.draft_id)'

const erasedVersion = `${erasedWith('OLD.business_id')}
        AND NEW.recipient_value IS '' AND NEW.recipient_normalized IS NULL AND NEW.subject IS NULL AND NEW.text IS ''
        AND NEW.no_citation_reason IS NULL AND NEW.acknowledgements IS '[]'
        AND ${unchangedColumns('tenant_id', 'id', 'draft_id', 'business_id', 'number', 'jurisdiction', 'channel', 'purpose')}
        AND ${unchangedColumns('language', 'recipient_kind', 'suggestion_id', 'template_id', 'content_hash', 'created_at', 'created_by')}`
const erasedCitation = `${erasedWith(businessOfDraft)} AND NEW.quote IS NULL
        AND ${unchangedColumns('tenant_id', 'draft_id', 'number', 'marker', 'evidence_id', 'evidence_hash')}`
const erasedEvent = `${erasedWith(businessOfDraft)} AND NEW.reason IS NULL
        AND ${unchangedColumns('tenant_id', 'id', 'draft_id', 'kind', 'version', 'causes', 'at', 'actor')}`
const erasedBasis = `${erasedWith('OLD.business_id')}
        AND NEW.recipient_value IS NULL AND NEW.recipient_normalized IS NULL AND NEW.document_reference IS NULL
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'kind', 'channels', 'purpose', 'jurisdiction', 'recipient_kind')}
        AND ${unchangedColumns('evidence_id', 'valid_from', 'valid_until', 'created_at', 'created_by')}`
const erasedFormedBasis = `${erasedBasis}
        AND NEW.agreed_to IS NULL AND NEW.recording_reference IS NULL AND NEW.sale IS NULL AND ${unchangedColumns('form', 'language', 'sold_on')}`
const erasedWithdrawal = `${erasedWith('(SELECT b.business_id FROM legal_bases b WHERE b.tenant_id = OLD.tenant_id AND b.id = OLD.basis_id)')}
        AND NEW.reason IS NULL AND ${unchangedColumns('tenant_id', 'basis_id', 'at', 'actor')}`

const channel = (column: string) => oneOf(column, ['email', 'sms', 'letter', 'call_script'])
const purpose = (column: string) => oneOf(column, ['introduction', 'follow_up', 'answer', 'consent_request'])
const recipientKind = (column: string) => oneOf(column, ['email', 'phone', 'address'])

export const draftsMigrations: readonly Migration[] = [
  {
    name: '2026-11-27-drafts',
    sql: `
    -- The current state of a draft. version: the number of its newest version. is_open: not closed. request_id: the request that waits, or
    -- that was approved last. due_at: when its approval, or its request, ends by itself. jurisdiction, channel: of the newest version.
    CREATE TABLE drafts (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      title TEXT NOT NULL,
      assignee_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['writing', 'in_review', 'approved', 'needs_review', 'closed'])}),
      is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
      version INTEGER NOT NULL CHECK (version > 0),
      jurisdiction TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (${channel('channel')}),
      request_id TEXT,
      stale_since TEXT,
      stale_causes TEXT CHECK (stale_causes IS NULL OR json_valid(stale_causes)),
      due_at TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      CHECK ((state = 'closed') = (is_open = 0)),
      CHECK ((stale_since IS NULL) = (stale_causes IS NULL))
    ) STRICT;
    CREATE INDEX drafts_by_business ON drafts (tenant_id, business_id, id);
    CREATE INDEX drafts_by_state ON drafts (tenant_id, state, id);
    CREATE INDEX drafts_by_assignee ON drafts (tenant_id, assignee_id, is_open, id);
    CREATE INDEX drafts_by_due ON drafts (due_at, tenant_id, id) WHERE due_at IS NOT NULL;

    -- Whole versions, never changed: a save is a new row.
    CREATE TABLE draft_versions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      draft_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      jurisdiction TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (${channel('channel')}),
      purpose TEXT NOT NULL CHECK (${purpose('purpose')}),
      language TEXT NOT NULL,
      recipient_kind TEXT NOT NULL CHECK (${recipientKind('recipient_kind')}),
      recipient_value TEXT NOT NULL,
      recipient_normalized TEXT,
      subject TEXT,
      text TEXT NOT NULL,
      no_citation_reason TEXT,
      acknowledgements TEXT NOT NULL CHECK (json_valid(acknowledgements)),
      suggestion_id TEXT,
      template_id TEXT,
      content_hash TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, draft_id, number),
      FOREIGN KEY (tenant_id, draft_id) REFERENCES drafts (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;
    CREATE INDEX draft_versions_by_business ON draft_versions (tenant_id, business_id, id);
    ${appendOnly('draft_versions', { until: erasedVersion })}

    CREATE TABLE draft_citations (
      tenant_id TEXT NOT NULL,
      draft_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      marker INTEGER NOT NULL CHECK (marker > 0),
      evidence_id TEXT NOT NULL,
      evidence_hash TEXT NOT NULL,
      quote TEXT,
      PRIMARY KEY (tenant_id, draft_id, number, marker),
      FOREIGN KEY (tenant_id, draft_id, number) REFERENCES draft_versions (tenant_id, draft_id, number),
      FOREIGN KEY (tenant_id, evidence_id) REFERENCES evidence (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX draft_citations_by_evidence ON draft_citations (tenant_id, evidence_id);
    ${appendOnly('draft_citations', { until: erasedCitation })}

    -- snapshot: hashes of what the request is for, by part, so that an answer can name what changed. outcome: null while it waits.
    -- sequence: the place of the approval in the audit, for restores.
    CREATE TABLE draft_requests (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      draft_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      content_hash TEXT NOT NULL,
      snapshot_hash TEXT NOT NULL,
      snapshot TEXT NOT NULL CHECK (json_valid(snapshot)),
      requested_at TEXT NOT NULL,
      requested_by TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      outcome TEXT CHECK (outcome IS NULL OR ${oneOf('outcome', ['approved', 'rejected', 'withdrawn', 'saved', 'expired', 'stale', 'closed'])}),
      decided_at TEXT,
      decided_by TEXT,
      reason TEXT,
      approval_ends_at TEXT,
      sequence INTEGER,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, draft_id, number) REFERENCES draft_versions (tenant_id, draft_id, number),
      CHECK ((outcome IS NULL) = (decided_at IS NULL)),
      CHECK ((outcome IS NOT NULL AND outcome = 'approved') = (approval_ends_at IS NOT NULL AND sequence IS NOT NULL))
    ) STRICT;
    CREATE UNIQUE INDEX draft_requests_open ON draft_requests (tenant_id, draft_id) WHERE outcome IS NULL;
    CREATE INDEX draft_requests_by_draft ON draft_requests (tenant_id, draft_id, id);
    CREATE INDEX draft_requests_waiting ON draft_requests (tenant_id, id) WHERE outcome IS NULL;

    CREATE TABLE draft_events (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      draft_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (${oneOf('kind', ['created', 'saved', 'requested', 'withdrawn', 'rejected', 'approved', 'stale', 'expired', 'copied', 'closed'])}),
      version INTEGER NOT NULL,
      causes TEXT NOT NULL CHECK (json_valid(causes)),
      reason TEXT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, draft_id) REFERENCES drafts (tenant_id, id)
    ) STRICT;
    CREATE INDEX draft_events_by_draft ON draft_events (tenant_id, draft_id, id);
    ${appendOnly('draft_events', { until: erasedEvent })}

    -- recipient_key: a keyed hash, so that the cap of a recipient survives an erasure.
    CREATE TABLE draft_copies (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      draft_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      request_id TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      recipient_key TEXT NOT NULL,
      purpose TEXT NOT NULL CHECK (${purpose('purpose')}),
      policy TEXT NOT NULL,
      copied_at TEXT NOT NULL,
      copied_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, idempotency_key),
      FOREIGN KEY (tenant_id, draft_id, number) REFERENCES draft_versions (tenant_id, draft_id, number),
      FOREIGN KEY (tenant_id, request_id) REFERENCES draft_requests (tenant_id, id)
    ) STRICT;
    CREATE INDEX draft_copies_by_recipient ON draft_copies (tenant_id, recipient_key, purpose, copied_at);
    CREATE INDEX draft_copies_by_person ON draft_copies (tenant_id, copied_by, copied_at);
    CREATE INDEX draft_copies_by_tenant ON draft_copies (tenant_id, copied_at);
    CREATE INDEX draft_copies_by_time ON draft_copies (copied_at);
    CREATE INDEX draft_copies_by_draft ON draft_copies (tenant_id, draft_id, id);
    ${appendOnly('draft_copies')}

    CREATE TABLE draft_templates (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      name TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (${channel('channel')}),
      purpose TEXT NOT NULL CHECK (${purpose('purpose')}),
      language TEXT NOT NULL,
      subject TEXT,
      text TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id)
    ) STRICT;

    -- The content of a version never changes; its state does.
    CREATE TABLE draft_policies (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      jurisdiction TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (${channel('channel')}),
      number INTEGER NOT NULL CHECK (number > 0),
      content TEXT NOT NULL CHECK (json_valid(content)),
      owner_id TEXT NOT NULL,
      ends_at TEXT NOT NULL,
      state TEXT NOT NULL CHECK (${oneOf('state', ['proposed', 'approved', 'rejected', 'withdrawn', 'superseded', 'expired'])}),
      proposed_at TEXT NOT NULL,
      proposed_by TEXT NOT NULL,
      decided_at TEXT,
      decided_by TEXT,
      reason TEXT,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, jurisdiction, channel, number)
    ) STRICT;
    CREATE UNIQUE INDEX draft_policies_in_force ON draft_policies (tenant_id, jurisdiction, channel) WHERE state = 'approved';
    CREATE TRIGGER draft_policies_keep_content BEFORE UPDATE ON draft_policies
      WHEN NOT (${unchangedColumns('tenant_id', 'id', 'jurisdiction', 'channel', 'number', 'content', 'owner_id', 'ends_at', 'proposed_at', 'proposed_by')})
      BEGIN SELECT RAISE(ABORT, 'the content of a draft policy never changes'); END;

    CREATE TABLE legal_bases (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (${oneOf('kind', ['consent', 'existing_customer', 'asked_by_them', 'contract', 'legitimate_interest', 'consent_asked_once'])}),
      channels TEXT NOT NULL CHECK (json_valid(channels)),
      purpose TEXT NOT NULL CHECK (${purpose('purpose')}),
      jurisdiction TEXT NOT NULL,
      recipient_kind TEXT CHECK (recipient_kind IS NULL OR ${recipientKind('recipient_kind')}),
      recipient_value TEXT,
      recipient_normalized TEXT,
      document_reference TEXT,
      evidence_id TEXT,
      valid_from TEXT NOT NULL,
      valid_until TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, evidence_id) REFERENCES evidence (tenant_id, id),
      CHECK (valid_until > valid_from)
    ) STRICT;
    CREATE INDEX legal_bases_by_business ON legal_bases (tenant_id, business_id, id);
    ${appendOnly('legal_bases', { until: erasedBasis })}

    CREATE TABLE legal_basis_withdrawals (
      tenant_id TEXT NOT NULL,
      basis_id TEXT NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      reason TEXT,
      PRIMARY KEY (tenant_id, basis_id),
      FOREIGN KEY (tenant_id, basis_id) REFERENCES legal_bases (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('legal_basis_withdrawals', { until: erasedWithdrawal })}

    -- How far the follower has read the audit of a tenant with drafts.
    CREATE TABLE draft_positions (
      tenant_id TEXT PRIMARY KEY NOT NULL,
      sequence INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    // By which a collection of everything held about a value finds recipients.
    name: '2026-12-15-recipients-by-value',
    sql: `
    CREATE INDEX draft_versions_by_recipient ON draft_versions (tenant_id, recipient_normalized, business_id)
      WHERE recipient_normalized IS NOT NULL;
    CREATE INDEX legal_bases_by_recipient ON legal_bases (tenant_id, recipient_normalized, business_id)
      WHERE recipient_normalized IS NOT NULL;
  `,
  },
  {
    name: '2026-12-20-legal-basis-forms',
    sql: `
    -- form: how they gave it. unknown: the row is older than this column, and nobody stated it. none: its kind has no form, such as a legitimate interest.
    -- agreed_to: what exactly they consented to. recording_reference: where the recording of the call is stored, outside of this product. sale: what an
    -- existing customer bought, on the day sold_on.
    ALTER TABLE legal_bases ADD COLUMN form TEXT NOT NULL DEFAULT 'unknown'
      CHECK (${oneOf('form', ['written', 'electronic', 'telephone', 'existing_customer', 'none', 'unknown'])});
    ALTER TABLE legal_bases ADD COLUMN language TEXT;
    ALTER TABLE legal_bases ADD COLUMN agreed_to TEXT;
    ALTER TABLE legal_bases ADD COLUMN recording_reference TEXT CHECK (recording_reference IS NULL OR form = 'telephone');
    ALTER TABLE legal_bases ADD COLUMN sale TEXT CHECK (sale IS NULL OR form = 'existing_customer');
    ALTER TABLE legal_bases ADD COLUMN sold_on TEXT CHECK (sold_on IS NULL OR form = 'existing_customer');
    DROP TRIGGER legal_bases_keeps_rows;
    DROP TRIGGER legal_bases_loses_no_rows;
    UPDATE legal_bases SET form = 'none' WHERE kind = 'legitimate_interest' OR kind = 'consent_asked_once';
    ${appendOnly('legal_bases', { until: erasedFormedBasis })}
  `,
  },
]
