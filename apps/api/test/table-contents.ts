import { join } from 'node:path'
import { type Connection, openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'

/** Every table with its rows, each as JSON. Tests keep their stores small. */
type Contents = Map<string, string[]>

/** Kept by SQLite itself for the text index, and the readiness probe, which is nobody's record. */
const inner = /^(sqlite_|business_search_index|readiness_probe$)/

/**
 * How many rows more each table has after `work`; 0 says that a table has as many rows as before, but other ones. A table
 * that is as it was is not named, so `{}` is "nothing changed".
 */
export async function tableChanges(dataDir: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const [earlier, now] = [openReading(dataDir), openReading(dataDir)]
  try {
    // From here on it reads the store as it is now, whatever is written.
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
