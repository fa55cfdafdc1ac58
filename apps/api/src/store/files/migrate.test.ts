import { join } from 'node:path'
import { onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { type Connection, openConnection } from '../engine/connection.ts'
import { migrations } from '../migrations/index.ts'
import { migrate, schemaVersion } from './migrate.ts'

function setUp() {
  const file = join(temporaryFolder(), 'test.sqlite')
  const connection = openConnection(file)
  onTestFinished(() => void connection.close())
  const schema = () => connection.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
  return { file, connection, schema }
}

const works = { name: '0001-works', sql: 'CREATE TABLE first (id INTEGER PRIMARY KEY) STRICT' }
const breaks = {
  name: '0002-breaks',
  sql: 'CREATE TABLE second (id INTEGER) STRICT; CREATE TABLE second (id INTEGER) STRICT',
}
const mended = { name: '0002-mended', sql: 'CREATE TABLE second (id INTEGER) STRICT' }

test('an empty file gets the whole schema, and a second time nothing happens', ({ expect }) => {
  const { connection, schema } = setUp()
  expect(migrate(connection)).toEqual({ from: 0, to: migrations.length })
  const once = schema()
  expect(migrate(connection)).toEqual({ from: migrations.length, to: migrations.length })
  expect(schema()).toEqual(once)
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')
})

test('a store that is newer than the program is refused and left as it is', ({ expect }) => {
  const { connection, schema } = setUp()
  connection.pragma(`user_version = ${migrations.length + 1}`)
  expect(() => migrate(connection)).toThrow('Start a newer program')
  expect(schema()).toEqual([])
  expect(schemaVersion(connection)).toBe(migrations.length + 1)
})

test('a step that fails half-way is undone whole, those before it stay, and mended it goes on', ({ expect }) => {
  const { connection, schema } = setUp()
  expect(() => migrate(connection, { steps: [works, breaks] })).toThrow('0002-breaks failed')
  expect(schema()).toMatchObject([{ name: 'first' }])
  expect(schemaVersion(connection)).toBe(1)
  expect(migrate(connection, { steps: [works, mended] })).toEqual({ from: 1, to: 2 })
  expect(schema()).toMatchObject([{ name: 'first' }, { name: 'second' }])
})

test('a step that fails says why, and a disk that is full is told as that', ({ expect }) => {
  const { connection, schema } = setUp()
  expect(() => migrate(connection, { steps: [works, breaks] })).toThrow(
    '0002-breaks failed (table second already exists)',
  )
  const pages = Number(connection.pragma('page_count', { simple: true }))
  connection.pragma(`max_page_count = ${pages}`)
  expect(() => migrate(connection, { steps: [works, mended] })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^Migration 0002-mended could not be taken. The disk of the store is full./),
      details: expect.objectContaining({ reason: 'storage_full' }),
    }),
  )
  expect(schema()).toMatchObject([{ name: 'first' }])
  expect(schemaVersion(connection)).toBe(1)
})

test('a step that another program took meanwhile is not taken twice', ({ expect }) => {
  const { file, connection, schema } = setUp()
  const other = openConnection(file)
  onTestFinished(() => void other.close())
  migrate(other, { steps: [works, mended] })
  // What this program had read just before the other one began.
  vi.spyOn(connection, 'pragma').mockReturnValueOnce(0)
  expect(migrate(connection, { steps: [works, mended] })).toEqual({ from: 0, to: 2 })
  expect(schema()).toMatchObject([{ name: 'first' }, { name: 'second' }])
})

test('sessions and people of a store from before accounts go on as they were', ({ expect }) => {
  const { connection } = setUp()
  const beforeAccounts = migrations.findIndex(({ name }) => name === '0009-accounts')
  migrate(connection, { steps: migrations.slice(0, beforeAccounts) })
  connection.exec(`
    INSERT INTO tenants VALUES ('t', 1, 'Home', 'Africa/Johannesburg', '2026-01-01');
    INSERT INTO users VALUES ('u', 'a@b.example', 'A', 'hash', 'active', '2026-01-01');
    INSERT INTO memberships VALUES ('t', 'u', 'administrator', '2026-01-01');
    INSERT INTO sessions VALUES ('h', 's', 'u', 't', 'password', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05');
  `)
  migrate(connection)
  expect(connection.prepare('SELECT * FROM sessions').all()).toEqual([
    {
      token_hash: 'h',
      id: 's',
      user_id: 'u',
      tenant_id: 't',
      password_at: '2026-01-02',
      second_factor_at: null,
      address: null,
      agent: null,
      created_at: '2026-01-02',
      seen_at: '2026-01-03',
      idle_expires_at: '2026-01-04',
      expires_at: '2026-01-05',
    },
  ])
  expect(connection.prepare('SELECT status, version FROM memberships').all()).toEqual([
    { status: 'active', version: 1 },
  ])
  expect(connection.pragma('foreign_key_check')).toEqual([])
})

