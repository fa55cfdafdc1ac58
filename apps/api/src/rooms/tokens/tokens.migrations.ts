import type { Migration } from '../../store/migration.ts'

export const tokenMigrations: readonly Migration[] = [
  {
    name: '2026-12-22-tokens',
    sql: `
    -- An access token of a member. Rows stay after their end, because audit events name the token.
    -- id: unique over all tenants, because the secret contains it and no request names its tenant.
    CREATE TABLE access_tokens (
      tenant_id TEXT NOT NULL,
      id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL,
      name TEXT NOT NULL,
      secret_hash TEXT NOT NULL,
      permissions TEXT NOT NULL,
      addresses TEXT NOT NULL,
      created_at TEXT NOT NULL,
      ends_at TEXT NOT NULL,
      last_used_at TEXT,
      revoked_at TEXT,
      revoked_by TEXT,
      refused_for TEXT CHECK (refused_for = 'revoked' OR refused_for = 'ended' OR refused_for = 'expired' OR refused_for = 'address'),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES memberships (tenant_id, user_id),
      CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX access_tokens_by_user ON access_tokens (tenant_id, user_id, id);
  `,
  },
]
