import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/before-migration.ts'

const AT = '2026-11-21T09:00:00.000Z'

test('the migration of transitions keeps each row, and the rows stay append-only', () => {
  const { connection, runMigration } = databaseBefore('2026-12-05-pipeline-transitions-by-business')
  connection.exec(
    `INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'Africa/Johannesburg', '${AT}')`,
  )
  const rows = []
  for (const business of ['b', 'a']) {
    connection.exec(`INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status,
      pipeline_state, do_not_contact, has_evidence, normalization_version)
      VALUES ('t', '${business}', 1, '${AT}', 'u', '${AT}', 'Karoo', 'karoo', '[]', 'active', 'new', 0, 0, '1')`)
    for (const [id, reason] of [
      ['2', 'They called.'],
      ['1', null],
    ])
      rows.push({
        tenant_id: 't',
        id: `${business}${id}`,
        business_id: business,
        from_state: 'new',
        to_state: 'contacted',
        reason,
        at: AT,
        actor: 'u',
        correlation_id: `correlation ${id}`,
        idempotency_key: reason === null ? null : `key ${business}`,
      })
  }
  const insert = connection.prepare(`INSERT INTO pipeline_transitions VALUES
    (@tenant_id, @id, @business_id, @from_state, @to_state, @reason, @at, @actor, @correlation_id, @idempotency_key)`)
  for (const row of rows) insert.run(row)

  runMigration()
  const kept = connection.prepare('SELECT * FROM pipeline_transitions').all()
  expect(kept).toHaveLength(rows.length)
  expect(kept).toEqual(expect.arrayContaining(rows))
  for (const statement of ["UPDATE pipeline_transitions SET to_state = 'won'", 'DELETE FROM pipeline_transitions'])
    expect(() => connection.exec(statement)).toThrow('append-only')
})

test('existing tenants keep the optional states off, and new ones have them on', () => {
  const { connection, runMigration } = databaseBefore('2026-12-07-pipeline-optional-states-are-on')
  connection.exec(
    `INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'Africa/Johannesburg', '${AT}'),
      ('u', 2, 'U', 'Africa/Johannesburg', '${AT}');
    INSERT INTO pipeline_configurations VALUES ('u', 3, 1, 0, '${AT}')`,
  )
  runMigration()
  const kept = connection.prepare(
    'SELECT tenant_id, version, paused_enabled, disqualified_enabled FROM pipeline_configurations',
  )
  expect(kept.all()).toEqual([
    { tenant_id: 't', version: 1, paused_enabled: 0, disqualified_enabled: 0 },
    { tenant_id: 'u', version: 3, paused_enabled: 1, disqualified_enabled: 0 },
  ])
})