test('a key from before its first user was stored belongs to the only actor of its instant, and otherwise to nobody', ({
  expect,
}) => {
  const { connection } = setUp()
  const before = migrations.findIndex(({ name }) => name.startsWith('0053'))
  migrate(connection, { steps: migrations.slice(0, before) })
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'UTC', '2026-01-01'), ('o', 2, 'O', 'UTC', '2026-01-01');
    ${['own', 'shared', 'silent'].map((key) => `INSERT INTO idempotency_keys VALUES ('t', '${key}', 'f', '{}', '2026 ${key}');`).join('')}
    ${[
      ['t', 1, 'own', 'ann'],
      ['t', 2, 'own', 'ann'],
      ['t', 3, 'shared', 'ann'],
      ['t', 4, 'shared', 'ben'],
      ['o', 1, 'own', 'ben'],
    ]
      .map(
        ([tenant, sequence, at, actor]) => `
      INSERT INTO audit_events VALUES ('${tenant}', ${sequence}, '${tenant} ${sequence}', '2026 ${at}', '${actor}', 'note.add', 'note', 'n', NULL, NULL, NULL, NULL, 'c', 'p', 'h');`,
      )
      .join('')}
  `)
  migrate(connection)
  expect(connection.prepare('SELECT key, used_by FROM idempotency_keys ORDER BY key').all()).toEqual([
    { key: 'own', used_by: 'ann' },
    { key: 'shared', used_by: null },
    { key: 'silent', used_by: null },
  ])
})

test('the term of an entry that was asked for again before terms were counted runs from then', ({ expect }) => {
  const { connection } = setUp()
  migrate(connection, {
    steps: migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0026-suppression-review'),
    ),
  })
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'UTC', '2026-01-01');
    ${['again', 'once', 'ended']
      .map(
        (id) => `
      INSERT INTO suppressions VALUES ('t', '${id}', 'email', 'exact', 'a@b.co.za', 'a@b.co.za', NULL, '1', 'R', NULL, 'email', NULL,
        '2026-01-01', '2026-01-01', 'u', 0, 'active', NULL, NULL, NULL);
      INSERT INTO suppression_history VALUES ('t', '${id} 1', '${id}', '2026-01-01', 'u', 'added', 'R', NULL, 'email', NULL, NULL, 0);`,
      )
      .join('')}
    INSERT INTO suppression_history VALUES ('t', 'a', 'again', '2026-03-01', 'u', 'requested_again', 'R', NULL, 'email', NULL, NULL, 0);
    INSERT INTO suppression_history VALUES ('t', 'b', 'again', '2026-02-01', 'u', 'requested_again', 'R', NULL, 'email', NULL, NULL, 0);
    INSERT INTO suppression_history VALUES ('t', 'c', 'ended', '2026-02-01', 'u', 'requested_again', 'R', NULL, 'email', NULL, NULL, 0);
    UPDATE suppressions SET status = 'removed', ended_at = '2026-04-01', ended_by = 'u', ended_reason = 'R' WHERE id = 'ended';
  `)
  migrate(connection)
  expect(connection.prepare('SELECT id, confirmed_at FROM suppressions ORDER BY id').all()).toEqual([
    { id: 'again', confirmed_at: '2026-03-01' },
    { id: 'ended', confirmed_at: null },
    { id: 'once', confirmed_at: null },
  ])
})

