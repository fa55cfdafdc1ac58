import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

export const interactions: Migration = {
  name: '0015-interactions',
  sql: `
    -- on_do_not_contact: whether the business was not to be contacted when this was recorded; such interactions are counted apart
    CREATE TABLE interactions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      occurred_at TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (channel IN ('phone', 'email', 'message', 'meeting', 'letter', 'other')),
      direction TEXT CHECK (direction IN ('inbound', 'outbound')),
      outcome TEXT NOT NULL CHECK (outcome IN ('connected', 'no_answer', 'left_message', 'meeting_booked', 'meeting_held',
        'qualified', 'disqualified', 'won', 'lost', 'other')),
      summary TEXT,
      participants TEXT NOT NULL CHECK (json_valid(participants)),
      follow_up_on TEXT,
      corrects_id TEXT,
      on_do_not_contact INTEGER NOT NULL CHECK (on_do_not_contact IN (0, 1)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, business_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id, corrects_id) REFERENCES interactions (tenant_id, business_id, id)
    ) STRICT;
    CREATE UNIQUE INDEX interactions_corrected_once ON interactions (tenant_id, corrects_id) WHERE corrects_id IS NOT NULL;
    CREATE INDEX interactions_by_business ON interactions (tenant_id, business_id, occurred_at, id);
    CREATE INDEX interactions_by_time ON interactions (tenant_id, occurred_at, id);
    ${appendOnly('interactions')}
  `,
}
