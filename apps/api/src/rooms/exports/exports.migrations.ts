import { appendOnly, type Migration, oneOf, unchangedColumns } from '../../store/migration.ts'

const emptied = (path: string) =>
  `(OLD.filter_json ->> '${path}' IS NOT NULL AND NEW.filter_json IS json_set(OLD.filter_json, '${path}', NULL))`

/**
 * Condition of an update that an erasure may make: it removes the search text, which can be a name or an address, or a tag that no business has any
 * more.
 */
const erasure = `EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id)
        AND (${emptied('$.q')} OR ${emptied('$.tag')})
        AND ${unchangedColumns('tenant_id', 'id', 'job_id', 'source', 'report_id', 'format', 'suppressed', 'created_at', 'created_by')}`

const condition = (field: string, op: string, values: string) =>
  `json_object('field', '${field}', 'op', '${op}', 'values', ${values})`
const emptiedCondition = (field: string, op: string) =>
  `json_object('field', ${field}, 'op', ${op}, 'values', json('[]'), 'erased', json('true'))`
const isSet = (...names: string[]) => `(${names.map((name) => `filter_json ->> '$.${name}' IS NOT NULL`).join(' OR ')})`
const oneValue = (name: string) => `json_array(json(filter_json -> '$.${name}'))`
const rangeOf = (from: string, to: string) => `json_array(filter_json ->> '$.${from}', filter_json ->> '$.${to}')`
/** Text that an erasure replaced by null. */
const text = (field: string, op: string): [string, string][] => [
  [condition(field, op, oneValue(field)), isSet(field)],
  [emptiedCondition(`'${field}'`, `'${op}'`), `json_type(filter_json, '$.${field}') = 'null'`],
]
const orNone = (field: string): [string, string][] => [
  [condition(field, 'any_of', oneValue(field)), `filter_json ->> '$.${field}' <> 'none'`],
  [condition(field, 'is_empty', `json('[]')`), `filter_json ->> '$.${field}' = 'none'`],
]

/** Conditions of the former object with one value per field, each with the SQL condition under which the object has it. */
const formerFields: readonly [condition: string, isSet: string][] = [
  ...text('q', 'contains'),
  ...text('tag', 'any_of'),
  ...orNone('assignee'),
  ...orNone('province'),
  ...['state', 'priority', 'reachable', 'eligibility', 'review', 'doNotContact', 'hasEvidence'].map(
    (field): [string, string] => [condition(field, 'any_of', oneValue(field)), isSet(field)],
  ),
  [condition('updatedAt', 'between', rangeOf('updatedFrom', 'updatedTo')), isSet('updatedFrom', 'updatedTo')],
  [condition('updatedAt', 'within_days', oneValue('updatedWithinDays')), isSet('updatedWithinDays')],
  [condition('score', 'between', rangeOf('scoreFrom', 'scoreTo')), isSet('scoreFrom', 'scoreTo')],
]

