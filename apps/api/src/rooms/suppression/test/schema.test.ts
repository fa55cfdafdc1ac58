import { sql } from 'kysely'
import { test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { createProspect, endProspect } from '../../../../test/prospects.ts'
import type { AddedSuppression } from '../suppression.schema.ts'

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  await createProspect(operator, { phones: [{ value: '+27821234567' }] })
  const entry = { kind: 'phone', value: '+27821234567', reason: 'They asked.', channel: 'phone' }
  const { body } = await operator.post<AddedSuppression>('/suppressions', entry)
  return { t, id: body.suppression.id }
}

async function write({ store }: TestApp, statement: ReturnType<typeof sql>): Promise<void> {
  await store.write('upkeep', async (db) => {
    await statement.execute(db)
    return { keep: true, value: undefined }
  })
}

function liveMatch(tenantId: string, suppressionId: string, businessId: string) {
  return sql`INSERT INTO suppression_matches (tenant_id, suppression_id, business_id, at, cause, live)
    VALUES (${tenantId}, ${suppressionId}, ${businessId}, '2026-01-01T00:00:00.000Z', 'entry', 1)`
}

test.for([
  ['an entry is deleted', sql`DELETE FROM suppressions`, 'by removal'],
  ['an entry is replaced', sql`REPLACE INTO suppressions SELECT * FROM suppressions`, 'by removal'],
  ['the value of an entry is edited', sql`UPDATE suppressions SET normalized = '+27821234568'`, 'not edited'],
  ['its scope is edited', sql`UPDATE suppressions SET scope = 'exact'`, 'not edited'],
  ['its keys are deleted', sql`DELETE FROM suppression_keys`, 'stay'],
  ['its keys end while it is active', sql`UPDATE suppression_keys SET live = 0`, 'stay live'],
  ['a match is deleted', sql`DELETE FROM suppression_matches`, 'with its entry'],
  ['a match ends while its entry is active', sql`UPDATE suppression_matches SET live = 0`, 'as long as'],
  ['history is changed', sql`UPDATE suppression_history SET reason = 'x'`, 'append-only'],
  ['history is deleted', sql`DELETE FROM suppression_history`, 'append-only'],
  ['history is replaced', sql`REPLACE INTO suppression_history SELECT * FROM suppression_history`, 'append-only'],
  [
    'a matched business is freed',
    sql`UPDATE businesses SET do_not_contact = 0, blocked_at = NULL, blocked_by = NULL, blocked_reason = NULL`,
    'stays do not contact',
  ],
  [
    'a match is turned into a block by hand',
    sql`UPDATE businesses SET blocked_through = 'hand'`,
    'stays do not contact',
  ],
] as const)('the database itself refuses that %s', async ([, statement, words], { expect }) => {
  const { t } = await setUp()
  const changes = await t.changes(async () => {
    await expect(write(t, statement)).rejects.toThrow(words)
  })
  expect(changes).toEqual({})
})

test('an ended entry is history: nothing of it changes any more', async ({ expect }) => {
  const { t, id } = await setUp()
  const { status } = await (await t.as('administrator')).post(`/suppressions/${id}/removal`, {
    reason: 'They came back.',
  })
  expect(status).toBe(200)
  await expect(
    write(t, sql`UPDATE suppressions SET status = 'active', ended_at = NULL, ended_by = NULL, ended_reason = NULL`),
  ).rejects.toThrow('is history')
})

test('a live match is refused for a business without its mark', async ({ expect }) => {
  const { t, id } = await setUp()
  const operator = await t.as('operator')
  const free = await createProspect(operator)
  const byHand = await createProspect(operator)
  await operator.post(`/businesses/${byHand.id}/do-not-contact`, { reason: 'By hand.' })
  for (const business of [free, byHand])
    await expect(write(t, liveMatch(t.tenants.home.id, id, business.id))).rejects.toThrow('is marked before its match')
})

test('a live match of a merged business is refused while its survivor has none', async ({ expect }) => {
  const { t, id } = await setUp()
  const operator = await t.as('operator')
  const [merged, survivor] = [await createProspect(operator), await createProspect(operator)]
  await endProspect(t, merged.id, { status: 'merged', into: survivor.id })
  const mark = sql`UPDATE businesses SET do_not_contact = 1, blocked_through = 'suppression', blocked_at = 'x', blocked_by = 'x',
    blocked_reason = 'x' WHERE id IN (${merged.id}, ${survivor.id})`
  await write(t, mark)
  const insert = (businessId: string) => write(t, liveMatch(t.tenants.home.id, id, businessId))
  await expect(insert(merged.id)).rejects.toThrow('for the survivor before')
  await insert(survivor.id)
  await insert(merged.id)
})

test('an ended match cannot become active again', async ({ expect }) => {
  const { t, id } = await setUp()
  const path = `/suppressions/${id}/removal`
  expect((await (await t.as('administrator')).post(path, { reason: 'They came back.' })).status).toBe(200)
  await expect(write(t, sql`UPDATE suppression_matches SET live = 1`)).rejects.toThrow('is history')
})

test('a merge is refused while the survivor lacks a match or a block by hand', async ({ expect }) => {
  const { t } = await setUp()
  const operator = await t.as('operator')
  const [survivor, byHand] = [await createProspect(operator), await createProspect(operator)]
  const matched = await createProspect(operator, { phones: [{ value: '+27821234567' }] })
  await operator.post(`/businesses/${byHand.id}/do-not-contact`, { reason: 'By hand.' })
  const link = (id: string) =>
    write(t, sql`UPDATE businesses SET status = 'merged', merged_into = ${survivor.id} WHERE id = ${id}`)
  await expect(link(matched.id)).rejects.toThrow('matches were carried')
  await expect(link(byHand.id)).rejects.toThrow('a block by hand reaches the survivor')
  for (const { id } of [matched, byHand]) await endProspect(t, id, { status: 'merged', into: survivor.id })
})

test('a block by hand of a merged business is refused while its survivor has none', async ({ expect }) => {
  const { t } = await setUp()
  const operator = await t.as('operator')
  const [merged, survivor] = [await createProspect(operator), await createProspect(operator)]
  await endProspect(t, merged.id, { status: 'merged', into: survivor.id })
  const block = (id: string) =>
    write(
      t,
      sql`UPDATE businesses SET do_not_contact = 1, blocked_through = 'hand', blocked_at = 'x', blocked_by = 'x', blocked_reason = 'x'
          WHERE id = ${id}`,
    )
  await expect(block(merged.id)).rejects.toThrow('a block by hand reaches the survivor')
  await block(survivor.id)
  await block(merged.id)
})

test('nothing can refer to an entry or a business of another tenant', async ({ expect }) => {
  const { t, id } = await setUp()
  const elsewhere = await t.as('operator', 'other')
  const foreign = await createProspect(elsewhere, { phones: [{ value: '+27831234567' }] })
  // Marks the business first, so that the reference is the only thing that is wrong.
  const entry = { kind: 'phone', value: '+27831234567', reason: 'They asked.', channel: 'phone' }
  expect((await elsewhere.post<AddedSuppression>('/suppressions', entry)).body.marked).toBe(1)
  const match = (tenantId: string, businessId: string) => write(t, liveMatch(tenantId, id, businessId))
  await expect(match(t.tenants.home.id, foreign.id)).rejects.toThrow('FOREIGN KEY')
  await expect(match(t.tenants.other.id, foreign.id)).rejects.toThrow(/constraint/)
})
