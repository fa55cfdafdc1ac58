import type { Connection } from 'mysql2/promise'
import { beforeEach, describe, expect, test } from 'vitest'
import { newTables } from '../src/appendix.ts'
import { applyUpgrade } from '../src/apply-upgrade.ts'
import { createStore } from './store.ts'

let db: Connection

beforeEach(async () => {
  db = (await createStore()).db
  await applyUpgrade(db)
  await db.query('INSERT INTO users (id) VALUES (1), (2)')
  await db.query('INSERT INTO clients (id) VALUES (1), (2)')
  await db.query('INSERT INTO jobcards (id) VALUES (1), (2)')
})

/** A row of each table. Every reference has the id 1. */
const rows: Record<string, Record<string, string | number>> = {
  app_settings: { setting_key: 'a', updated_by: 1 },
  technical_information: { client_id: 1, category: 'network', data_json: '{}', updated_by: 1 },
  credentials: { client_id: 1, category: 'router', label: 'main', secret_ciphertext: 'x', created_by: 1 },
  jobcard_status_history: { jobcard_id: 1, from_status: 'open', to_status: 'closed', changed_by: 1 },
  attachments: {
    jobcard_id: 1,
    original_name: 'a',
    stored_name: 'a',
    mime_type: 'image/png',
    file_size: 1,
    uploaded_by: 1,
  },
  notifications: { user_id: 1, type: 'status', title: 'Closed' },
}
const references = newTables.flatMap(({ name: table, references: all }) =>
  all.map((reference) => {
    const [, column = '', parent = '', action = ''] = /^(\w+) -> (\w+) \(id\) ON DELETE (.+)$/.exec(reference) ?? []
    return { table, column, parent, action }
  }),
)

test('each foreign key does on delete what the appendix says, and refuses a parent that is not there', async () => {
  expect(references).toHaveLength(10)
  for (const { table, column, parent, action } of references) {
    await db.query(`DELETE FROM ${table}`)
    await db.query(`INSERT IGNORE INTO ${parent} (id) VALUES (1)`)
    await db.query(`INSERT INTO ${table} SET ?`, [{ ...rows[table], [column]: 2 }])
    await db.query(`DELETE FROM ${parent} WHERE id = 1`)
    expect(await rowsWith(table, column)).toEqual([2])
    await db.query(`DELETE FROM ${parent} WHERE id = 2`)
    expect(await rowsWith(table, column)).toEqual(action === 'CASCADE' ? [] : [null])
    await db.query(`DELETE FROM ${table}`)
    await expect(db.query(`INSERT INTO ${table} SET ?`, [{ ...rows[table], [column]: 99 }])).rejects.toThrow(
      'foreign key',
    )
    for (const name of ['users', 'clients', 'jobcards'])
      await db.query(`INSERT IGNORE INTO ${name} (id) VALUES (1), (2)`)
  }
})

async function rowsWith(table: string, column: string): Promise<unknown[]> {
  const [found] = await db.query({ sql: `SELECT ${column} FROM ${table}`, rowsAsArray: true })
  return Array.isArray(found) ? found.flat() : []
}

const texts = {
  emoji: '🛠️ 👩🏽‍🔧 𝄞 🇿🇦',
  isiZulu: 'Ngiyabonga kakhulu, uhlelo lusebenza kahle – eGoli nasoThekwini',
  Afrikaans: 'Môre, die geÿkte brûe en ’n reënboog: sê, wêreld, ï, ë, ŉ',
}