const requestColumns = [
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

const formerTexts = ['q', 'tag', 'city', 'industry', 'sourceLabel']

const tenantHasErasures = 'EXISTS (SELECT 1 FROM erasures e WHERE e.tenant_id = OLD.tenant_id)'

/** Trigger that refuses an update, except that of an erasure, which empties conditions on texts. */
const keepsRows = (
  columns: readonly string[],
  texts: readonly string[] = formerTexts,
  isErasing = tenantHasErasures,
) => `
    CREATE TRIGGER exports_keeps_rows BEFORE UPDATE ON exports
      WHEN NOT (${isErasing}
        AND ${unchangedColumns(...columns)}
        AND NEW.filter_json <> OLD.filter_json
        AND json_array_length(NEW.filter_json) = json_array_length(OLD.filter_json)
        AND NOT EXISTS (
          SELECT 1 FROM json_each(OLD.filter_json) AS was JOIN json_each(NEW.filter_json) AS now ON now.key = was.key
          WHERE now.value <> was.value
            AND NOT (${oneOf(`was.value ->> '$.field'`, texts)}
              AND now.value = ${emptiedCondition(`was.value ->> '$.field'`, `was.value ->> '$.op'`)})))
      BEGIN SELECT RAISE(ABORT, 'exports is append-only'); END;`

export const exportsMigrations: readonly Migration[] = [
  {
    name: '2026-11-25-exports',
    sql: `
    -- The request, written once. suppressed: what the file holds of records that are do not contact.
    CREATE TABLE exports (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('prospects', 'report')),
      report_id TEXT,
      format TEXT NOT NULL CHECK (format IN ('csv', 'jsonl')),
      suppressed TEXT NOT NULL CHECK (suppressed IN ('leave_out', 'mark')),
      filter_json TEXT NOT NULL CHECK (json_valid(filter_json)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id),
      FOREIGN KEY (tenant_id, report_id) REFERENCES reports (tenant_id, id),
      CHECK ((source = 'report') = (report_id IS NOT NULL))
    ) STRICT;
    CREATE INDEX exports_by_job ON exports (tenant_id, job_id);
    CREATE INDEX exports_by_report ON exports (tenant_id, report_id) WHERE report_id IS NOT NULL;
    CREATE INDEX exports_with_search ON exports (tenant_id) WHERE filter_json ->> '$.q' IS NOT NULL;
    CREATE INDEX exports_with_tag ON exports (tenant_id) WHERE filter_json ->> '$.tag' IS NOT NULL;
    ${appendOnly('exports', { until: erasure })}

    -- The file of an export, also after it was removed: counts and hashes, no content. values_sha256: of the contact values stored
    -- beside the file, about which the gate is asked before a download.
    CREATE TABLE export_files (
      tenant_id TEXT NOT NULL,
      export_id TEXT NOT NULL,
      rows INTEGER NOT NULL CHECK (rows >= 0),
      left_out INTEGER NOT NULL CHECK (left_out >= 0),
      marked INTEGER NOT NULL CHECK (marked >= 0),
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      sha256 TEXT NOT NULL,
      values_sha256 TEXT NOT NULL,
      begun_at TEXT NOT NULL,
      written_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      removed_at TEXT,
      removed_because TEXT CHECK (removed_because = 'expired' OR removed_because = 'replaced' OR removed_because = 'erasure'
        OR removed_because = 'missing'),
      PRIMARY KEY (tenant_id, export_id),
      FOREIGN KEY (tenant_id, export_id) REFERENCES exports (tenant_id, id),
      CHECK ((removed_at IS NULL) = (removed_because IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX export_files_kept ON export_files (tenant_id, export_id) WHERE removed_at IS NULL;
    CREATE TRIGGER export_files_stay_known BEFORE DELETE ON export_files
      BEGIN SELECT RAISE(ABORT, 'what was exported stays known'); END;
    CREATE TRIGGER export_files_are_removed_once BEFORE UPDATE ON export_files WHEN OLD.removed_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a removed file is history'); END;
    CREATE TRIGGER export_files_keep_what_was_written
      BEFORE UPDATE OF tenant_id, export_id, rows, left_out, marked, bytes, sha256, values_sha256, begun_at, written_at, expires_at
      ON export_files
      BEGIN SELECT RAISE(ABORT, 'what was exported is not edited'); END;
  `,
  },
  {
    // Stores the filter as a list of conditions, as saved filters and bulk actions do, in place of an object with one value per field.
    name: '2026-12-02-exports-by-conditions',
    sql: `
    DROP TRIGGER exports_keeps_rows;
    DROP INDEX exports_with_search;
    DROP INDEX exports_with_tag;
    UPDATE exports SET filter_json = (SELECT json_group_array(json(former.condition)) FROM (
      ${formerFields.map(([made, hasIt]) => `SELECT ${made} AS condition WHERE ${hasIt}`).join('\n      UNION ALL ')}
    ) AS former);
    CREATE INDEX exports_with_filter ON exports (tenant_id) WHERE filter_json <> '[]';
    ${keepsRows(requestColumns)}
  `,
  },
  {
    // The layout of a CSV file for a spreadsheet: separator, decimal sign and time zone.
    name: '2026-12-09-exports-for-spreadsheets',
    sql: `
    ALTER TABLE exports ADD COLUMN spreadsheet TEXT CHECK (spreadsheet IS NULL OR (json_valid(spreadsheet) AND format = 'csv'));
    DROP TRIGGER exports_keeps_rows;
    ${keepsRows([...requestColumns, 'spreadsheet'])}
  `,
  },
  {
    // Exports of the audit. The list of sources is a CHECK, so both tables are rebuilt.
    name: '2026-12-10-exports-of-the-audit',
    rewrites: true,
    sql: `
    CREATE TABLE new_exports (
      tenant_id TEXT NOT NULL REFERENCES tenants (id),
      id TEXT NOT NULL,
      job_id TEXT NOT NULL,
      source TEXT NOT NULL CHECK (${oneOf('source', ['prospects', 'report', 'audit'])}),
      report_id TEXT,
      format TEXT NOT NULL CHECK (format IN ('csv', 'jsonl')),
      suppressed TEXT NOT NULL CHECK (suppressed IN ('leave_out', 'mark')),
      filter_json TEXT NOT NULL CHECK (json_valid(filter_json)),
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      spreadsheet TEXT CHECK (spreadsheet IS NULL OR (json_valid(spreadsheet) AND format = 'csv')),
      audit_filter TEXT CHECK (audit_filter IS NULL OR json_valid(audit_filter)),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id),
      FOREIGN KEY (tenant_id, report_id) REFERENCES reports (tenant_id, id),
      CHECK ((source = 'report') = (report_id IS NOT NULL)),
      CHECK ((source = 'audit') = (audit_filter IS NOT NULL))
    ) STRICT;
    INSERT INTO new_exports
      SELECT tenant_id, id, job_id, source, report_id, format, suppressed, filter_json, created_at, created_by, spreadsheet, NULL
      FROM exports;
    CREATE TABLE new_export_files (
      tenant_id TEXT NOT NULL,
      export_id TEXT NOT NULL,
      rows INTEGER NOT NULL CHECK (rows >= 0),
      left_out INTEGER NOT NULL CHECK (left_out >= 0),
      marked INTEGER NOT NULL CHECK (marked >= 0),
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      sha256 TEXT NOT NULL,
      values_sha256 TEXT NOT NULL,
      begun_at TEXT NOT NULL,
      written_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      removed_at TEXT,
      removed_because TEXT CHECK (removed_because = 'expired' OR removed_because = 'replaced' OR removed_because = 'erasure'
        OR removed_because = 'missing'),
      PRIMARY KEY (tenant_id, export_id),
      FOREIGN KEY (tenant_id, export_id) REFERENCES new_exports (tenant_id, id),
      CHECK ((removed_at IS NULL) = (removed_because IS NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_export_files
      SELECT tenant_id, export_id, rows, left_out, marked, bytes, sha256, values_sha256, begun_at, written_at, expires_at, removed_at,
        removed_because
      FROM export_files;
    DROP TABLE export_files;
    DROP TABLE exports;
    ALTER TABLE new_exports RENAME TO exports;
    ALTER TABLE new_export_files RENAME TO export_files;
    CREATE INDEX exports_by_job ON exports (tenant_id, job_id);
    CREATE INDEX exports_by_report ON exports (tenant_id, report_id) WHERE report_id IS NOT NULL;
    CREATE INDEX exports_with_filter ON exports (tenant_id) WHERE filter_json <> '[]';
    CREATE TRIGGER exports_loses_no_rows BEFORE DELETE ON exports
      BEGIN SELECT RAISE(ABORT, 'exports is append-only'); END;
    ${keepsRows([...requestColumns, 'spreadsheet', 'audit_filter'])}
    CREATE INDEX export_files_kept ON export_files (tenant_id, export_id) WHERE removed_at IS NULL;
    CREATE TRIGGER export_files_stay_known BEFORE DELETE ON export_files
      BEGIN SELECT RAISE(ABORT, 'what was exported stays known'); END;
    CREATE TRIGGER export_files_are_removed_once BEFORE UPDATE ON export_files WHEN OLD.removed_at IS NOT NULL
      BEGIN SELECT RAISE(ABORT, 'a removed file is history'); END;
    CREATE TRIGGER export_files_keep_what_was_written
      BEFORE UPDATE OF tenant_id, export_id, rows, left_out, marked, bytes, sha256, values_sha256, begun_at, written_at, expires_at
      ON export_files
      BEGIN SELECT RAISE(ABORT, 'what was exported is not edited'); END;
    `,
  },
  {
    // Which records a file contained, by the numbers of tenant and record. A file of an earlier release has no rows.
    name: '2026-12-15-export-records',
    sql: `
    CREATE TABLE export_records (
      tenant INTEGER NOT NULL,
      docid INTEGER NOT NULL,
      export_id TEXT NOT NULL,
      PRIMARY KEY (tenant, docid, export_id)
    ) STRICT, WITHOUT ROWID;
    ${appendOnly('export_records')}
  `,
  },
  {
    name: '2026-12-29-exports-by-people',
    sql: `
    -- An erasure also empties conditions on the names and roles of people, and so does the erasure of a person.
    DROP TRIGGER exports_keeps_rows;
    ${keepsRows(
      [...requestColumns, 'spreadsheet', 'audit_filter'],
      [...formerTexts, 'person', 'role'],
      `(${tenantHasErasures}
        OR EXISTS (SELECT 1 FROM person_states p WHERE p.tenant_id = OLD.tenant_id AND p.erased_at IS NOT NULL))`,
    )}
  `,
  },
]
