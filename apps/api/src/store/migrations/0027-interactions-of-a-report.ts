import type { Migration } from './migration.ts'

/** What a report counts of an interaction stands in the index by business, so that it reads no rows. */
export const interactionsOfAReport: Migration = {
  name: '0027-interactions-of-a-report',
  sql: `
    DROP INDEX interactions_by_business;
    CREATE INDEX interactions_by_business
      ON interactions (tenant_id, business_id, occurred_at, id, created_at, outcome, on_do_not_contact);
  `,
}
