import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/before-migration.ts'

const AT = '2026-11-21T09:00:00.000Z'

test('the migration that removes the days of reviews keeps each review, and a further review is stored', () => {
  const { connection, runMigration } = databaseBefore('2026-12-06-review-days-are-removed')
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'Africa/Johannesburg', '${AT}');
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status,
      pipeline_state, do_not_contact, has_evidence, normalization_version)
      VALUES ('t', 'b', 1, '${AT}', 'u', '${AT}', 'Karoo', 'karoo', '[]', 'active', 'new', 0, 0, '1')`)
  const insert =
    connection.prepare(`INSERT INTO reviews (tenant_id, id, business_id, decision, checked_fields, method, fingerprint,
    business_version, created_at, created_by) VALUES ('t', ?, 'b', 'verify', '[]', 'single', 'f', 1, '${AT}', 'u')`)
  const read = (sql: string) => connection.prepare(sql).all()
  for (const id of ['1', '2']) insert.run(id)
  const before = read('SELECT * FROM reviews')
  expect(read('SELECT count FROM review_days')).toEqual([{ count: 2 }])

  runMigration()
  expect(read('SELECT * FROM reviews')).toEqual(before)
  expect(read("SELECT name FROM sqlite_schema WHERE name = 'review_days' OR sql LIKE '%review_days%'")).toEqual([])
  insert.run('3')
  expect(read('SELECT id FROM reviews')).toHaveLength(3)
})
