/**
 * One step of the schema. `name` begins with its date and sorts after every earlier step. A released step never changes. `rewrites`: true if the step
 * drops or rebuilds a table that may contain rows, so that the store is copied first.
 */
export type Migration = { name: string; sql: string; rewrites?: true }

/**
 * Returns triggers that refuse to update or delete the rows of a table. `until`: a condition on OLD and NEW under which an update is accepted, such
 * as an erasure that empties the row. The connection sets `recursive_triggers`, so the triggers refuse REPLACE too.
 */
export function appendOnly(table: string, { until }: { until?: string } = {}): string {
  const condition = until === undefined ? '' : `\n      WHEN NOT (${until})`
  return `
    CREATE TRIGGER ${table}_keeps_rows BEFORE UPDATE ON ${table}${condition}
      BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
    CREATE TRIGGER ${table}_loses_no_rows BEFORE DELETE ON ${table}
      BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;`
}

/** Returns the SQL condition that an update leaves these columns unchanged. */
export function unchangedColumns(...columns: string[]): string {
  return columns.map((column) => `NEW.${column} IS OLD.${column}`).join(' AND ')
}

/**
 * Returns the SQL condition that a column has one of these values. It uses OR comparisons instead of `IN (…)`, because for three or more values in a
 * CHECK SQLite builds a temporary table at each insert.
 */
export function oneOf(column: string, values: readonly string[]): string {
  return `(${values.map((value) => `${column} = '${value}'`).join(' OR ')})`
}
