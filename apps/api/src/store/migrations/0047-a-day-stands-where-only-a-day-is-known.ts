import type { Migration } from './migration.ts'

/**
 * The day on which evidence was captured or observed, where nobody knows the hour (decision 0086); the time beside it is then the beginning
 * of that day. Rows from before say a time and keep it: whether its hour was known is not known of them.
 */
export const aDayStandsWhereOnlyADayIsKnown: Migration = {
  name: '0047-a-day-stands-where-only-a-day-is-known',
  sql: `
    ALTER TABLE evidence ADD COLUMN captured_on TEXT;
    ALTER TABLE evidence ADD COLUMN observed_on TEXT;
    CREATE TRIGGER evidence_keeps_days BEFORE UPDATE OF captured_on, observed_on ON evidence
      BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
  `,
}
