import { appendOnly, type Migration, oneOf, unchangedColumns } from './migration.ts'

const isRedacted =
  'EXISTS (SELECT 1 FROM audit_redactions r WHERE r.tenant_id = OLD.tenant_id AND r.sequence = OLD.sequence)'

const redaction = `${isRedacted} AND NEW.before_json IS NULL AND NEW.after_json IS NULL AND NEW.reason IS NULL
        AND ${unchangedColumns('tenant_id', 'sequence', 'id', 'at', 'actor', 'action', 'subject_type', 'subject_id', 'business_id')}
        AND ${unchangedColumns('correlation_id', 'previous_hash', 'hash')}`

/** The condition of a redaction since events have the id of an access token. */
const redactionWithTokens = `${redaction} AND ${unchangedColumns('token_id')}`

/** The condition of a redaction since events have a salt, which it empties. */
const redactionWithSalt = `${redactionWithTokens} AND NEW.salt IS NULL`

/** The GLOB pattern of an id. */
const ID = [8, 4, 4, 4, 12].map((digits) => '[0-9a-f]'.repeat(digits)).join('-')
/** The GLOB pattern of a time, as results contain times. */
const TIME = '0000-00-00T00:00:00.000Z'.replaceAll('0', '[0-9]')

/** The tables of the store itself: the audit chain, idempotency keys and the row of its readiness check. */
export const storeMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-store',
    sql: `
    -- The process that runs a background loop which may run only once over a store.
    CREATE TABLE leases (
      name TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE readiness_probe (id INTEGER PRIMARY KEY CHECK (id = 1), at TEXT NOT NULL) STRICT;

    -- No index by id: an id ends in the sequence of its event.
    CREATE TABLE audit_events (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      id TEXT NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject_type TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      business_id TEXT,
      before_json TEXT,
      after_json TEXT,
      reason TEXT,
      correlation_id TEXT NOT NULL,
      previous_hash TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (tenant_id, sequence)
    ) STRICT;
    CREATE INDEX audit_events_by_business ON audit_events (tenant_id, business_id, sequence) WHERE business_id IS NOT NULL;
    CREATE INDEX audit_events_by_actor ON audit_events (tenant_id, actor, at, sequence);
    CREATE INDEX audit_events_by_action ON audit_events (tenant_id, action, at, sequence);
    CREATE INDEX audit_events_by_subject ON audit_events (tenant_id, subject_id, sequence) WHERE subject_id IS NOT business_id;
    -- Most events are about businesses and are not in this index. The last two columns let a walk skip events without reading them.
    CREATE INDEX audit_events_by_subject_type ON audit_events (tenant_id, subject_type, at, sequence, actor, action)
      WHERE subject_type <> 'business';
    CREATE INDEX audit_events_by_time ON audit_events (tenant_id, at, sequence);
    CREATE INDEX audit_events_of_accounts ON audit_events (tenant_id, sequence)
      WHERE (subject_type = 'session' OR subject_type = 'user' OR subject_type = 'invitation' OR subject_type = 'tenant');
    ${appendOnly('audit_events', { until: redaction })}

    -- An audit event whose content was erased. event_id: the event of the erasure, which holds a digest of these rows.
    -- residue: a hash of the rest of the event, with its own hash in the chain.
    CREATE TABLE audit_redactions (
      tenant_id TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      event_id TEXT NOT NULL,
      residue TEXT NOT NULL,
      PRIMARY KEY (tenant_id, sequence),
      FOREIGN KEY (tenant_id, sequence) REFERENCES audit_events (tenant_id, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX audit_redactions_by_event ON audit_redactions (tenant_id, event_id, sequence);
    ${appendOnly('audit_redactions')}

    -- used_by: the actor who used the key first
    CREATE TABLE idempotency_keys (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      result TEXT NOT NULL,
      created_at TEXT NOT NULL,
      used_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, key)
    ) STRICT;
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
  `,
  },
  {
    name: '2026-11-26-store-index-security-events',
    sql: `
    DROP INDEX audit_events_of_accounts;
    CREATE INDEX audit_events_of_security ON audit_events (tenant_id, sequence)
      WHERE ${oneOf('action', [
        'audit.restart_checkpoints',
        'invitation.withdraw',
        'link.fail',
        'link.refuse',
        'link.use',
        'membership.create',
        'mfa.begin',
        'mfa.enrol',
        'mfa.fail',
        'mfa.remove',
        'mfa.renew_recovery_codes',
        'mfa.reset',
        'mfa.use_recovery_code',
        'password.change',
        'password.fail',
        'password.rehash',
        'session.end',
        'session.expire',
        'session.fail',
        'session.refuse',
        'session.revoke',
        'session.start',
        'session.step_up',
        'session.switch_tenant',
        'source.designate',
        'store.restore',
        'tenant.configure',
        'tenant.create',
        'user.change_role',
        'user.create',
        'user.disable',
        'user.edit',
        'user.enable',
        'user.invite',
        'user.join',
        'user.remove',
        'user.reset_password',
      ])};
  `,
  },
  {
    // Stored results were whole records until now, with contact values in some. Only results of ids, times, numbers and flags stay; a replay of the
    // others is refused. DNS checks stored the ids of their observations in another form.
    name: '2026-11-29-store-empty-stored-records',
    sql: `
    UPDATE idempotency_keys SET fingerprint = '', result = ''
    WHERE CASE WHEN json_valid(result) THEN instr(result, 'observationIds') > 0 OR EXISTS (
      SELECT 1 FROM json_tree(result) AS part
      WHERE (typeof(part.key) = 'text' AND part.key GLOB '*[^A-Za-z]*')
        OR (part.type = 'text' AND part.value NOT GLOB '${ID}' AND part.value NOT GLOB '${TIME}')
    ) ELSE TRUE END;`,
  },
  {
    name: '2026-12-03-store-follower-positions',
    rewrites: true,
    sql: `
    -- The last event of a tenant that a follower of the audit has processed. version: the rules by which it derived the whole tenant.
    CREATE TABLE follower_positions (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      follower TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      version TEXT NOT NULL,
      PRIMARY KEY (tenant_id, follower)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO follower_positions SELECT tenant_id, 'matching', sequence, '' FROM match_positions;
    INSERT INTO follower_positions SELECT tenant_id, 'domains', sequence, list_version FROM domain_followers;
    INSERT INTO follower_positions SELECT tenant_id, 'review', sequence, '' FROM review_positions;
    INSERT INTO follower_positions SELECT tenant_id, 'drafts', sequence, '' FROM draft_positions;
    DROP TABLE match_positions;
    DROP TABLE domain_followers;
    DROP TABLE review_positions;
    DROP TABLE draft_positions;
  `,
  },
  {
    name: '2026-12-22-store-audit-tokens',
    sql: `
    -- token_id: the access token with which a program acted for the actor; the hash of an event with a token covers it
    ALTER TABLE audit_events ADD COLUMN token_id TEXT;
    DROP TRIGGER audit_events_keeps_rows;
    DROP TRIGGER audit_events_loses_no_rows;
    ${appendOnly('audit_events', { until: redactionWithTokens })}
    DROP INDEX audit_events_of_security;
    CREATE INDEX audit_events_of_security ON audit_events (tenant_id, sequence)
      WHERE ${oneOf('action', [
        'audit.restart_checkpoints',
        'invitation.withdraw',
        'link.fail',
        'link.refuse',
        'link.use',
        'membership.create',
        'mfa.begin',
        'mfa.enrol',
        'mfa.fail',
        'mfa.remove',
        'mfa.renew_recovery_codes',
        'mfa.reset',
        'mfa.use_recovery_code',
        'password.change',
        'password.fail',
        'password.rehash',
        'session.end',
        'session.expire',
        'session.fail',
        'session.refuse',
        'session.revoke',
        'session.start',
        'session.step_up',
        'session.switch_tenant',
        'source.designate',
        'store.restore',
        'tenant.configure',
        'tenant.create',
        'token.create',
        'token.refuse',
        'token.revoke',
        'user.change_role',
        'user.create',
        'user.disable',
        'user.edit',
        'user.enable',
        'user.invite',
        'user.join',
        'user.remove',
        'user.reset_password',
      ])};
  `,
  },
  {
    name: '2026-12-28-store-audit-company',
    sql: `
    DROP INDEX audit_events_of_security;
    CREATE INDEX audit_events_of_security ON audit_events (tenant_id, sequence)
      WHERE ${oneOf('action', [
        'audit.restart_checkpoints',
        'company.fail',
        'company.link',
        'company.unlink',
        'invitation.withdraw',
        'link.fail',
        'link.refuse',
        'link.use',
        'membership.create',
        'mfa.begin',
        'mfa.enrol',
        'mfa.fail',
        'mfa.remove',
        'mfa.renew_recovery_codes',
        'mfa.reset',
        'mfa.use_recovery_code',
        'password.change',
        'password.fail',
        'password.rehash',
        'session.end',
        'session.expire',
        'session.fail',
        'session.refuse',
        'session.revoke',
        'session.start',
        'session.step_up',
        'session.switch_tenant',
        'source.designate',
        'store.restore',
        'tenant.configure',
        'tenant.create',
        'token.create',
        'token.refuse',
        'token.revoke',
        'user.change_role',
        'user.create',
        'user.disable',
        'user.edit',
        'user.enable',
        'user.invite',
        'user.join',
        'user.remove',
        'user.reset_password',
      ])};
    `,
  },
  {
    name: '2026-12-28-store-audit-links',
    sql: `
    -- salt: random, part of the hashed content of an event; without it erased content cannot be guessed from its hash
    ALTER TABLE audit_events ADD COLUMN salt TEXT;
    -- content_hash: takes the place of the erased content in the hash of the event; NULL for events without a salt
    ALTER TABLE audit_redactions ADD COLUMN content_hash TEXT;
    DROP TRIGGER audit_events_keeps_rows;
    DROP TRIGGER audit_events_loses_no_rows;
    ${appendOnly('audit_events', { until: redactionWithSalt })}

    -- The random id of the store. Audit heads contain it, so a head of another store is recognized.
    CREATE TABLE store_identity (id INTEGER PRIMARY KEY CHECK (id = 1), store_id TEXT NOT NULL) STRICT;
    INSERT INTO store_identity VALUES (1, lower(hex(randomblob(16))));
    ${appendOnly('store_identity')}
  `,
  },
]
