import type { Migration } from '../../store/migration.ts'

const keptUntil = `strftime('%Y-%m-%dT%H:%M:%fZ', OLD.expires_at, '+7 days')`

const spendSession = `
        INSERT INTO spent_tokens (token_hash, kind, tenant_id, subject_type, subject_id, session_id, kept_until)
        VALUES (OLD.token_hash, 'session', OLD.tenant_id, 'user', OLD.user_id, OLD.id, ${keptUntil})
        ON CONFLICT DO NOTHING;`

export const identityMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-identity',
    sql: `
    -- number: a short name of the tenant in the search index. country: preset for phone numbers in local form.
    CREATE TABLE tenants (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE,
      name TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      country TEXT NOT NULL DEFAULT 'ZA' CHECK (country GLOB '[A-Z][A-Z]'),
      suppression_review_months INTEGER CHECK (suppression_review_months BETWEEN 1 AND 120),
      version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
      created_at TEXT NOT NULL,
      updated_at TEXT
    ) STRICT;

    -- A person is one user in several tenants. has_second_factor: stored here as well, because every request reads it.
    CREATE TABLE users (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      must_change_password INTEGER NOT NULL DEFAULT 0 CHECK (must_change_password IN (0, 1)),
      has_second_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_second_factor IN (0, 1)),
      status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
      created_at TEXT NOT NULL
    ) STRICT;

    -- A tenant disables or removes its member, never the account, which other tenants may use.
    -- sessions_valid_from: sessions with a smaller id neither enter the tenant nor act in it. Ids rise also when the clock is set back.
    CREATE TABLE memberships (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      user_id TEXT NOT NULL REFERENCES users (id),
      role TEXT NOT NULL CHECK (role = 'administrator' OR role = 'manager' OR role = 'operator' OR role = 'viewer'),
      status TEXT NOT NULL DEFAULT 'active' CHECK (status = 'active' OR status = 'disabled' OR status = 'removed'),
      version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
      sessions_valid_from TEXT,
      last_sign_in_at TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT,
      PRIMARY KEY (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX memberships_by_user ON memberships (user_id, tenant_id);

    -- token_hash: the cookie itself is never stored. password_at, second_factor_at: the last time that this session saw that proof.
    CREATE TABLE sessions (
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
    CREATE INDEX sessions_by_user ON sessions (user_id, created_at, id);
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);

    -- secret: sealed with a key that is not in this database. last_step: the newest accepted time step.
    CREATE TABLE totp_factors (
      user_id TEXT PRIMARY KEY REFERENCES users (id),
      secret TEXT NOT NULL,
      last_step INTEGER NOT NULL,
      enrolled_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Started and confirmed in one session, and deleted with it.
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

    -- An invitation holds the future user's facts; a password reset names an existing user.
    CREATE TABLE one_time_links (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      token_hash TEXT NOT NULL UNIQUE,
      purpose TEXT NOT NULL CHECK (purpose IN ('invitation', 'password_reset')),
      user_id TEXT REFERENCES users (id),
      email TEXT,
      name TEXT,
      role TEXT CHECK (role = 'administrator' OR role = 'manager' OR role = 'operator' OR role = 'viewer'),
      created_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CHECK ((purpose = 'password_reset' AND user_id IS NOT NULL AND email IS NULL AND name IS NULL AND role IS NULL)
        OR (purpose = 'invitation' AND user_id IS NULL AND email IS NOT NULL AND name IS NOT NULL AND role IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX one_time_links_one_each ON one_time_links (tenant_id, purpose, coalesce(user_id, email));
    CREATE INDEX one_time_links_by_expiry ON one_time_links (expires_at);

    -- Failed attempts on an account or a link that does not exist belong to no tenant.
    CREATE TABLE unknown_attempts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      tried TEXT NOT NULL,
      address TEXT,
      agent TEXT
    ) STRICT;

    -- Former cookies and one-time links, so that a person who still has one appears once in the audit of its tenant.
    CREATE TABLE spent_tokens (
      token_hash TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('session', 'link')),
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      subject_type TEXT NOT NULL CHECK (subject_type = 'session' OR subject_type = 'user' OR subject_type = 'invitation'),
      subject_id TEXT NOT NULL,
      session_id TEXT,
      reported INTEGER NOT NULL DEFAULT 0 CHECK (reported IN (0, 1)),
      kept_until TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX spent_tokens_by_age ON spent_tokens (kept_until);

    -- Derived by triggers, because sessions and links end in many places and no place may forget it.
    CREATE TRIGGER session_token_spent AFTER DELETE ON sessions
      BEGIN ${spendSession} END;
    CREATE TRIGGER session_token_rotated AFTER UPDATE OF token_hash ON sessions WHEN OLD.token_hash <> NEW.token_hash
      BEGIN ${spendSession} END;
    CREATE TRIGGER link_token_spent AFTER DELETE ON one_time_links
      BEGIN
        INSERT INTO spent_tokens (token_hash, kind, tenant_id, subject_type, subject_id, kept_until)
        VALUES (OLD.token_hash, 'link', OLD.tenant_id, iif(OLD.user_id IS NULL, 'invitation', 'user'), coalesce(OLD.user_id, OLD.id),
                ${keptUntil})
        ON CONFLICT DO NOTHING;
      END;
  `,
  },
  {
    name: '2026-11-30-tenant-locale',
    sql: `
    -- Format of dates and numbers. The routes accept a closed list, which can grow without a migration.
    ALTER TABLE tenants ADD COLUMN locale TEXT NOT NULL DEFAULT 'en-ZA' CHECK (locale GLOB 'en-[A-Z][A-Z]');
    UPDATE tenants SET locale = 'en-' || country
      WHERE country IN ('AU', 'BW', 'DE', 'GB', 'IE', 'IN', 'KE', 'NA', 'NG', 'NL', 'NZ', 'US');
  `,
  },
  {
    name: '2026-12-22-identity-tokens',
    sql: `
    -- tokens_allowed: whether programs may act for members with access tokens
    ALTER TABLE tenants ADD COLUMN tokens_allowed INTEGER NOT NULL DEFAULT 1 CHECK (tokens_allowed IN (0, 1));
    -- tokens_valid_from: access tokens with a smaller id ended with the membership, or with the access to a restored workspace
    ALTER TABLE memberships ADD COLUMN tokens_valid_from TEXT;
  `,
  },
  {
    name: '2026-12-28-identity-company',
    rewrites: true,
    sql: `
    -- Account of a person at the company's OpenID provider. Only its owner links it; an email address never does.
    CREATE TABLE company_identities (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id),
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      linked_at TEXT NOT NULL,
      last_used_at TEXT,
      UNIQUE (issuer, subject),
      UNIQUE (user_id, issuer)
    ) STRICT, WITHOUT ROWID;

    -- company_at: a session can begin without a password and a second factor. company_factor_at: when the provider checked a factor, if it is trusted.
    CREATE TABLE new_sessions (
      token_hash TEXT PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES users (id),
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      password_at TEXT,
      second_factor_at TEXT,
      company_at TEXT,
      company_factor_at TEXT,
      address TEXT,
      agent TEXT,
      created_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      idle_expires_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      CHECK (password_at IS NOT NULL OR second_factor_at IS NOT NULL OR company_at IS NOT NULL),
      CHECK (company_factor_at IS NULL OR company_at IS NOT NULL),
      FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_sessions
      SELECT token_hash, id, user_id, tenant_id, password_at, second_factor_at, NULL, NULL, address, agent, created_at, seen_at, idle_expires_at, expires_at
      FROM sessions;
    -- Enrolments refer to sessions. They are open for a quarter of an hour, and can be started again.
    DELETE FROM totp_enrolments;
    DROP TABLE sessions;
    ALTER TABLE new_sessions RENAME TO sessions;
    CREATE INDEX sessions_by_user ON sessions (user_id, created_at, id);
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);
    CREATE TRIGGER session_token_spent AFTER DELETE ON sessions
      BEGIN ${spendSession} END;
    CREATE TRIGGER session_token_rotated AFTER UPDATE OF token_hash ON sessions WHEN OLD.token_hash <> NEW.token_hash
      BEGIN ${spendSession} END;
  `,
  },
]
