import type { Migration } from './migration.ts'

/** A check as it stands in the text of its table, white space and all. */
type Check = { table: string; column: string; values: readonly string[]; was?: string }

const quoted = (value: string) => `'${value}'`
const listOf = ({ column, values, was }: Check) => was ?? `${column} IN (${values.map(quoted).join(', ')})`
const chainOf = ({ column, values }: Pick<Check, 'column' | 'values'>) =>
  `(${values.map((value) => `${column} = ${quoted(value)}`).join(' OR ')})`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

const kinds = ['email', 'phone', 'domain']
const roles = ['administrator', 'manager', 'operator', 'viewer']
const suggestionStates = ['open', 'rejected', 'merged', 'superseded']
const openStates = ['new', 'contacted', 'qualified', 'proposal', 'negotiation']
const accountSubjects = ['session', 'user', 'invitation', 'tenant']

const checks: readonly Check[] = [
  { table: 'memberships', column: 'role', values: roles },
  { table: 'memberships', column: 'status', values: ['active', 'disabled', 'removed'] },
  {
    table: 'businesses',
    column: 'province_code',
    values: ['EC', 'FS', 'GP', 'KZN', 'LP', 'MP', 'NC', 'NW', 'WC', 'other'],
  },
  { table: 'businesses', column: 'status', values: ['active', 'merged', 'inactive'] },
  {
    table: 'businesses',
    column: 'pipeline_state',
    values: [...openStates, 'won', 'lost', 'paused', 'disqualified'],
    was: `pipeline_state IN
        ('new', 'contacted', 'qualified', 'proposal', 'negotiation', 'won', 'lost', 'paused', 'disqualified')`,
  },
  { table: 'businesses', column: 'state_before_pause', values: openStates },
  { table: 'businesses', column: 'blocked_through', values: ['hand', 'suppression', 'both'] },
  { table: 'business_identifiers', column: 'kind', values: kinds },
  { table: 'evidence', column: 'confidence', values: ['low', 'medium', 'high'] },
  { table: 'one_time_links', column: 'role', values: roles },
  { table: 'spent_tokens', column: 'subject_type', values: ['session', 'user', 'invitation'] },
  { table: 'jobs', column: 'status', values: ['queued', 'running', 'succeeded', 'failed', 'cancelled'] },
  { table: 'jobs', column: 'status', values: ['succeeded', 'failed', 'cancelled'] },
  {
    table: 'job_events',
    column: 'type',
    values: [
      ...['created', 'started', 'progress', 'checkpoint', 'cancel_requested', 'handed_back', 'reclaimed'],
      ...['succeeded', 'failed', 'cancelled'],
    ],
    was: `type IN ('created', 'started', 'progress', 'checkpoint', 'cancel_requested', 'handed_back', 'reclaimed',
                                         'succeeded', 'failed', 'cancelled')`,
  },
  { table: 'suppressions', column: 'kind', values: kinds },
  {
    table: 'suppressions',
    column: 'channel',
    values: ['email', 'phone', 'letter', 'in_person', 'website', 'registry', 'internal', 'other'],
  },
  { table: 'suppression_history', column: 'action', values: ['added', 'requested_again', 'removed', 'reevaluated'] },
  { table: 'suppression_matches', column: 'cause', values: ['entry', 'record', 'merge', 'reevaluation'] },
  { table: 'interactions', column: 'channel', values: ['phone', 'email', 'message', 'meeting', 'letter', 'other'] },
  {
    table: 'interactions',
    column: 'outcome',
    values: [
      ...['connected', 'no_answer', 'left_message', 'meeting_booked', 'meeting_held'],
      ...['qualified', 'disqualified', 'won', 'lost', 'other'],
    ],
    was: `outcome IN ('connected', 'no_answer', 'left_message', 'meeting_booked', 'meeting_held',
        'qualified', 'disqualified', 'won', 'lost', 'other')`,
  },
  { table: 'match_suggestions', column: 'status', values: suggestionStates },
  { table: 'match_suggestion_counts', column: 'status', values: suggestionStates },
  { table: 'merge_attempts', column: 'status', values: ['begun', 'done', 'refused', 'stopped'] },
  { table: 'merge_attempts', column: 'stage', values: ['snapshot', 'change', 'done'] },
  { table: 'export_files', column: 'removed_because', values: ['expired', 'replaced', 'erasure', 'missing'] },
]

/**
 * SQLite checks a value against a list of three and more by a table that it makes, fills and drops for each row: ten of them for one prospect,
 * a sixteenth of the time that a create takes. The same said with OR is compared at once. What is allowed stays as it was, so no row
 * is looked at and no table is rebuilt: the text of the schema alone is edited, as SQLite's manual says of checks (decision 0091).
 */
export const checksOpenNoTables: Migration = {
  name: '0051-checks-open-no-tables',
  editsSchema: true,
  sql: `
    ${checks
      .map(
        (check) =>
          `UPDATE sqlite_schema SET sql = replace(sql, ${literal(listOf(check))}, ${literal(chainOf(check))})
           WHERE type = 'table' AND name = ${quoted(check.table)};`,
      )
      .join('\n')}
    DROP INDEX audit_events_of_accounts;
    CREATE INDEX audit_events_of_accounts ON audit_events (tenant_id, sequence)
      WHERE ${chainOf({ column: 'subject_type', values: accountSubjects })};
  `,
}
