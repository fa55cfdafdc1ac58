import type { Migration } from './migration.ts'

/** Sentences of refusals as they were kept until now, each of which may name a record, and the code that is kept instead. */
const refusals = [
  ['Since you opened this:%', 'pair_changed'],
  ['%takes no merge.', 'business_not_active'],
  ['One stands at %', 'conflicts_unresolved'],
  ['Choose one of the two records%', 'invalid_request'],
  ['These two were made one already%', 'suggestion_not_open'],
  ['This suggestion was rejected%', 'suggestion_not_open'],
  ['What this suggestion rested on%', 'suggestion_not_open'],
  ['There is no such record.', 'not_found'],
  ['%hang on one of the two; a merge takes no more.', 'too_large'],
  ['One record stands for at most%', 'too_large'],
] as const

/** What is left is a reversal that was refused. */
const ANY_REFUSAL = 'merge_not_reversible'

const erased = `'Erased.'`

const tenantHasErasures = 'EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id)'

const isErased = (...businessIds: string[]) =>
  `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id AND e.business_id IN (${businessIds.join(', ')}))`

/** Whether one of these snapshots, which are emptied last, holds a business that was erased. */
const holdErased = (snapshots: string) =>
  `EXISTS (SELECT 1 FROM merge_snapshots s JOIN erasures e ON e.tenant_id = s.tenant_id
        WHERE s.tenant_id = OLD.tenant_id AND ${snapshots} AND instr(s.content, e.business_id) > 0)`

const kept = (...columns: string[]) => columns.map((column) => `NEW.${column} IS OLD.${column}`).join(' AND ')

const exportColumns = [
  'tenant_id',
  'id',
  'job_id',
  'source',
  'report_id',
  'format',
  'suppressed',
  'created_at',
  'created_by',
]
const reportColumns = [
  ...['tenant_id', 'id', 'job_id', 'first_day', 'last_day', 'time_zone', 'starts_at', 'ends_at', 'as_of'],
  ...['created_at', 'created_by'],
]
const snapshotColumns = [
  ...['tenant_id', 'id', 'created_at', 'records', 'content_hash', 'normalization_version', 'algorithm_version'],
  'suffix_list_version',
]
const mergeIdentity = [
  ...['tenant_id', 'id', 'suggestion_id', 'snapshot_id', 'survivor_id', 'loser_id', 'merged_at', 'merged_by'],
  ...['ended_suggestions', 'read_back'],
]
const reversal = ['status', 'reversed_at', 'reversed_by', 'reversal']

const emptied = (path: string) =>
  `(OLD.filter_json ->> '${path}' IS NOT NULL AND NEW.filter_json IS json_set(OLD.filter_json, '${path}', NULL))`

/**
 * What an erased record left where it did not stand itself: on a record that it had been merged into and taken out of again, in what a
 * report or an export was narrowed by, and in why a merge came to nothing. An erasure empties it, and nothing else may.
 */
export const erasedTraces: Migration = {
  name: '0037-erased-traces',
  sql: `
    DROP TRIGGER merge_attempts_end_once;
    UPDATE merge_attempts SET failure = CASE
        ${refusals.map(([words, code]) => `WHEN failure LIKE '${words}' THEN '${code}'`).join('\n        ')}
        ELSE '${ANY_REFUSAL}' END
      WHERE status = 'refused';
    -- what could not be read was quoted
    UPDATE merge_attempts SET failure = 'SyntaxError' WHERE status = 'stopped' AND failure LIKE '%JSON%';
    CREATE TRIGGER merge_attempts_end_once BEFORE UPDATE ON merge_attempts WHEN OLD.status <> 'begun'
      BEGIN SELECT RAISE(ABORT, 'an attempt that has ended is history'); END;

    CREATE INDEX exports_with_tag ON exports (tenant_id) WHERE filter_json ->> '$.tag' IS NOT NULL;
    DROP TRIGGER exports_keeps_rows;
    CREATE TRIGGER exports_keeps_rows BEFORE UPDATE ON exports
      WHEN NOT (${tenantHasErasures} AND (${emptied('$.q')} OR ${emptied('$.tag')}) AND ${kept(...exportColumns)})
      BEGIN SELECT RAISE(ABORT, 'exports is append-only'); END;

    CREATE INDEX reports_with_tag ON reports (tenant_id) WHERE filter_json ->> '$.tag' IS NOT NULL;
    DROP TRIGGER reports_keeps_rows;
    CREATE TRIGGER reports_keeps_rows BEFORE UPDATE ON reports
      WHEN NOT (${tenantHasErasures} AND ${emptied('$.tag')} AND ${kept(...reportColumns)}
        AND NEW.name IS OLD.first_day || ' to ' || OLD.last_day)
      BEGIN SELECT RAISE(ABORT, 'reports is append-only'); END;

    DROP TRIGGER match_snapshots_keeps_rows;
    CREATE TRIGGER match_snapshots_keeps_rows BEFORE UPDATE ON match_snapshots
      WHEN NOT (${tenantHasErasures} AND ${kept(...snapshotColumns)} AND json_type(NEW.words) = 'object' AND NOT EXISTS (
        SELECT key, value FROM json_each(NEW.words) EXCEPT SELECT key, value FROM json_each(OLD.words)))
      BEGIN SELECT RAISE(ABORT, 'match_snapshots is append-only'); END;

    DROP TRIGGER merges_are_reversed_once;
    CREATE TRIGGER merges_are_reversed_once BEFORE UPDATE ON merges
      WHEN OLD.status = 'reversed' AND NOT (${kept(...reversal)} AND (
        (${isErased('OLD.survivor_id', 'OLD.loser_id')} AND NEW.reversal_reason IS ${erased})
        OR (${holdErased('s.id = OLD.snapshot_id')} AND ${kept('reversal_reason')})))
      BEGIN SELECT RAISE(ABORT, 'a reversal stands'); END;
    DROP TRIGGER merges_keep_what_was_decided;
    CREATE TRIGGER merges_keep_what_was_decided
      BEFORE UPDATE OF tenant_id, id, suggestion_id, snapshot_id, survivor_id, loser_id, merged_at, merged_by, reason, choices, after,
        ended_suggestions, read_back ON merges
      WHEN NOT (NEW.choices IS '[]' AND NEW.after IS '{}' AND ${kept(...mergeIdentity)} AND (
        (${isErased('OLD.survivor_id', 'OLD.loser_id')} AND NEW.reason IS ${erased})
        OR (${holdErased('s.id = OLD.snapshot_id')} AND ${kept('reason')})))
      BEGIN SELECT RAISE(ABORT, 'what a merge did is history'); END;

    DROP TRIGGER match_decisions_stand;
    CREATE TRIGGER match_decisions_stand BEFORE UPDATE ON match_suggestions
      WHEN OLD.status = 'rejected' AND NOT (${kept('status', 'decided_at', 'decided_by', 'score', 'renews')} AND (
        (${isErased('OLD.business_a', 'OLD.business_b')} AND NEW.decision_reason IS ${erased} AND NEW.facts IS '')
        OR (${holdErased('s.survivor_id IN (OLD.business_a, OLD.business_b)')} AND ${kept('decision_reason', 'facts')}
          AND NEW.evidence IS '[]')))
      BEGIN SELECT RAISE(ABORT, 'a rejection stands'); END;
  `,
}
