import { appendOnly, type Migration } from '../../store/migration.ts'

export const peopleMigrations: readonly Migration[] = [
  {
    name: '2026-12-25-people',
    sql: `
    -- A person at a business. The row is written once, so that a merge can compare it; the content is in the next two tables.
    CREATE TABLE people (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, business_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id)
    ) STRICT;
    ${appendOnly('people')}

    -- blocked_at, blocked_by, blocked_reason: a person of the workspace marked the person do not contact.
    CREATE TABLE person_states (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      person_id TEXT NOT NULL,
      version INTEGER NOT NULL CHECK (version > 0),
      name TEXT NOT NULL,
      role TEXT,
      language TEXT,
      note TEXT,
      left_on TEXT,
      blocked_at TEXT,
      blocked_by TEXT,
      blocked_reason TEXT,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id, person_id),
      FOREIGN KEY (tenant_id, business_id, person_id) REFERENCES people (tenant_id, business_id, id),
      CHECK ((blocked_at IS NULL) = (blocked_by IS NULL) AND (blocked_at IS NULL) = (blocked_reason IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER person_states_lose_no_rows BEFORE DELETE ON person_states
      BEGIN SELECT RAISE(ABORT, 'person_states loses no rows'); END;
    CREATE TRIGGER person_states_stay_blocked BEFORE UPDATE ON person_states
      WHEN OLD.blocked_at IS NOT NULL AND NEW.blocked_at IS NULL
      BEGIN SELECT RAISE(ABORT, 'a person who is do not contact stays do not contact'); END;
    CREATE TRIGGER person_states_stay_with_their_business BEFORE UPDATE OF tenant_id, business_id, person_id ON person_states
      BEGIN SELECT RAISE(ABORT, 'the state of a person stays with its business'); END;

    -- blocked_at: as in the state of the person, for readers of these rows alone.
    CREATE TABLE person_identifiers (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      person_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('email', 'phone')),
      position INTEGER NOT NULL CHECK (position >= 0),
      original TEXT NOT NULL,
      label TEXT,
      region TEXT,
      blocked_at TEXT,
      PRIMARY KEY (tenant_id, business_id, person_id, kind, position),
      FOREIGN KEY (tenant_id, business_id, person_id) REFERENCES people (tenant_id, business_id, id)
    ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    name: '2026-12-27-people-joined',
    sql: `
    -- joined_into: id of the person that this one was found to be. The link has an effect while both belong to one prospect, so the reversal of a merge
    -- separates the two without a change of these rows.
    ALTER TABLE person_states ADD COLUMN joined_into TEXT;
    CREATE INDEX person_states_by_joined ON person_states (tenant_id, joined_into) WHERE joined_into IS NOT NULL;
    CREATE TRIGGER person_states_join_people_of_the_tenant BEFORE UPDATE OF joined_into ON person_states
      WHEN NEW.joined_into IS NOT NULL AND (NEW.joined_into = NEW.person_id
        OR NOT EXISTS (SELECT 1 FROM people p WHERE p.tenant_id = NEW.tenant_id AND p.id = NEW.joined_into))
      BEGIN SELECT RAISE(ABORT, 'a person is joined into another person of the tenant'); END;
  `,
  },
  {
    name: '2026-12-28-people-erased',
    sql: `
    -- erased_at: the person, or the business, was erased. The row stays without its content.
    ALTER TABLE person_states ADD COLUMN erased_at TEXT;
    CREATE INDEX person_states_erased ON person_states (tenant_id) WHERE erased_at IS NOT NULL;
    UPDATE person_states SET erased_at = updated_at WHERE EXISTS (SELECT 1 FROM erasures e
      WHERE e.tenant_id = person_states.tenant_id AND e.business_id = person_states.business_id);
    CREATE TRIGGER person_states_stay_erased BEFORE UPDATE ON person_states
      WHEN OLD.erased_at IS NOT NULL AND (NEW.erased_at IS NULL OR NEW.name IS NOT 'Erased.'
        OR (NEW.role IS NOT NULL AND NEW.role IS NOT 'Erased.') OR NEW.language IS NOT NULL
        OR (NEW.note IS NOT NULL AND NEW.note IS NOT 'Erased.'))
      BEGIN SELECT RAISE(ABORT, 'an erased person stays empty'); END;
  `,
  },
  {
    name: '2026-12-28-people-roles',
    sql: `
    -- The roles of the people whom a desk can ask for: those who left, are do not contact or were erased match no filter.
    CREATE INDEX person_states_by_role ON person_states (tenant_id, lower(role), business_id)
      WHERE role IS NOT NULL AND blocked_at IS NULL AND left_on IS NULL AND erased_at IS NULL;
  `,
  },
]
