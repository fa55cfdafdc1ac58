import type { Migration } from './migration.ts'

/**
 * Two indexes less to write for every business (decision 0048). An identifier is found by the key that suppression keeps of it. An event
 * of the audit is found by its place in the chain, in which its id ends; those of before keep their index.
 */
export const fewerIndexes: Migration = {
  name: '0034-fewer-indexes',
  sql: `
    DROP INDEX business_identifiers_by_value;

    DROP INDEX audit_events_by_id;
    CREATE UNIQUE INDEX audit_events_by_older_id ON audit_events (tenant_id, id)
      WHERE substr(id, 25) <> printf('%012x', sequence);
  `,
}
