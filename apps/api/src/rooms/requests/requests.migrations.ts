import { type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

const fixed = unchangedColumns('tenant_id', 'id', 'kind', 'received_at', 'first_due_on', 'created_at', 'created_by')
const decided = unchangedColumns(
  'due_on',
  'extended_at',
  'extended_by',
  'answered_at',
  'answered_by',
  'outcome',
  'acts',
)

export const requestMigrations: readonly Migration[] = [
  {
    name: '2026-12-15-subject-requests',
    sql: `
    -- A request of a person about the data that the workspace has about them. emptied_at: an erasure, or the end of the period, emptied the name, the
    -- contact and the texts. acts: JSON list of the ids of audit events.
    CREATE TABLE subject_requests (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      kind TEXT NOT NULL CHECK (${oneOf('kind', ['access', 'correction', 'objection', 'erasure', 'source'])}),
      received_at TEXT NOT NULL,
      first_due_on TEXT NOT NULL,
      due_on TEXT NOT NULL CHECK (due_on >= first_due_on),
      requester_name TEXT NOT NULL,
      requester_contact TEXT,
      contact_kind TEXT CHECK (contact_kind IN ('email', 'phone')),
      contact_normalized TEXT,
      identity_check TEXT,
      business_id TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      extended_at TEXT,
      extended_by TEXT,
      extension_reason TEXT,
      answered_at TEXT,
      answered_by TEXT,
      outcome TEXT CHECK (${oneOf('outcome', ['granted', 'granted_in_part', 'refused', 'withdrawn'])}),
      answer TEXT,
      acts TEXT NOT NULL CHECK (json_valid(acts)),
      emptied_at TEXT,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      CHECK ((contact_kind IS NULL) = (contact_normalized IS NULL)),
      CHECK ((answered_at IS NULL) = (outcome IS NULL)),
      CHECK ((answered_at IS NULL) = (answered_by IS NULL)),
      CHECK ((extended_at IS NULL) = (due_on = first_due_on))
    ) STRICT;
    CREATE INDEX subject_requests_open ON subject_requests (tenant_id, due_on, id) WHERE answered_at IS NULL;
    CREATE INDEX subject_requests_answered ON subject_requests (tenant_id, id) WHERE answered_at IS NOT NULL;
    CREATE INDEX subject_requests_filled ON subject_requests (tenant_id, answered_at)
      WHERE answered_at IS NOT NULL AND (emptied_at IS NULL OR emptied_at < answered_at);
    CREATE INDEX subject_requests_by_business ON subject_requests (tenant_id, business_id, id) WHERE business_id IS NOT NULL;
    CREATE INDEX subject_requests_by_contact ON subject_requests (tenant_id, contact_normalized)
      WHERE contact_normalized IS NOT NULL;
    -- Emptying is the only change of an answered request, and an emptied request is filled by nobody.
    CREATE TRIGGER subject_requests_stay_answered BEFORE UPDATE ON subject_requests
      WHEN NOT (${fixed}) OR (OLD.answered_at IS NOT NULL AND (NEW.emptied_at IS NULL OR NOT (${decided})))
      BEGIN SELECT RAISE(ABORT, 'an answered subject request is not changed'); END;
    CREATE TRIGGER subject_requests_stay_known BEFORE DELETE ON subject_requests
      BEGIN SELECT RAISE(ABORT, 'a subject request stays known'); END;
  `,
  },
]
