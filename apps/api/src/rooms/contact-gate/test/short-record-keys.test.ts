import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databaseBefore } from '../../../../test/before-migration.ts'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { migrate } from '../../../store/files/migrate.ts'
import { migrations } from '../../migrations.ts'

const AT = '2026-11-21T09:00:00.000Z'

test('the migration of record keys keeps each key with its tenant, business and kind of source', () => {
  const { connection, runMigration } = databaseBefore('2026-12-05-contact-gate-short-record-keys')
  const keys = []
  for (const [number, tenant] of ['z', 'a'].entries()) {
    connection.exec(`INSERT INTO tenants (id, number, name, time_zone, created_at)
      VALUES ('${tenant}', ${number + 1}, '${tenant}', 'Africa/Johannesburg', '${AT}')`)
    for (const business of ['1', '2']) {
      connection.exec(`INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status,
        pipeline_state, do_not_contact, has_evidence, normalization_version)
        VALUES ('${tenant}', '${business}', 1, '${AT}', 'u', '${AT}', 'Karoo', 'karoo', '[]', 'active', 'new', 0, 0, '1')`)
      for (const [key, source] of [
        ['h:za.co.karoo.', 'record'],
        ['h:za.co.karoo.', 'evidence'],
        [`p:+2782123456${business}`, 'record'],
      ])
        keys.push({ tenant, key, business, source })
    }
  }
  const insert = connection.prepare(
    'INSERT INTO suppression_record_keys (tenant_id, key, business_id, source) VALUES (@tenant, @key, @business, @source)',
  )
  for (const key of keys) insert.run(key)

  runMigration()
  const rows = connection
    .prepare(`
      SELECT t.id AS tenant, k.key, b.id AS business, iif(k.of_evidence, 'evidence', 'record') AS source
      FROM suppression_record_keys k JOIN tenants t ON t.number = k.tenant JOIN businesses b ON b.docid = k.docid AND b.tenant_id = t.id`)
    .all()
  expect(rows).toHaveLength(keys.length)
  expect(rows).toEqual(expect.arrayContaining(keys))
})

test('a record key is refused under the number of another tenant', () => {
  const connection = openConnection(join(temporaryFolder(), 'test.sqlite'))
  onTestFinished(() => void connection.close())
  migrate(connection, { steps: migrations })
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('a', 1, 'A', 'UTC', '${AT}'), ('b', 2, 'B', 'UTC', '${AT}');
    INSERT INTO businesses (docid, tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status,
      pipeline_state, do_not_contact, has_evidence, normalization_version)
      VALUES (7, 'a', '1', 1, '${AT}', 'u', '${AT}', 'Karoo', 'karoo', '[]', 'active', 'new', 0, 0, '1')`)
  const insert = (tenant: number) =>
    connection.exec(
      `INSERT INTO suppression_record_keys (tenant, key, docid, of_evidence) VALUES (${tenant}, 'p:+27821234567', 7, 0)`,
    )
  expect(() => insert(2)).toThrow('FOREIGN KEY')
  insert(1)
  expect(connection.prepare('SELECT count(*) FROM suppression_record_keys').pluck().get()).toBe(1)
})
