import { join } from 'node:path'
import { onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { migrations } from '../../rooms/migrations.ts'
import { type Connection, openConnection } from '../engine/connection.ts'
import { migrate, pendingMigrations, schemaVersion } from './migrate.ts'

function setUp() {
  const file = join(temporaryFolder(), 'test.sqlite')
  const connection = openConnection(file)
  onTestFinished(() => void connection.close())
  const schema = () => connection.prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck().all()
  return { file, connection, schema }
}

const works = { name: '2026-12-01-first', sql: 'CREATE TABLE first (id INTEGER PRIMARY KEY) STRICT' }
const breaks = {
  name: '2026-12-02-breaks',
  sql: 'CREATE TABLE second (id INTEGER) STRICT; CREATE TABLE second (id INTEGER) STRICT',
}
const mended = { name: '2026-12-02-second', sql: 'CREATE TABLE second (id INTEGER) STRICT' }

test('an empty file gets the whole schema, and a second run changes nothing', ({ expect }) => {
  const { connection, schema } = setUp()
  expect(migrate(connection, { steps: migrations })).toEqual({ from: 0, to: migrations.length })
  const once = schema()
  expect(migrate(connection, { steps: migrations })).toEqual({ from: migrations.length, to: migrations.length })
  expect(schema()).toEqual(once)
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
})

test('a step that fails half-way is rolled back, earlier ones stay, and once fixed it continues', ({ expect }) => {
  const { connection, schema } = setUp()
  expect(() => migrate(connection, { steps: [works, breaks] })).toThrow('2026-12-02-breaks failed')
  expect(schema()).toEqual(['first', 'schema_steps'])
  expect(schemaVersion(connection)).toBe(1)
  expect(migrate(connection, { steps: [works, mended] })).toEqual({ from: 1, to: 2 })
  expect(schema()).toEqual(['first', 'schema_steps', 'second'])
})

test('a failed step reports the cause, and a full disk as such', ({ expect }) => {
  const { connection, schema } = setUp()
  expect(() => migrate(connection, { steps: [works, breaks] })).toThrow(
    '2026-12-02-breaks failed (table second already exists)',
  )
  const pages = Number(connection.pragma('page_count', { simple: true }))
  connection.pragma(`max_page_count = ${pages}`)
  expect(() => migrate(connection, { steps: [works, mended] })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^Migration 2026-12-02-second could not be taken. The disk of the store is full./),
      details: expect.objectContaining({ reason: 'storage_full' }),
    }),
  )
  expect(schema()).toEqual(['first', 'schema_steps'])
  expect(schemaVersion(connection)).toBe(1)
})

test('does not repeat a step that another program took meanwhile', ({ expect }) => {
  const { file, connection, schema } = setUp()
  const other = openConnection(file)
  onTestFinished(() => void other.close())
  // Makes another program apply the migration between this program's check and its transaction.
  const exec = connection.exec.bind(connection)
  vi.spyOn(connection, 'exec').mockImplementationOnce((begin) => {
    migrate(other, { steps: [works, mended] })
    return exec(begin)
  })
  expect(migrate(connection, { steps: [works, mended] })).toEqual({ from: 0, to: 2 })
  expect(schema()).toEqual(['first', 'schema_steps', 'second'])
})

test('takes a step whose name sorts before steps that were taken, as a branch may merge it later', ({ expect }) => {
  const { connection } = setUp()
  migrate(connection, { steps: [works, mended] })
  const between = { name: '2026-12-01-z-between', sql: 'CREATE TABLE third (id INTEGER) STRICT' }
  expect(pendingMigrations(connection, [works, between, mended])).toEqual([between])
  expect(migrate(connection, { steps: [works, between, mended] })).toEqual({ from: 2, to: 3 })
})

test('refuses a store that has taken an unknown step, and leaves it unchanged', ({ expect }) => {
  const { connection, schema } = setUp()
  migrate(connection, { steps: [works, mended] })
  const before = schema()
  expect(() => migrate(connection, { steps: [works] })).toThrow(
    'The store has schema version 2 with the step 2026-12-02-second, which this program does not know. Start a newer program',
  )
  expect(schema()).toEqual(before)
  expect(schemaVersion(connection)).toBe(2)
})

test('refuses a store from before the baseline, and one of another program, and leaves them unchanged', ({
  expect,
}) => {
  const { connection, schema } = setUp()
  connection.exec('CREATE TABLE tenants (id TEXT) STRICT; PRAGMA user_version = 39')
  const refused = expect.objectContaining({
    code: 'conflict',
    message: expect.stringMatching(
      /^This store was made by a development version before 0\.2\.0, .* Set DATA_DIR to an empty folder/,
    ),
  })
  expect(() => migrate(connection, { steps: [works] })).toThrow(refused)
  connection.pragma('application_id = 7')
  expect(() => pendingMigrations(connection, [works])).toThrow(refused)
  expect(schema()).toEqual(['tenants'])
})

test('names of steps begin with a date, sort in the order of the list, and are unique', ({ expect }) => {
  const names = migrations.map(({ name }) => name)
  expect(names.filter((name) => !/^\d{4}-\d{2}-\d{2}-[a-z-]+$/.test(name))).toEqual([])
  expect(names).toEqual([...new Set(names)].toSorted())
})

test('an insert opens no ephemeral table for the checks of any table', ({ expect }) => {
  const { connection } = setUp()
  migrate(connection, { steps: migrations })
  const triggers = connection
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .all()
  for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`)
  const opening = tablesOf(connection).filter(({ name }) => {
    const columns = connection.prepare<string[], { name: string }>('SELECT name FROM pragma_table_info(?)').all(name)
    const insert = `INSERT INTO ${name} (${columns.map((column) => column.name).join()}) VALUES (${columns.map(() => '?').join()})`
    const steps = connection.prepare<unknown[], { opcode: string }>(`EXPLAIN ${insert}`).all(...columns.map(() => null))
    return steps.some(({ opcode }) => opcode === 'OpenEphemeral')
  })
  expect(opening).toEqual([])
})

function tablesOf(connection: Connection): { name: string; sql: string }[] {
  return connection
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'business_search_index%' ORDER BY name",
    )
    .all()
}
