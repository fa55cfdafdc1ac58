import { join } from 'node:path'
import { openConnection } from '../src/store/connection.ts'
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
  const before = readContents(dataDir)
  await work()
  const after = readContents(dataDir)
  const changes: Record<string, number> = {}
  for (const [table, rows] of after) {
    const rowsBefore = before.get(table) ?? []
    if (rows.join('\n') !== rowsBefore.join('\n')) changes[table] = rows.length - rowsBefore.length
  }
  return changes
}

function readContents(dataDir: string): Contents {
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  try {
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
  } finally {
    connection.close()
  }
}
