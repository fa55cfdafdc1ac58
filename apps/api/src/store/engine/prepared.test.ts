import { join } from 'node:path'
import { sql } from 'kysely'
import { onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-store.ts'
import { openConnection } from './connection.ts'
import { elementsOf } from './dialect.ts'
import { kyselyOver, rowsWritten } from './kysely-over.ts'
import { prepared, preparedInsert, preparedRow } from './prepared.ts'

const columns = ['tenant_id', 'key', 'fingerprint', 'result', 'created_at', 'used_by'] as const

// `npm run types` checks this line: a column without a default cannot be omitted.
// @ts-expect-error used_by is missing
preparedInsert('idempotency_keys', ['tenant_id', 'key', 'fingerprint', 'result', 'created_at'])

function setUp() {
  const connection = openConnection(join(temporaryFolder(), 'test.sqlite'))
  onTestFinished(() => void connection.close())
  connection.exec(`
    CREATE TABLE idempotency_keys (
      tenant_id TEXT, key TEXT, fingerprint TEXT, result TEXT, created_at TEXT, used_by TEXT, PRIMARY KEY (tenant_id, key)
    ) STRICT`)
  const row = (result: string) => ({
    ...{ tenant_id: 't', key: 'k', fingerprint: 'f', result },
    ...{ created_at: '2026-11-25', used_by: 'user' },
  })
  return { db: kyselyOver(connection), row, rows: () => connection.prepare('SELECT * FROM idempotency_keys').all() }
}

test('an insert writes each column, and rejects a row with the same key', async ({ expect }) => {
  const { db, row, rows } = setUp()
  const insert = preparedInsert('idempotency_keys', columns)
  await insert(db, row('first'))
  expect(rows()).toEqual([row('first')])
  await expect(insert(db, row('second'))).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  expect(rows()).toEqual([row('first')])
})

test('an insert that ignores conflicts keeps the existing row', async ({ expect }) => {
  const { db, row, rows } = setUp()
  const insert = preparedInsert('idempotency_keys', columns, 'ignore')
  await insert(db, row('first'))
  await insert(db, row('second'))
  expect(rows()).toEqual([row('first')])
})

test('an insert that updates on conflict replaces only the named columns', async ({ expect }) => {
  const { db, row, rows } = setUp()
  const insert = preparedInsert('idempotency_keys', columns, { key: ['tenant_id', 'key'], update: ['result'] })
  await insert(db, row('first'))
  await insert(db, { ...row('second'), fingerprint: 'other' })
  expect(rows()).toEqual([row('second')])
})

test('rows written are counted, however a statement ran; reads and statements without effect are not', async ({
  expect,
}) => {
  const { db, row } = setUp()
  const insert = preparedInsert('idempotency_keys', columns, 'ignore')
  expect([await insert(db, row('first')), await insert(db, row('ignored'))]).toEqual([1, 0])
  expect(rowsWritten(db)).toBe(1)
  await db
    .insertInto('idempotency_keys')
    .values([
      { ...row('second'), key: 'l' },
      { ...row('third'), key: 'm' },
    ])
    .execute()
  expect(rowsWritten(db)).toBe(3)
  await db.updateTable('idempotency_keys').set({ result: 'other' }).where('key', '>', 'k').returning('key').execute()
  expect(rowsWritten(db)).toBe(5)
  await prepared<Record<never, never>>()((any) => any.deleteFrom('idempotency_keys').returning('key'))(db, {})
  expect(rowsWritten(db)).toBe(8)
  await db.deleteFrom('idempotency_keys').execute()
  await db.selectFrom('idempotency_keys').selectAll().execute()
  expect(rowsWritten(db)).toBe(8)
})

test('a query of one row returns the row or undefined, and a list is one parameter', async ({ expect }) => {
  const { db, row } = setUp()
  const insert = preparedInsert('idempotency_keys', columns)
  await insert(db, row('first'))
  const find = preparedRow<{ keys: readonly string[] }>()(
    (_db, param) => sql<{ result: string }>`
      SELECT k.result FROM ${elementsOf(param('keys'), 'wanted')} JOIN idempotency_keys k ON k.key = wanted.value`,
  )
  expect(await find(db, { keys: ['none', 'k'] })).toEqual({ result: 'first' })
  expect(await find(db, { keys: [] })).toBeUndefined()
})
