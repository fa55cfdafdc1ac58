/** Triggers that keep a table's rows as they were written. With `recursive_triggers` REPLACE is refused as well. */
export function appendOnly(table: string): string {
  return `
    CREATE TRIGGER ${table}_keeps_rows BEFORE UPDATE ON ${table}
      BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
    CREATE TRIGGER ${table}_loses_no_rows BEFORE DELETE ON ${table}
      BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;`
}
