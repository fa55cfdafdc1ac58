import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'

/*
 * SQL that only SQLite understands, and the SQLite driver, may appear only in `store/`, in migrations, or in a file marked `*.sqlite.ts`. Other files
 * use the functions of `store/engine/dialect.ts`. The test reads all sources, so new files are checked too.
 */

const sources = join(import.meta.dirname, '..')

/** Patterns of SQL that only SQLite understands. Each has an example that it must match, so that no pattern is ineffective. */
const sqliteOnly: [pattern: RegExp, example: string][] = [
  [/\bjson_\w+\(/, 'SELECT json_each(words)'],
  [/(?<!-)->>?\s*['$\d]/, "value ->> '$.id'"],
  [/\bINDEXED BY\b/, 'FROM events INDEXED BY by_time'],
  [/`\+(?=[a-z])/, 'sql`+m.status`'],
  [/\bCROSS JOIN\b/, 'FROM a CROSS JOIN b ON b.id = a.id'],
  [/\browid\b/i, 'SELECT rowid'],
  [/\bPRAGMA\b|\bpragma\(|\bpragma_/, 'PRAGMA data_version'],
  [/\b(total_changes|last_insert_rowid|changes)\(\)/, 'SELECT total_changes()'],
  [/\binstr\(/, "instr(text, 'a') > 0"],
  [/\b(julianday|strftime|unixepoch)\(/, 'julianday(at)'],
  [/\b(printf|hex|unhex|zeroblob|unicode|total)\((?=.*['`,])/, "printf('%08d', number)"],
  [/\b(iif|ifnull|typeof|likely|unlikely|group_concat|randomblob)\((?!\s*\))(?=.*['`,])/, "iif(a, 'b', 'c')"],
  [/\bCOLLATE\b|\.collate\(/, 'name COLLATE NOCASE'],
  [/\bGLOB\b/, "country GLOB '[A-Z]'"],
  [/\bMATCH\s+[$?'+]/, "search MATCH 'word'"],
  [/\bfts5\b|\bbm25\(/, 'USING fts5 (text)'],
  [/\bIS (NOT )?[$?]\{?/, 'b.assignee_id IS ?'],
  [/\bINSERT OR\b|\bREPLACE INTO\b/, 'INSERT OR IGNORE INTO tags'],
  [/\bsqlite_\w+/, 'FROM sqlite_schema'],
  [/\bSQLITE_[A-Z]+/, "error.code === 'SQLITE_BUSY'"],
  [/\bVACUUM\b/, 'VACUUM INTO ?'],
  [/['"]better-sqlite3['"]/, "import BetterSqlite3 from 'better-sqlite3'"],
]

const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')

const linesOnly = (text: string) =>
  withoutComments(text)
    .split('\n')
    .filter((line) => sqliteOnly.some(([pattern]) => pattern.test(line)))

const files = globSync('**/*.ts', { cwd: sources })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => !file.startsWith('store/') && !/\.(test|migrations)\.ts$|(^|\/)test\//.test(file))
const isMarked = (file: string) => file.endsWith('.sqlite.ts')
const linesOf = (file: string) => linesOnly(readFileSync(join(sources, file), 'utf8'))

test('no room contains SQL of one engine, or names its driver', () => {
  const found = files
    .filter((file) => !isMarked(file))
    .flatMap((file) => linesOf(file).map((line) => `${file}: ${line.trim()}`))
  expect(files.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})

test('every file that is marked for an engine needs its mark', () => {
  expect(files.filter((file) => isMarked(file) && linesOf(file).length === 0)).toEqual([])
})

test.each(sqliteOnly)('%s is recognized, but not in a comment', (pattern, example) => {
  expect(example).toMatch(pattern)
  expect(linesOnly(`${example}\n// ${example}\n/* ${example} */`)).toHaveLength(1)
})
