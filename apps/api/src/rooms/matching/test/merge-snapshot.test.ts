import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { addEvidenceTo, addInteractionTo, createProspect } from '../../../../test/prospects.ts'
import { countChildren } from '../merging/count-children.ts'
import { addedSince, mustKeepChildren } from '../merging/merge-read-back.ts'
import { MAX_CHILDREN, recordGraph, takeSnapshot } from '../merging/merge-snapshot.ts'

const NOTES = 2_600
const READ_AT_ONCE = 500

test('children of two records are read in parts that yield to requests; more than the limit is refused', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const [a, b] = [await createProspect(manager, { name: 'Karoo' }), await createProspect(manager, { name: 'Protea' })]
  const tenantId = t.tenants.home.id
  const addNotes = (from: number, to: number) =>
    t.store.write('upkeep', async (db) => {
      await sql`
        WITH RECURSIVE n (i) AS (SELECT ${sql.lit(from)} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
        INSERT INTO notes (tenant_id, id, business_id, text, sensitive, author, created_at)
        SELECT ${tenantId}, printf('note-%06d', i), ${a.id}, 'x', 0, 'test', ${t.clock().toISOString()} FROM n`.execute(
        db,
      )
      return { keep: true, value: undefined }
    })
  await addNotes(1, NOTES)
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const { records } = await takeSnapshot(t.store.reader, tenantId, a.id, b.id)
  isOver = true
  expect(records.map(({ children }) => children.notes?.count)).toEqual([NOTES, 0])
  expect(turns).toBeGreaterThanOrEqual(Math.floor(NOTES / READ_AT_ONCE))

  await addNotes(NOTES + 1, MAX_CHILDREN)
  expect((await recordGraph(t.store.reader, tenantId, a.id)).children.notes?.count).toBe(MAX_CHILDREN)
  await addNotes(MAX_CHILDREN + 1, MAX_CHILDREN + 1)
  await expect(takeSnapshot(t.store.reader, tenantId, b.id, a.id)).rejects.toMatchObject({ code: 'too_large' })
})

test('the hash of a child leaves out NULL columns, so that a snapshot stays valid after a column is added', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  await addEvidenceTo(operator, id)
  const row = await t.store.reader.selectFrom('evidence').selectAll().executeTakeFirstOrThrow()
  expect(row.captured_on).toBeNull()
  const filled = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
  const hash = createHash('sha256')
    .update(`${canonicalize(filled)}\n`)
    .digest('hex')
  expect((await recordGraph(t.store.reader, t.tenants.home.id, id)).children.evidence?.hash).toBe(hash)
})

test('children of a kind unknown to a snapshot count as added since', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  await addInteractionTo(operator, id)
  const { reader } = t.store
  const tenantId = t.tenants.home.id
  const now = await recordGraph(reader, tenantId, id)
  const { interactions: _unknown, ...children } = now.children
  const before = { ...now, children }
  mustKeepChildren(before, now, { exactly: false })
  expect(addedSince(before, await countChildren(reader, tenantId, [id])).interactions).toBe(1)
})
