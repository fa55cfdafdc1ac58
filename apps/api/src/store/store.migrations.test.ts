import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-store.ts'
import { migrations } from '../rooms/migrations.ts'
import { openConnection } from './engine/connection.ts'
import { migrate } from './files/migrate.ts'

const ID = '0192f3a4-5b6c-7d8e-9f01-23456789abcd'
const AT = '2026-11-21T09:00:00.000Z'

const kept = {
  id: { id: ID },
  'ids in lists': { businessIds: [ID, ID], page: { first: ID, next: null } },
  'numbers, flags and a time': { version: 3, isNew: true, at: AT },
  'an id alone': ID,
  nothing: null,
}

const emptied = {
  'a short name': { id: ID, name: 'Jan' },
  'an email address': { email: 'jan@karoo.example' },
  'a phone number in a list': { businessId: ID, values: ['082 765 4321'] },
  'a word that could be a name': { id: ID, outcome: 'jan' },
  'an id with text after it': { id: `${ID} jan` },
  'a value as the name of a property': { 'jan@karoo.example': true },
  'the observations of a check': { observationIds: [ID] },
  'a record of more than 256 characters': { id: ID, notes: 'n'.repeat(300) },
}

test('the migration of stored results empties each one that holds more than ids, times, numbers and flags', () => {
  const connection = openConnection(join(temporaryFolder(), 'test.sqlite'))
  onTestFinished(() => void connection.close())
  const at = migrations.findIndex(({ name }) => name === '2026-11-29-store-empty-stored-records')
  migrate(connection, { steps: migrations.slice(0, at) })
  connection.pragma('foreign_keys = OFF')
  const insert = connection.prepare(
    `INSERT INTO idempotency_keys (tenant_id, key, fingerprint, result, created_at, used_by) VALUES ('t', ?, 'f', ?, '${AT}', 'user:u')`,
  )
  for (const [key, result] of Object.entries({ ...kept, ...emptied })) insert.run(key, JSON.stringify(result))
  insert.run('erased before', '')

  migrate(connection, { steps: migrations.slice(0, at + 1) })
  const rows = connection
    .prepare<[], { key: string; fingerprint: string; result: string }>(
      'SELECT key, fingerprint, result FROM idempotency_keys ORDER BY rowid',
    )
    .all()
  expect(rows).toEqual([
    ...Object.entries(kept).map(([key, result]) => ({ key, fingerprint: 'f', result: JSON.stringify(result) })),
    ...[...Object.keys(emptied), 'erased before'].map((key) => ({ key, fingerprint: '', result: '' })),
  ])
})
