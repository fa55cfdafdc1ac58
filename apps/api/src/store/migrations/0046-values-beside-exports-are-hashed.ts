import type { Migration } from './migration.ts'

/**
 * The contact values beside a file of an export, which the gate is asked about, are hashed as the file is. Of files that were written
 * before nobody knows what stood there: those of prospects are not handed out any more, and are over within a day.
 */
export const valuesBesideExportsAreHashed: Migration = {
  name: '0046-values-beside-exports-are-hashed',
  sql: `
    ALTER TABLE export_files ADD COLUMN values_sha256 TEXT;
    CREATE TRIGGER export_files_keep_what_stood_beside BEFORE UPDATE OF values_sha256 ON export_files
      BEGIN SELECT RAISE(ABORT, 'what was exported is not edited'); END;
  `,
}
