import type { Migration } from './migration.ts'

/** Attempts that have not ended, to be found without walking all that ever were. */
export const lostMergeAttempts: Migration = {
  name: '0023-lost-merge-attempts',
  sql: `
    CREATE INDEX merge_attempts_begun ON merge_attempts (begun_at) WHERE status = 'begun';
  `,
}
