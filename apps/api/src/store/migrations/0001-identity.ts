import type { Migration } from './migration.ts'

export const identity: Migration = {
  name: '0001-identity',
  sql: `
    CREATE TABLE readiness_probe (id INTEGER PRIMARY KEY CHECK (id = 1), at TEXT NOT NULL) STRICT;

    -- number: a small name of the tenant inside the search index
    CREATE TABLE tenants (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE,
      name TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;

    -- a person is one user in several tenants
    CREATE TABLE users (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
      created_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE memberships (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      user_id TEXT NOT NULL REFERENCES users (id),
      role TEXT NOT NULL CHECK (role IN ('administrator', 'manager', 'operator', 'viewer')),
      created_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX memberships_by_user ON memberships (user_id, tenant_id);

    -- token_hash: the cookie itself is never stored
    CREATE TABLE sessions (
      token_hash TEXT PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES users (id),
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      assurance TEXT NOT NULL CHECK (assurance IN ('password')),
      created_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      idle_expires_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_user ON sessions (user_id);
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);

    CREATE TABLE idempotency_keys (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      result TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, key)
    ) STRICT;
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
  `,
}
