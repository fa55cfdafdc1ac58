import type { Migration } from './migration.ts'

/**
 * A session that ended is told of by the account that it was for, so that the events of a person hold it; which session it was stands
 * beside that. A token that a session gave up for another one is spent too: whoever still comes with it has a copy.
 */
export const spentSessions: Migration = {
  name: '0019-spent-sessions',
  sql: `
    ALTER TABLE spent_tokens ADD COLUMN session_id TEXT;

    DROP TRIGGER session_token_spent;
    CREATE TRIGGER session_token_spent AFTER DELETE ON sessions BEGIN
      INSERT INTO spent_tokens (token_hash, kind, tenant_id, subject_type, subject_id, session_id, kept_until)
      VALUES (OLD.token_hash, 'session', OLD.tenant_id, 'user', OLD.user_id, OLD.id, strftime('%Y-%m-%dT%H:%M:%fZ', OLD.expires_at, '+7 days'))
      ON CONFLICT DO NOTHING;
    END;
    CREATE TRIGGER session_token_rotated AFTER UPDATE OF token_hash ON sessions WHEN OLD.token_hash <> NEW.token_hash BEGIN
      INSERT INTO spent_tokens (token_hash, kind, tenant_id, subject_type, subject_id, session_id, kept_until)
      VALUES (OLD.token_hash, 'session', OLD.tenant_id, 'user', OLD.user_id, OLD.id, strftime('%Y-%m-%dT%H:%M:%fZ', OLD.expires_at, '+7 days'))
      ON CONFLICT DO NOTHING;
    END;
  `,
}
