import { join } from 'node:path'
import { type Connection, openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'

/** The rows of every table, each as JSON. Stores of tests are small. */
type Contents = Map<string, string[]>

/** Tables that SQLite maintains for the text index, and the readiness check, which is no record. */
const inner = /^(sqlite_|business_search_index|readiness_probe$)/

/**
 * Returns the change in the number of rows of each table by `work`; 0 for a table with the same number of rows but different ones. Unchanged tables
 * are omitted, so `{}` means that nothing changed.
 */
export async function tableChanges(dataDir: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const [earlier, now] = [openReading(dataDir), openReading(dataDir)]
  try {
    // From here on `now` reads the current store after every write, and `earlier` its snapshot.
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