test('tags of a store from before they kept an order have it, and are counted and kept on as their businesses change', ({
  expect,
}) => {
  const { connection } = setUp()
  migrate(connection, {
    steps: migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0039-lists-by-tag-and-place'),
    ),
  })
  const business = (id: string, status: string, at: string) => `
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status, pipeline_state,
        do_not_contact, has_evidence, normalization_version)
      VALUES ('t', '${id}', 1, '2026-01-01', 'u', '${at}', 'A', 'a', '["Farm"]', '${status}', 'new', 0, 0, '1');
    INSERT INTO business_tags VALUES ('t', 'farm', '${id}', 'Farm');`
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'UTC', '2026-01-01');
    ${business('a', 'active', '2026-02-01')} ${business('b', 'active', '2026-01-01')} ${business('c', 'inactive', '2026-03-01')}
  `)
  migrate(connection)
  const tags = () => connection.prepare('SELECT business_id, listed_at, tag FROM business_tags').raw().all()
  const counts = () => connection.prepare('SELECT tag_key, count FROM business_tag_counts').raw().all()
  expect([tags(), counts()]).toEqual([
    [
      ['c', '', 'Farm'],
      ['b', '2026-01-01', 'Farm'],
      ['a', '2026-02-01', 'Farm'],
    ],
    [['farm', 2]],
  ])
  connection.exec(`
    UPDATE businesses SET updated_at = '2026-04-01' WHERE id = 'b';
    UPDATE businesses SET status = 'inactive' WHERE id = 'a';
    UPDATE businesses SET status = 'active' WHERE id = 'c';
  `)
  expect([tags(), counts()]).toEqual([
    [
      ['a', '', 'Farm'],
      ['c', '2026-03-01', 'Farm'],
      ['b', '2026-04-01', 'Farm'],
    ],
    [['farm', 2]],
  ])
  connection.exec(`DELETE FROM business_tags WHERE business_id IN ('a', 'b', 'c')`)
  expect(counts()).toEqual([])
  expect(connection.pragma('foreign_key_check')).toEqual([])
})

test('survivors of merges that were made before are found by the names of what was merged into them', ({ expect }) => {
  const { connection } = setUp()
  const before = migrations.findIndex(({ name }) => name === '0044-survivors-are-found-by-merged-names')
  migrate(connection, { steps: migrations.slice(0, before) })
  const business = (docid: number, name: string, into: string, trading = 'NULL') => `
    INSERT INTO businesses (docid, tenant_id, id, version, created_at, created_by, updated_at, name, name_key, trading_name, tags, status,
        merged_into, pipeline_state, do_not_contact, has_evidence, normalization_version)
      VALUES (${docid}, 't', '${name}', 1, '2026-01-01', 'u', '2026-01-01', '${name}', lower('${name}'), ${trading}, '[]',
        iif(${into} IS NULL, 'active', 'merged'), ${into}, 'new', 0, 0, '1');
    INSERT INTO business_search VALUES (${docid}, 'ttt', lower('${name}'));`
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'UTC', '2026-01-01');
    ${business(1, 'Karoo', 'NULL')} ${business(2, 'Bergwind', "'Karoo'")} ${business(3, 'Oryx', "'Bergwind'", "'Gemsbok'")}
    ${business(4, 'Alone', 'NULL')}
    INSERT INTO business_search_pending VALUES (1, 'ttt', 'karoo farms');
  `)
  migrate(connection)
  const waiting = connection.prepare('SELECT docid, tenant, text FROM business_search_pending ORDER BY docid').all()
  expect(waiting).toEqual([
    { docid: 1, tenant: 'ttt', text: expect.stringMatching(/^karoo farms\n/) },
    { docid: 2, tenant: 'ttt', text: 'bergwind\noryx\ngemsbok' },
  ])
  const [{ text }] = waiting as [{ text: string }]
  expect(text.split('\n').toSorted()).toEqual(['bergwind', 'gemsbok', 'karoo farms', 'oryx'])
})

test('a tenant that was taken for evaluated, and has records without keys, is evaluated again; others are not', ({
  expect,
}) => {
  const { connection } = setUp()
  const before = migrations.findIndex(({ name }) => name === '0048-records-without-keys-are-evaluated')
  migrate(connection, { steps: migrations.slice(0, before) })
  const business = (tenant: string) => `
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status, pipeline_state,
        do_not_contact, has_evidence, normalization_version)
      VALUES ('${tenant}', 'b', 1, '2026-01-01', 'u', '2026-01-01', 'A', 'a', '[]', 'active', 'new', 0, 0, '1');`
  const identifier = (tenant: string) => `
    INSERT INTO business_identifiers (tenant_id, business_id, kind, position, original, normalized, normalization_version)
      VALUES ('${tenant}', 'b', 'email', 0, 'a@b.co.za', 'a@b.co.za', '1');`
  const claim = (tenant: string) => `
    INSERT INTO evidence (tenant_id, id, business_id, field, value, source_label, captured_at, confidence, created_at, created_by)
      VALUES ('${tenant}', 'e', 'b', 'phone', '021 555 0100', 'A call', '2026-01-01', 'low', '2026-01-01', 'u');`
  const key = (tenant: string) =>
    `INSERT INTO suppression_record_keys VALUES ('${tenant}', 'email:a@b.co.za', 'b', 'record');`
  const held: Record<string, string> = {
    keyed: business('keyed') + identifier('keyed') + claim('keyed') + key('keyed'),
    unkeyed: business('unkeyed') + identifier('unkeyed'),
    claimed: business('claimed') + claim('claimed'),
    bare: business('bare'),
    empty: '',
  }
  for (const [number, [tenant, rows]] of Object.entries(held).entries())
    connection.exec(`
      INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('${tenant}', ${number + 1}, 'T', 'UTC', '2026-01-01');
      INSERT INTO suppression_rules VALUES ('${tenant}', '1', '2026-01-01');
      ${rows}`)
  migrate(connection)
  const evaluated = connection.prepare('SELECT tenant_id FROM suppression_rules ORDER BY tenant_id').pluck().all()
  expect(evaluated).toEqual(['bare', 'empty', 'keyed'])
})

