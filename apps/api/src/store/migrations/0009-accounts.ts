import type { Migration } from './migration.ts'

export const accounts: Migration = {
  name: '0009-accounts',
  sql: `
    ALTER TABLE tenants ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
    ALTER TABLE tenants ADD COLUMN updated_at TEXT;

    -- has_second_factor: kept beside the factors, because every request asks
    ALTER TABLE users ADD COLUMN must_change_password INTEGER NOT NULL DEFAULT 0 CHECK (must_change_password IN (0, 1));
    ALTER TABLE users ADD COLUMN has_second_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_second_factor IN (0, 1));

    -- a tenant disables or removes its member, never the account, which may be at work elsewhere
    ALTER TABLE memberships ADD COLUMN status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'removed'));
    ALTER TABLE memberships ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
    ALTER TABLE memberships ADD COLUMN updated_at TEXT;
    ALTER TABLE memberships ADD COLUMN last_sign_in_at TEXT;

    -- password_at, second_factor_at: when this session last saw that proof
    CREATE TABLE sessions_of_accounts (
      token_hash TEXT PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES users (id),
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      password_at TEXT,
      second_factor_at TEXT,
      address TEXT,
      agent TEXT,
      created_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      idle_expires_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      CHECK (password_at IS NOT NULL OR second_factor_at IS NOT NULL),
      FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sessions_of_accounts
      SELECT token_hash, id, user_id, tenant_id, created_at, NULL, NULL, NULL, created_at, seen_at, idle_expires_at, expires_at
      FROM sessions;
    DROP TABLE sessions;
    ALTER TABLE sessions_of_accounts RENAME TO sessions;
    CREATE INDEX sessions_by_user ON sessions (user_id, created_at, id);
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);

    -- secret: sealed with a key that is not in this database; last_step: the newest time step that was accepted
    CREATE TABLE totp_factors (
      user_id TEXT PRIMARY KEY REFERENCES users (id),
      secret TEXT NOT NULL,
      last_step INTEGER NOT NULL,
      enrolled_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- begun in one session and confirmed in the same one, or gone with it
    CREATE TABLE totp_enrolments (
      session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
      secret TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE recovery_codes (
      user_id TEXT NOT NULL REFERENCES users (id),
      code_hash TEXT NOT NULL,
      PRIMARY KEY (user_id, code_hash)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE passkeys (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      credential_id TEXT NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX passkeys_by_user ON passkeys (user_id, id);

    -- an invitation holds what the person will be; a reset names whom it is for
    CREATE TABLE one_time_links (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      token_hash TEXT NOT NULL UNIQUE,
      purpose TEXT NOT NULL CHECK (purpose IN ('invitation', 'password_reset')),
      user_id TEXT REFERENCES users (id),
      email TEXT,
      name TEXT,
      role TEXT CHECK (role IN ('administrator', 'manager', 'operator', 'viewer')),
      created_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CHECK ((purpose = 'password_reset' AND user_id IS NOT NULL AND email IS NULL AND name IS NULL AND role IS NULL)
        OR (purpose = 'invitation' AND user_id IS NULL AND email IS NOT NULL AND name IS NOT NULL AND role IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX one_time_links_one_each ON one_time_links (tenant_id, purpose, coalesce(user_id, email));
    CREATE INDEX one_time_links_by_expiry ON one_time_links (expires_at);

    -- what failed for an account or a link that does not exist belongs to no tenant
    CREATE TABLE unknown_attempts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      tried TEXT NOT NULL,
      address TEXT,
      agent TEXT
    ) STRICT;

    CREATE INDEX audit_events_of_accounts ON audit_events (tenant_id, sequence)
      WHERE subject_type IN ('session', 'user', 'invitation', 'tenant');
  `,
}
