import { appendOnly } from './append-only.ts'
import type { Migration } from './migration.ts'

/** What stands in a column that may not be empty, once what it held was erased. */
const erased = `'Erased.'`

const isErased = (...businessIds: string[]) =>
  `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id IN (${businessIds.join(', ')}))`

/** Whether an update does what an erasure may and nothing else: these columns emptied so, the others as they were. */
function onlyErases(emptied: Record<string, string>, kept: readonly string[]): string {
  return [
    ...Object.entries(emptied).map(([column, value]) => `NEW.${column} IS ${value}`),
    ...kept.map((column) => `NEW.${column} IS OLD.${column}`),
  ].join(' AND ')
}

type Erasable = { table: string; of: string; emptied: Record<string, string>; kept: readonly string[] }

/** Keeps the rows of an append-only table as they were written, but for those of a business that was erased. */
function appendOnlyUntilErased({ table, of, emptied, kept }: Erasable): string {
  return `
    DROP TRIGGER ${table}_keeps_rows;
    CREATE TRIGGER ${table}_keeps_rows BEFORE UPDATE ON ${table}
      WHEN NOT (${of} AND ${onlyErases(emptied, kept)})
      BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;`
}

/**
 * Erasing a business empties what was written once, and nothing else may: each trigger lets through just the emptied row, and only of a
 * business that the erasures name. An audit event loses its content only when it is named as redacted, by the erasure that the chain
 * tells of.
 */
export const erasure: Migration = {
  name: '0021-erasure',
  sql: `
    -- a business of which nothing is left but that it was; root_id: the one that was erased, with all that had been merged into it
    CREATE TABLE erasures (
      tenant_id TEXT NOT NULL,
      business_id TEXT NOT NULL,
      root_id TEXT NOT NULL,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (tenant_id, business_id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES businesses (tenant_id, id),
      FOREIGN KEY (tenant_id, root_id) REFERENCES businesses (tenant_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX erasures_by_root ON erasures (tenant_id, root_id);
    CREATE INDEX erasures_by_time ON erasures (tenant_id, at);
    ${appendOnly('erasures')}

    -- an audit event whose content was erased; event_id: the event that tells of it, with a digest over these rows;
    -- residue: a hash over what is left of the event, its own hash in the chain among it
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

    ${appendOnlyUntilErased({
      table: 'audit_events',
      of: 'EXISTS (SELECT 1 FROM audit_redactions r WHERE r.tenant_id = OLD.tenant_id AND r.sequence = OLD.sequence)',
      emptied: { before_json: 'NULL', after_json: 'NULL', reason: 'NULL' },
      kept: [
        'tenant_id',
        'sequence',
        'id',
        'at',
        'actor',
        'action',
        'subject_type',
        'subject_id',
        'business_id',
        'correlation_id',
        'previous_hash',
        'hash',
      ],
    })}
    ${appendOnlyUntilErased({
      table: 'evidence',
      of: isErased('OLD.business_id'),
      emptied: {
        field: 'NULL',
        value: 'NULL',
        observation: erased,
        source_reference: 'NULL',
        source_label: erased,
        context: 'NULL',
        url: 'NULL',
      },
      kept: [
        'tenant_id',
        'id',
        'business_id',
        'captured_at',
        'observed_at',
        'confidence',
        'supersedes_id',
        'created_at',
        'created_by',
      ],
    })}
    ${appendOnlyUntilErased({
      table: 'notes',
      of: isErased('OLD.business_id'),
      emptied: { text: erased },
      kept: ['tenant_id', 'id', 'business_id', 'sensitive', 'author', 'created_at'],
    })}
    ${appendOnlyUntilErased({
      table: 'interactions',
      of: isErased('OLD.business_id'),
      emptied: { summary: 'NULL', participants: `'[]'` },
      kept: [
        'tenant_id',
        'id',
        'business_id',
        'occurred_at',
        'channel',
        'direction',
        'outcome',
        'follow_up_on',
        'corrects_id',
        'on_do_not_contact',
        'created_at',
        'created_by',
      ],
    })}
    ${appendOnlyUntilErased({
      table: 'pipeline_transitions',
      of: isErased('OLD.business_id'),
      emptied: { reason: 'NULL' },
      kept: [
        'tenant_id',
        'id',
        'business_id',
        'from_state',
        'to_state',
        'at',
        'actor',
        'correlation_id',
        'idempotency_key',
      ],
    })}
    ${appendOnlyUntilErased({
      table: 'merge_snapshots',
      of: `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND instr(OLD.content, e.business_id) > 0)`,
      emptied: { content: `'{}'` },
      kept: ['tenant_id', 'id', 'suggestion_id', 'survivor_id', 'loser_id', 'created_at', 'created_by', 'content_hash'],
    })}

    DROP TRIGGER merges_are_reversed_once;
    CREATE TRIGGER merges_are_reversed_once BEFORE UPDATE ON merges
      WHEN OLD.status = 'reversed' AND NOT (${isErased('OLD.survivor_id', 'OLD.loser_id')}
        AND ${onlyErases({ reversal_reason: erased }, ['status', 'reversed_at', 'reversed_by', 'reversal'])})
      BEGIN SELECT RAISE(ABORT, 'a reversal stands'); END;
    DROP TRIGGER merges_keep_what_was_decided;
    CREATE TRIGGER merges_keep_what_was_decided
      BEFORE UPDATE OF tenant_id, id, suggestion_id, snapshot_id, survivor_id, loser_id, merged_at, merged_by, reason, choices, after,
        ended_suggestions, read_back ON merges
      WHEN NOT (${isErased('OLD.survivor_id', 'OLD.loser_id')} AND ${onlyErases(
        { reason: erased, choices: `'[]'`, after: `'{}'` },
        [
          'tenant_id',
          'id',
          'suggestion_id',
          'snapshot_id',
          'survivor_id',
          'loser_id',
          'merged_at',
          'merged_by',
          'ended_suggestions',
          'read_back',
        ],
      )})
      BEGIN SELECT RAISE(ABORT, 'what a merge did is history'); END;

    DROP TRIGGER match_decisions_stand;
    CREATE TRIGGER match_decisions_stand BEFORE UPDATE ON match_suggestions
      WHEN OLD.status = 'rejected' AND NOT (${isErased('OLD.business_a', 'OLD.business_b')}
        AND ${onlyErases({ decision_reason: erased, facts: `''` }, ['status', 'decided_at', 'decided_by', 'score', 'renews'])})
      BEGIN SELECT RAISE(ABORT, 'a rejection stands'); END;

    -- a tag that nobody carries any more leaves no count behind in which it could be read
    CREATE TRIGGER business_tag_forgotten AFTER DELETE ON business_tags
      WHEN NOT EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = OLD.tenant_id AND t.tag_key = OLD.tag_key)
      BEGIN
        DELETE FROM business_tag_counts WHERE tenant_id = OLD.tenant_id AND tag_key = OLD.tag_key;
      END;

    -- the keys of one business are forgotten with it
    CREATE INDEX suppression_record_keys_by_business ON suppression_record_keys (tenant_id, business_id);
  `,
}
