import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { takeSnapshot } from './merge-snapshot.ts'

const NOTES = 2_600
const READ_AT_ONCE = 500

test('all that hangs on two records is read in pieces, between which requests have their turn', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const [a, b] = [await createProspect(manager, { name: 'Karoo' }), await createProspect(manager, { name: 'Protea' })]
  const tenantId = t.tenants.home.id
  await t.store.writes.write(async () => {
    await sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${NOTES})
      INSERT INTO notes (tenant_id, id, business_id, text, sensitive, author, created_at)
      SELECT ${tenantId}, printf('note-%06d', i), ${a.id}, 'x', 0, 'test', ${t.clock().toISOString()} FROM n`.execute(
      t.store.writer,
    )
    return { keep: true, value: undefined }
  })
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const { records } = await takeSnapshot(t.store.reader, tenantId, a.id, b.id)
  isOver = true
  expect(records.map(({ children }) => children.notes.count)).toEqual([NOTES, 0])
  expect(turns).toBeGreaterThanOrEqual(Math.floor(NOTES / READ_AT_ONCE))
})
