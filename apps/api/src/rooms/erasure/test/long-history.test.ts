import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { actorIn } from '../../../../test/temporary-store.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import { verifyTenant } from '../../audit/audit.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { ErasedBusiness } from '../erasure.schema.ts'

/* Tests a record with many former names. Searches by name must run outside the change, because the change blocks all other writers. */

async function setUp() {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  /** inserts the counts of name words that a matching run stores */
  const count = (words: Record<string, number>) =>
    t.store.write('upkeep', async (db) => {
      await sql`INSERT INTO match_snapshots VALUES
        (${t.tenants.home.id}, ${newId()}, ${t.store.clock().toISOString()}, 9, ${JSON.stringify(words)}, 'hash', 'n', 'a', 's')`.execute(
        db,
      )
      return { keep: true, value: undefined }
    })
  const counted = async () => {
    const rows = await t.store.reader.selectFrom('match_snapshots').select('words').orderBy('id').execute()
    return rows.map(({ words }) => JSON.parse(words) as object)
  }
  const erase = async (id: string) => {
    const { status, body } = await administrator.post<ErasedBusiness>(`/businesses/${id}/erasure`, { reason: 'Asked.' })
    expect(status).toBe(200)
    return body.erased
  }
  return { t, administrator, count, counted, erase }
}

async function renamed(client: TestClient, times: number): Promise<string> {
  let { id, version } = await createProspect(client, { name: 'Karoo Windpumps' })
  for (let time = 1; time <= times; time++) {
    const { status, body } = await client.patch<Business>(
      `/businesses/${id}`,
      { name: `Former${times}x${time} Quagga` },
      { 'if-match': `"${version}"` },
    )
    expect(status).toBe(200)
    version = body.version
  }
  return id
}

/** Returns the number of statements that this thread runs during `work`. The background reader is not counted, because it runs in another thread. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const statements: BetterSqlite3.Statement = Object.getPrototypeOf(new BetterSqlite3(':memory:').prepare('SELECT 1'))
  const spies = (['run', 'get', 'all'] as const).map((way) => vi.spyOn(statements, way))
  await work()
  const ran = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return ran
}

test('an erasure runs no more statements for many former names than for few, and empties all of them', async () => {
  const { t, administrator, erase } = await setUp()
  const [few, many] = [await renamed(administrator, 3), await renamed(administrator, 40)]
  const ran: number[] = []
  for (const [id, events] of [
    [few, 4],
    [many, 41],
  ] as const) {
    t.clock.advance(1_000)
    ran.push(await statementsOf(async () => expect(await erase(id)).toMatchObject({ auditEvents: events })))
  }
  const [forFew = 0, forMany = 0] = ran
  // Allow some statements for unrelated work, such as extending a session. The limit is below one statement for each of 37 names.
  expect(forMany - forFew).toBeLessThan(10)
  const { rows } =
    await sql`SELECT 1 FROM audit_events WHERE before_json LIKE '%Former%' OR after_json LIKE '%Former%'`.execute(
      t.store.reader,
    )
  expect(rows).toEqual([])
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
})

test('rows are read and emptied in batches: readers get a turn in between', async () => {
  const { t, administrator, erase } = await setUp()
  const { id } = await createProspect(administrator, { name: 'Karoo Windpumps' })
  await t.store.write('upkeep', async (db) => {
    const row = sql`${t.tenants.home.id}, printf('%036d', i), ${id}`
    const [at, by] = [t.store.clock().toISOString(), 'system:matching']
    for (const insert of [
      sql`evidence (tenant_id, id, business_id, observation, source_label, captured_at, confidence, created_at, created_by)
        SELECT ${row}, 'Seen.', 'Web', ${at}, 'low', ${at}, ${by}`,
      sql`notes (tenant_id, id, business_id, text, sensitive, created_at, author) SELECT ${row}, 'Said.', 0, ${at}, ${by}`,
      sql`interactions (tenant_id, id, business_id, occurred_at, channel, outcome, summary, participants, on_do_not_contact, created_at, created_by)
        SELECT ${row}, ${at}, 'phone', 'other', 'Spoke.', '[]', 0, ${at}, ${by}`,
      sql`pipeline_transitions (tenant_id, id, business_id, from_state, to_state, reason, actor, at, correlation_id)
        SELECT ${row}, 'new', 'contacted', 'Called.', ${by}, ${at}, 'c'`,
    ])
      await sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) INSERT INTO ${insert} FROM n`.execute(
        db,
      )
    return { keep: true, value: undefined }
  })
  await change(t.store, actorIn(t.tenants.home.id), { permission: null, action: 'business.edit' }, async (tx) => {
    for (let time = 0; time < 600; time++) {
      await tx.record({ subject: { type: 'business', id }, businessId: id, after: { name: `Former${time} Quagga` } })
    }
  })
  const whole =
    /^\s*(SELECT e\.\*|INSERT INTO audit_redactions|UPDATE audit_events|UPDATE "(evidence|notes|interactions|pipeline_transitions)")/
  const sizes: number[] = []
  const statements: BetterSqlite3.Statement = Object.getPrototypeOf(new BetterSqlite3(':memory:').prepare('SELECT 1'))
  const { all, run } = statements
  const readsAll = vi.spyOn(statements, 'all').mockImplementation(function (this: BetterSqlite3.Statement, ...values) {
    const rows = all.apply(this, values)
    if (whole.test(this.source)) sizes.push(rows.length)
    return rows
  })
  const runs = vi.spyOn(statements, 'run').mockImplementation(function (this: BetterSqlite3.Statement, ...values) {
    const result = run.apply(this, values)
    if (whole.test(this.source)) sizes.push(result.changes)
    return result
  })
  expect(await erase(id)).toMatchObject({ auditEvents: 601, evidence: 600, notes: 600, interactions: 600, moves: 600 })
  readsAll.mockRestore()
  runs.mockRestore()
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(3 * 601 + 4 * 600)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(250)
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
})

test('words that only erased names contain are removed from every count', async () => {
  const { administrator, count, counted, erase } = await setUp()
  const id = await renamed(administrator, 2)
  await createProspect(administrator, { name: 'Karoo Bakery' })
  await count({ karoo: 2, quagga: 2, windpump: 3 })
  await count({ bakery: 2, former2x1: 2, quagga: 2 })
  await erase(id)
  expect(await counted()).toEqual([{ karoo: 2, windpump: 3 }, { bakery: 2 }])
})

test('a word that two records share is removed with the second of two overlapping erasures', async () => {
  const { administrator, count, counted, erase } = await setUp()
  const ids = [await renamed(administrator, 1), await renamed(administrator, 1)]
  await count({ quagga: 2, trading: 4 })
  await Promise.all(ids.map(erase))
  expect(await counted()).toEqual([{ trading: 4 }])
})
