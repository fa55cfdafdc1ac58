import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

export const audit: Migration = {
  name: '0002-audit',
  sql: `
    CREATE TABLE audit_events (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      id TEXT NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject_type TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      business_id TEXT,
      before_json TEXT,
      after_json TEXT,
      reason TEXT,
      correlation_id TEXT NOT NULL,
      previous_hash TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (tenant_id, sequence)
    ) STRICT;
    CREATE UNIQUE INDEX audit_events_by_id ON audit_events (tenant_id, id);
    CREATE INDEX audit_events_by_business ON audit_events (tenant_id, business_id, sequence) WHERE business_id IS NOT NULL;
    CREATE INDEX audit_events_by_actor ON audit_events (tenant_id, actor, at, sequence);
    CREATE INDEX audit_events_by_action ON audit_events (tenant_id, action, at, sequence);
    CREATE INDEX audit_events_by_subject ON audit_events (tenant_id, subject_id, sequence) WHERE subject_id IS NOT business_id;
    CREATE INDEX audit_events_by_time ON audit_events (tenant_id, at, sequence);
    ${appendOnly('audit_events')}
  `,
}
