import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/before-migration.ts'

const AT = '2026-11-21T09:00:00.000Z'

test('the migration of name keys keeps each key with its tenant and business, and refuses those of another tenant', () => {
  const { connection, runMigration } = databaseBefore('2026-12-05-business-short-name-keys')
  const keys = []
  for (const [number, tenant] of ['z', 'a'].entries()) {
    connection.exec(`INSERT INTO tenants (id, number, name, time_zone, created_at)
      VALUES ('${tenant}', ${number + 1}, '${tenant}', 'Africa/Johannesburg', '${AT}')`)
    for (const business of ['1', '2']) {
      connection.exec(`INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status,
        pipeline_state, do_not_contact, has_evidence, normalization_version)
        VALUES ('${tenant}', '${business}', 1, '${AT}', 'u', '${AT}', 'Karoo', 'karoo', '[]', 'active', 'new', 0, 0, '1')`)
      keys.push({ tenant, key: 'karoo', business }, { tenant, key: `windpumps ${business}`, business })
    }
  }
  const insert = connection.prepare(
    'INSERT INTO business_name_keys (tenant_id, business_id, name_key) VALUES (@tenant, @business, @key)',
  )
  for (const key of keys) insert.run(key)

  runMigration()
  const rows = connection
    .prepare(`SELECT t.id AS tenant, k.name_key AS key, b.id AS business
      FROM business_name_keys k JOIN tenants t ON t.number = k.tenant JOIN businesses b ON b.docid = k.docid AND b.tenant_id = t.id`)
    .all()
  expect(rows).toHaveLength(keys.length)
  expect(rows).toEqual(expect.arrayContaining(keys))
  const ofOther = `INSERT INTO business_name_keys (tenant, name_key, docid) SELECT 2, 'x', docid FROM businesses WHERE tenant_id = 'z'`
  expect(() => connection.exec(ofOther)).toThrow('FOREIGN KEY')
})
