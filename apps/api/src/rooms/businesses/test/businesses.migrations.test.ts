import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/before-migration.ts'

const AT = '2026-11-21T09:00:00.000Z'

test('after the migration, one index contains the filterable values of the listed records that existed before, and the indexes that it replaces are gone', () => {
  const { connection, runMigration } = databaseBefore('2026-12-05-businesses-listed')
  connection.pragma('foreign_keys = OFF')
  const insert = connection.prepare(`
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, city, tags, primary_email, status,
      pipeline_state, do_not_contact, has_evidence, normalization_version)
    VALUES ('t', ?, 1, '${AT}', 'user:u', '${AT}', 'Karoo', 'karoo', ?, '[]', ?, ?, 'new', 0, 0, '1')`)
  insert.run('1', 'Caledon', 'a@karoo.co.za', 'active')
  insert.run('2', null, null, 'active')
  insert.run('3', 'Caledon', null, 'inactive')

  runMigration()
  const listed = connection.prepare(`
    SELECT id, lower(city), (primary_email IS NULL) AS has_none FROM businesses INDEXED BY businesses_listed
    WHERE tenant_id = 't' AND status = 'active' ORDER BY updated_at, id`)
  expect(listed.raw().all()).toEqual([
    ['1', 'caledon', 0],
    ['2', null, 1],
  ])
  const indexes = connection
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'businesses' AND sql IS NOT NULL ORDER BY 1`,
    )
    .pluck()
  expect(indexes.all()).toEqual([
    'businesses_by_city',
    'businesses_by_employees',
    'businesses_by_follow_up',
    'businesses_by_industry',
    'businesses_by_last_interaction',
    'businesses_by_name',
    'businesses_by_survivor',
    'businesses_deactivated',
    'businesses_listed',
    'businesses_unlisted',
  ])
})

test('after the migration, records have the outcome of the latest interaction of theirs or of records merged into them that no other one corrects', () => {
  const { connection, runMigration } = databaseBefore('2026-12-07-business-last-outcome')
  connection.pragma('foreign_keys = OFF')
  const insert = connection.prepare(`
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status, merged_into,
      pipeline_state, do_not_contact, has_evidence, normalization_version)
    VALUES ('t', ?, 1, '${AT}', 'user:u', '${AT}', 'Karoo', 'karoo', '[]', ?, ?, 'new', 0, 0, '1')`)
  insert.run('corrected', 'active', null)
  insert.run('survivor', 'active', null)
  insert.run('merged', 'merged', 'survivor')
  insert.run('never', 'active', null)
  const interact = connection.prepare(`
    INSERT INTO interactions (tenant_id, id, business_id, occurred_at, channel, outcome, participants, corrects_id, on_do_not_contact,
      created_at, created_by)
    VALUES ('t', ?, ?, ?, 'phone', ?, '[]', ?, 0, '${AT}', 'user:u')`)
  interact.run('1', 'corrected', '2026-11-20', 'won', null)
  interact.run('2', 'corrected', '2026-11-20', 'lost', '1')
  interact.run('3', 'corrected', '2026-11-19', 'connected', null)
  interact.run('4', 'survivor', '2026-11-18', 'no_answer', null)
  interact.run('5', 'merged', '2026-11-19', 'meeting_held', null)

  runMigration()
  const listed = connection.prepare(`
    SELECT id, last_outcome FROM businesses INDEXED BY businesses_listed WHERE tenant_id = 't' AND status = 'active' ORDER BY id`)
  expect(listed.raw().all()).toEqual([
    ['corrected', 'lost'],
    ['never', null],
    ['survivor', 'meeting_held'],
  ])
  const merged = connection.prepare(`SELECT last_outcome FROM businesses WHERE id = 'merged'`)
  expect(merged.pluck().get()).toBe('meeting_held')
})

test('after the migration, records with an unreadable phone have that doubt, and each tenant with records is listed to derive doubts about places', () => {
  const { connection, runMigration } = databaseBefore('2026-12-11-business-doubts')
  connection.pragma('foreign_keys = OFF')
  const tenant = connection.prepare(
    `INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES (?, ?, 'T', 'UTC', '${AT}')`,
  )
  tenant.run('t', 1)
  tenant.run('empty', 2)
  const insert = connection.prepare(`
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status, pipeline_state,
      do_not_contact, has_evidence, normalization_version)
    VALUES ('t', ?, 1, '${AT}', 'user:u', '${AT}', 'Karoo', 'karoo', '[]', 'active', 'new', 0, 0, '1')`)
  const phone = connection.prepare(`
    INSERT INTO business_identifiers (tenant_id, business_id, kind, position, original, normalized, uncertainty, normalization_version)
    VALUES ('t', ?, ?, ?, 'typed', ?, ?, '1')`)
  for (const id of ['clear', 'phone', 'email']) insert.run(id)
  phone.run('clear', 'phone', 0, '+27215550101', null)
  phone.run('phone', 'phone', 0, '+27215550101', null)
  phone.run('phone', 'phone', 1, null, 'no_country_context')
  phone.run('email', 'email', 0, null, 'not_an_email_address')

  runMigration()
  const listed = connection.prepare(`
    SELECT id, doubts FROM businesses INDEXED BY businesses_listed WHERE tenant_id = 't' AND status = 'active' ORDER BY id`)
  expect(listed.raw().all()).toEqual([
    ['clear', 0],
    ['email', 0],
    ['phone', 2],
  ])
  const renewals = connection.prepare('SELECT tenant_id, after_id FROM business_search_renewals')
  expect(renewals.raw().all()).toEqual([['t', '']])
})
