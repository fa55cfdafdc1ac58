import type { Migration } from './migration.ts'

/**
 * `idempotency_keys.used_by`: the actor who used the key first. A key from before this step belongs to the actor of the events of its own
 * instant; where these name several actors, or none, it stays null and answers nobody.
 *
 * `memberships.sessions_valid_from`: an identifier. Sessions with a smaller one neither enter the tenant nor act in it. Identifiers rise
 * also when the clock is set back, and two of one millisecond still differ; a time would not tell them apart.
 */
export const whoAKeyAndASessionAreFor: Migration = {
  name: '0053-who-a-key-and-a-session-are-for',
  sql: `
    ALTER TABLE idempotency_keys ADD COLUMN used_by TEXT;
    UPDATE idempotency_keys SET used_by = (
      SELECT iif(count(DISTINCT e.actor) = 1, max(e.actor), NULL) FROM audit_events e
      WHERE e.tenant_id = idempotency_keys.tenant_id AND e.at = idempotency_keys.created_at
    );

    ALTER TABLE memberships ADD COLUMN sessions_valid_from TEXT;
  `,
}