test('a tenant from before tenants had a country is in South Africa', ({ expect }) => {
  const { connection } = setUp()
  const before = migrations.findIndex(({ name }) => name === '0055-a-tenant-has-a-country')
  migrate(connection, { steps: migrations.slice(0, before) })
  connection.exec(
    `INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'UTC', '2026-01-01');`,
  )
  migrate(connection)
  expect(connection.prepare('SELECT country FROM tenants').pluck().all()).toEqual(['ZA'])
  expect(() => connection.exec("UPDATE tenants SET country = 'za'")).toThrow('CHECK')
})

test('what a table allows is compared, without a table of its own for each row that is written', ({ expect }) => {
  const { connection } = setUp()
  migrate(connection)
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

test('lists of what is allowed hold the same when they are written as comparisons', ({ expect }) => {
  const { file, connection } = setUp()
  const edits = migrations.findIndex(({ editsSchema }) => editsSchema)
  migrate(connection, { steps: migrations.slice(0, edits) })
  const before = tablesOf(connection)
  const other = openConnection(file)
  onTestFinished(() => void other.close())
  expect(tablesOf(other)).toEqual(before)
  migrate(connection, { steps: migrations.slice(0, edits + 1) })

  const after = tablesOf(connection)
  expect(after).not.toEqual(before)
  const asList = (chain: string, column: string) =>
    `${column} IN (${chain.slice(1, -1).replaceAll(`${column} = `, '').replaceAll(' OR ', ', ')})`
  const said = (sql: string) => sql.replace(/\((\w+) = '\w+'(?: OR \1 = '\w+'){2,}\)/g, asList).replace(/\s+/g, ' ')
  const words = (tables: typeof before) => tables.map(({ name, sql }) => ({ name, sql: said(sql) }))
  expect(words(after)).toEqual(words(before))
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok')

  // Both know the new text: the one that edited it, and one that was open meanwhile.
  for (const one of [connection, other]) {
    one.pragma('foreign_keys = OFF')
    const insert = (kind: string) =>
      one.exec(`INSERT INTO business_identifiers (tenant_id, business_id, kind, position, original, uncertainty, normalization_version)
        VALUES ('t', 'b', '${kind}', ${one === other ? 1 : 2}, 'x', 'malformed', 'v')`)
    expect(() => insert('fax')).toThrow("CHECK constraint failed: (kind = 'email' OR")
    insert('email')
    expect(() => one.exec("UPDATE sqlite_schema SET sql = ''")).toThrow('may not be modified')
  }
})

test('an edit after which the schema cannot be read is undone, and the store opens as before', ({ expect }) => {
  const { file, connection, schema } = setUp()
  migrate(connection, { steps: [works] })
  const before = schema()
  const sql =
    "UPDATE sqlite_schema SET sql = 'CREATE TABLE first (' WHERE name = 'first'; CREATE TABLE other (id INTEGER) STRICT"
  const edits = { name: '0002-edits', editsSchema: true, sql } as const
  expect(() => migrate(connection, { steps: [works, edits] })).toThrow('0002-edits')
  expect(schema()).toEqual(before)
  const other = openConnection(file)
  onTestFinished(() => void other.close())
  expect(other.prepare('SELECT count(*) FROM first').pluck().get()).toBe(0)
  expect(schemaVersion(other)).toBe(1)
  expect(() => connection.exec("UPDATE sqlite_schema SET sql = ''")).toThrow('may not be modified')
})

function tablesOf(connection: Connection): { name: string; sql: string }[] {
  return connection
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'business_search_index%' ORDER BY name",
    )
    .all()
}