test.for(Object.entries(texts))('%s comes back as it went in, from every text of the new tables', async ([, text]) => {
  await db.query('INSERT INTO app_settings SET ?', [{ setting_key: text, setting_value: text }])
  await db.query('INSERT INTO technical_information SET ?', [
    { client_id: 1, category: text, data_json: JSON.stringify({ text }) },
  ])
  await db.query('INSERT INTO credentials SET ?', [
    { client_id: 1, category: text, label: text, username: text, secret_ciphertext: text, notes: text },
  ])
  await db.query('INSERT INTO jobcard_status_history SET ?', [
    { jobcard_id: 1, from_status: text.slice(0, 60), to_status: text.slice(0, 60) },
  ])
  await db.query('INSERT INTO attachments SET ?', [
    { jobcard_id: 1, original_name: text, stored_name: text, mime_type: text, file_size: 1 },
  ])
  await db.query('INSERT INTO notifications SET ?', [
    { user_id: 1, type: text, title: text, body: text, deduplication_key: text },
  ])
  const read = async (columns: string, table: string) => {
    const [found] = await db.query({ sql: `SELECT ${columns} FROM ${table}`, rowsAsArray: true })
    return found
  }
  expect(await read('setting_key, setting_value', 'app_settings')).toEqual([[text, text]])
  expect(await read("category, JSON_UNQUOTE(JSON_EXTRACT(data_json, '$.text'))", 'technical_information')).toEqual([
    [text, text],
  ])
  expect(await read('category, label, username, secret_ciphertext, notes', 'credentials')).toEqual([
    [text, text, text, text, text],
  ])
  expect(await read('from_status, to_status', 'jobcard_status_history')).toEqual([
    [text.slice(0, 60), text.slice(0, 60)],
  ])
  expect(await read('original_name, stored_name, mime_type', 'attachments')).toEqual([[text, text, text]])
  expect(await read('type, title, body, deduplication_key', 'notifications')).toEqual([[text, text, text, text]])
})

describe('a second row is refused', () => {
  const twice: [what: string, table: string, row: Record<string, string | number>][] = [
    ['setting of the same key', 'app_settings', { setting_key: 'a' }],
    [
      'document of a client and category',
      'technical_information',
      { client_id: 1, category: 'network', data_json: '{}' },
    ],
    ['sequence of a year', 'jobcard_sequences', { sequence_year: 2026, next_sequence: 1 }],
    [
      'attachment under a stored name',
      'attachments',
      { jobcard_id: 2, original_name: 'b', stored_name: 'a', mime_type: 'b', file_size: 2 },
    ],
    [
      'notification of a user and deduplication key',
      'notifications',
      { user_id: 1, type: 'a', title: 'b', deduplication_key: 'k' },
    ],
    ['agreement of a client', 'sla_agreements', { client_id: 1 }],
    ['permission of a name', 'permissions', { name: 'technical.view' }],
  ]
  test.for(twice)('%s', async ([, table, row]) => {
    if (table !== 'permissions') await db.query(`INSERT INTO ${table} SET ?`, [row])
    await expect(db.query(`INSERT INTO ${table} SET ?`, [row])).rejects.toThrow('Duplicate entry')
  })
})

test('notifications without a deduplication key, and those of other users, are never duplicates', async () => {
  for (const [user_id, deduplication_key] of [
    [1, null],
    [1, null],
    [1, 'k'],
    [2, 'k'],
  ]) {
    await db.query('INSERT INTO notifications SET ?', [{ user_id, deduplication_key, type: 'a', title: 'b' }])
  }
  const [found] = await db.query('SELECT COUNT(*) AS count FROM notifications')
  expect(found).toEqual([{ count: 4 }])
})

test('defaults are as in the appendix, and only an update that changes something moves updated_at', async () => {
  for (const [table, row] of Object.entries(rows)) await db.query(`INSERT INTO ${table} SET ?`, [row])
  const [defaults] = await db.query(
    `SELECT is_active, client_visible, read_at, username, body, uploaded_by,
       ABS(TIMESTAMPDIFF(SECOND, changed_at, NOW())) < 60 AS isNow
     FROM credentials, attachments, notifications, jobcard_status_history`,
  )
  expect(defaults).toEqual([
    { is_active: 1, client_visible: 0, read_at: null, username: null, body: null, uploaded_by: 1, isNow: 1 },
  ])
  await db.query("UPDATE credentials SET updated_at = '2026-01-01', created_at = '2026-01-01'")
  await db.query("UPDATE credentials SET label = 'main'")
  const dates = 'SELECT updated_at > created_at AS isMoved, created_at FROM credentials'
  expect((await db.query(dates))[0]).toEqual([{ isMoved: 0, created_at: '2026-01-01 00:00:00' }])
  await db.query("UPDATE credentials SET label = 'spare'")
  expect((await db.query(dates))[0]).toEqual([{ isMoved: 1, created_at: '2026-01-01 00:00:00' }])
})

test('what is no JSON is refused as technical information', async () => {
  const row = { client_id: 1, category: 'network', data_json: '{"router":' }
  await expect(db.query('INSERT INTO technical_information SET ?', [row])).rejects.toThrow(/CONSTRAINT|Invalid JSON/)
})
