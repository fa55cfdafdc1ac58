import { join } from 'node:path'
import { type Connection, openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'

/** The rows of every table, each row as JSON. This fits into memory, because the stores of tests are small. */
type Contents = Map<string, string[]>

/**
 * Matches tables that are excluded: those that SQLite maintains for the full-text index, and the table of the readiness check, which contains no
 * record.
 */
const inner = /^(sqlite_|business_search_index|readiness_probe$)/

/**
 * Returns how many rows `work` added to each table. The number is 0 if a table has as many rows as before but different ones. Unchanged tables are
 * omitted, so `{}` means that nothing changed.
 */
export async function tableChanges(dataDir: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const [earlier, now] = [openReading(dataDir), openReading(dataDir)]
  try {
    // From this point `now` reads the current store after every write, and `earlier` reads the snapshot of this moment.
    earlier.exec('BEGIN')
    earlier.prepare('SELECT count(*) FROM sqlite_schema').get()
    const version = now.pragma('data_version', { simple: true })
    await work()
    if (now.pragma('data_version', { simple: true }) === version) return {}
    return differences(readContents(earlier), readContents(now))
  } finally {
    earlier.close()
    now.close()
  }
}

function differences(before: Contents, after: Contents): Record<string, number> {
  const changes: Record<string, number> = {}
  for (const [table, rows] of after) {
    const rowsBefore = before.get(table) ?? []
    if (rows.join('\n') !== rowsBefore.join('\n')) changes[table] = rows.length - rowsBefore.length
  }
  return changes
}

function openReading(dataDir: string): Connection {
  return openConnection(join(dataDir, STORE_FILE), { readonly: true })
}

function readContents(connection: Connection): Contents {
  const tables = connection
    .prepare<[], { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all()
  return new Map(
    tables
      .map(({ name }) => name)
      .filter((name) => !inner.test(name))
      .map((name) => [
        name,
        connection
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => JSON.stringify(row))
          .sort(),
      ]),
  )
}
