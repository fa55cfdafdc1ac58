import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/before-migration.ts'

const AT = '2026-11-21T09:00:00.000Z'

test('a declined official site is rejected after the migration, and its decisions remain append-only', () => {
  const { connection, runMigration } = databaseBefore('2026-12-04-scanning-sites-are-rejected')
  connection.pragma('foreign_keys = OFF')
  const insert = connection.prepare(
    `INSERT INTO official_site_decisions (tenant_id, id, site_id, decision, reason, fingerprint, valid_until, at, actor)
     VALUES ('t', ?, 's', ?, 'Seen.', 'f', ?, '${AT}', 'user:u')`,
  )
  insert.run('1', 'approve', AT)
  insert.run('2', 'decline', null)
  insert.run('3', 'withdraw', null)

  runMigration()
  const decisions = connection
    .prepare('SELECT id, decision, valid_until FROM official_site_decisions ORDER BY id')
    .raw()
  expect(decisions.all()).toEqual([
    ['1', 'approve', AT],
    ['2', 'reject', null],
    ['3', 'withdraw', null],
  ])
  expect(() => insert.run('4', 'decline', null)).toThrow('CHECK')
  expect(() => connection.exec("UPDATE official_site_decisions SET decision = 'approve'")).toThrow()
  expect(() => connection.exec('DELETE FROM official_site_decisions')).toThrow()
})
