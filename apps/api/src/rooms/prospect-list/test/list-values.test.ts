import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { addEvidenceTo, createProspect, endProspect } from '../../../../test/prospects.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { businessesMigrations } from '../../businesses/businesses.migrations.ts'

test('the migration fills phones and counts of evidence of existing records, including those of merged records', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const [survivor, merged, below, other] = [
    await createProspect(operator, { phones: [{ value: '021 555 0101', region: 'ZA' }, { value: '+27 21 555 0102' }] }),
    await createProspect(operator, { phones: [{ value: '021 555' }] }),
    await createProspect(operator),
    await createProspect(operator, { emails: [{ value: 'a@karoo.co.za' }] }),
  ]
  for (const { id } of [survivor, merged, merged, below]) await addEvidenceTo(operator, id)
  await endProspect(t, below.id, { status: 'merged', into: merged.id })
  await endProspect(t, merged.id, { status: 'merged', into: survivor.id })
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  connection.exec('DROP INDEX businesses_listed')
  for (const column of ['primary_phone_normalized', 'evidence_count'])
    connection.exec(`ALTER TABLE businesses DROP COLUMN ${column}`)
  connection.exec(businessesMigrations.find(({ name }) => name.endsWith('business-list-values'))?.sql ?? '')
  const rows = connection
    .prepare<[], { id: string; phone: string | null; evidence: number }>(
      'SELECT id, primary_phone_normalized AS phone, evidence_count AS evidence FROM businesses',
    )
    .all()
  connection.close()
  expect(new Map(rows.map(({ id, ...row }) => [id, row]))).toEqual(
    new Map([
      [survivor.id, { phone: '+27215550101', evidence: 4 }],
      [merged.id, { phone: null, evidence: 3 }],
      [below.id, { phone: null, evidence: 1 }],
      [other.id, { phone: null, evidence: 0 }],
    ]),
  )
})
