import { appendOnly, type Migration, unchangedColumns } from '../../store/migration.ts'

const erasure = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id = OLD.business_id)
        AND NEW.summary IS NULL AND NEW.participants IS '[]'
        AND ${unchangedColumns('tenant_id', 'id', 'business_id', 'occurred_at', 'channel', 'direction', 'outcome', 'follow_up_on')}
        AND ${unchangedColumns('corrects_id', 'on_do_not_contact', 'created_at', 'created_by')}`

export const interactionsMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-interactions',
    sql: `
    -- on_do_not_contact: the business was do not contact when this was recorded; such interactions are counted apart.
    CREATE TABLE interactions (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      occurred_at TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (channel = 'phone' OR channel = 'email' OR channel = 'message' OR channel = 'meeting'
        OR channel = 'letter' OR channel = 'other'),
      direction TEXT CHECK (direction IN ('inbound', 'outbound')),
      outcome TEXT NOT NULL CHECK (outcome = 'connected' OR outcome = 'no_answer' OR outcome = 'left_message'
        OR outcome = 'meeting_booked' OR outcome = 'meeting_held' OR outcome = 'qualified' OR outcome = 'disqualified'
        OR outcome = 'won' OR outcome = 'lost' OR outcome = 'other'),
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
    -- The last three columns let a report count without reading rows.
    CREATE INDEX interactions_by_business
      ON interactions (tenant_id, business_id, occurred_at, id, created_at, outcome, on_do_not_contact);
    CREATE INDEX interactions_by_time ON interactions (tenant_id, occurred_at, id);
    ${appendOnly('interactions', { until: erasure })}
  `,
  },
  {
    name: '2026-11-29-follow-up-closures',
    sql: `
    CREATE TABLE follow_up_closures (
      tenant_id TEXT NOT NULL,
      interaction_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      follow_up_on TEXT NOT NULL,
      closed_at TEXT NOT NULL,
      closed_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, interaction_id),
      FOREIGN KEY (tenant_id, business_id, interaction_id) REFERENCES interactions (tenant_id, business_id, id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('follow_up_closures')}
  `,
  },
  {
    name: '2026-12-07-follow-up-changes',
    rewrites: true,
    sql: `
    -- Each row sets the follow-up date of a record, or clears it with NULL, from its time on.
    CREATE TABLE follow_up_changes (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      id TEXT NOT NULL,
      follow_up_on TEXT,
      changed_at TEXT NOT NULL,
      changed_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO follow_up_changes
      SELECT tenant_id, business_id, interaction_id, NULL, closed_at, closed_by FROM follow_up_closures;
    DROP TABLE follow_up_closures;
    ${appendOnly('follow_up_changes')}
  `,
  },
  {
    name: '2026-12-25-interactions-with-a-person',
    sql: `
    -- person_id: the person at the business who took part.
    ALTER TABLE interactions ADD COLUMN person_id TEXT;
    CREATE TRIGGER interactions_name_a_person_of_the_tenant BEFORE INSERT ON interactions
      WHEN NEW.person_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM people p WHERE p.tenant_id = NEW.tenant_id AND p.id = NEW.person_id)
      BEGIN SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: an interaction names a person of the tenant'); END;
    CREATE TRIGGER interactions_keep_their_person BEFORE UPDATE OF person_id ON interactions
      BEGIN SELECT RAISE(ABORT, 'interactions is append-only'); END;
  `,
  },
]
