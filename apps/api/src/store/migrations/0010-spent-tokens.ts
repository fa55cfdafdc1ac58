import type { Migration } from './migration.ts'

/**
 * What was a session's cookie or a one-time link and is none any more, so that somebody who still has it shows in the audit of the tenant
 * that it was for, once. Kept by triggers: no way of ending a session or a link can forget it.
 */
export const spentTokens: Migration = {
  name: '0010-spent-tokens',
  sql: `
    CREATE TABLE spent_tokens (
      token_hash TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('session', 'link')),
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      subject_type TEXT NOT NULL CHECK (subject_type IN ('session', 'user', 'invitation')),
      subject_id TEXT NOT NULL,
      reported INTEGER NOT NULL DEFAULT 0 CHECK (reported IN (0, 1)),
      kept_until TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX spent_tokens_by_age ON spent_tokens (kept_until);

    CREATE TRIGGER session_token_spent AFTER DELETE ON sessions BEGIN
      INSERT INTO spent_tokens (token_hash, kind, tenant_id, subject_type, subject_id, kept_until)
      VALUES (OLD.token_hash, 'session', OLD.tenant_id, 'session', OLD.id, strftime('%Y-%m-%dT%H:%M:%fZ', OLD.expires_at, '+7 days'))
      ON CONFLICT DO NOTHING;
    END;
    CREATE TRIGGER link_token_spent AFTER DELETE ON one_time_links BEGIN
      INSERT INTO spent_tokens (token_hash, kind, tenant_id, subject_type, subject_id, kept_until)
      VALUES (OLD.token_hash, 'link', OLD.tenant_id, iif(OLD.user_id IS NULL, 'invitation', 'user'), coalesce(OLD.user_id, OLD.id),
              strftime('%Y-%m-%dT%H:%M:%fZ', OLD.expires_at, '+7 days'))
      ON CONFLICT DO NOTHING;
    END;
  `,
}
