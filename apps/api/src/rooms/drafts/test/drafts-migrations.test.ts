import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/before-migration.ts'

const AT = '2026-11-21T09:00:00.000Z'

test('the migration of forms states none that nobody stated, and the rows stay append-only', () => {
  const { connection, runMigration } = databaseBefore('2026-12-20-legal-basis-forms')
  connection.exec(`
    INSERT INTO tenants (id, number, name, time_zone, created_at) VALUES ('t', 1, 'T', 'Africa/Johannesburg', '${AT}');
    INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status,
      pipeline_state, do_not_contact, has_evidence, normalization_version)
      VALUES ('t', 'b', 1, '${AT}', 'u', '${AT}', 'Karoo', 'karoo', '[]', 'active', 'new', 0, 0, '1')`)
  const kinds = [
    'consent',
    'existing_customer',
    'asked_by_them',
    'contract',
    'legitimate_interest',
    'consent_asked_once',
  ]
  for (const kind of kinds)
    connection.exec(`
      INSERT INTO legal_bases (tenant_id, id, business_id, kind, channels, purpose, jurisdiction, valid_from, valid_until, created_at, created_by)
        VALUES ('t', '${kind}', 'b', '${kind}', '["email"]', 'answer', 'za', '${AT}', '2027-11-21T09:00:00.000Z', '${AT}', 'u')`)
  runMigration()
  const rows = connection.prepare(
    'SELECT id, form, language, agreed_to, recording_reference, sale, sold_on FROM legal_bases',
  )
  const empty = { language: null, agreed_to: null, recording_reference: null, sale: null, sold_on: null }
  const forms = ['unknown', 'unknown', 'unknown', 'unknown', 'none', 'none']
  expect(rows.all()).toEqual(expect.arrayContaining(kinds.map((id, at) => ({ id, form: forms[at], ...empty }))))
  for (const statement of ["UPDATE legal_bases SET form = 'written'", 'DELETE FROM legal_bases'])
    expect(() => connection.exec(statement)).toThrow('append-only')
})
