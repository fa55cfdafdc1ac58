import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../test/temporary-store.ts'
import { newId } from '../lib/ids.ts'
import { change } from './change/change.ts'
import type { Store } from './store.ts'

/** Executes a statement that no room would run, to test that the database refuses it. */
async function writes(store: Store, statement: ReturnType<typeof sql>): Promise<void> {
  await store.write('upkeep', async (db) => {
    await statement.execute(db)
    return { keep: true, value: undefined }
  })
}

async function insert(store: Store, table: string, row: Record<string, string | number | null>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const values = sql.join(Object.values(row).map((value) => sql.val(value)))
  await writes(store, sql`INSERT INTO ${sql.table(table)} (${columns}) VALUES (${values})`)
}

async function seedBusiness(
  store: Store,
  tenantId: string,
  change: Record<string, string | number | null> = {},
): Promise<string> {
  const id = newId()
  await insert(store, 'businesses', {
    tenant_id: tenantId,
    id,
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    created_by: 'sample data',
    updated_at: '2026-01-01T00:00:00.000Z',
    name: 'Karoo Windpumps',
    name_key: 'karoo windpumps',
    tags: '[]',
    status: 'active',
    pipeline_state: 'new',
    do_not_contact: 0,
    has_evidence: 0,
    normalization_version: '1',
    ...change,
  })
  return id
}

const at = '2026-01-01T00:00:00.000Z'
const children: Record<string, (tenantId: string, businessId: string) => Record<string, string | number | null>> = {
  business_identifiers: (tenant_id, business_id) => ({
    tenant_id,
    business_id,
    kind: 'email',
    position: 0,
    original: 'a@b.co.za',
    normalized: 'a@b.co.za',
    normalization_version: '1',
  }),
  business_tags: (tenant_id, business_id) => ({ tenant_id, business_id, tag_key: 'farm', listed_at: at, tag: 'Farm' }),
  evidence: (tenant_id, business_id) => ({
    tenant_id,
    business_id,
    id: newId(),
    observation: 'Seen',
    source_label: 'A visit',
    captured_at: at,
    confidence: 'high',
    created_at: at,
    created_by: 'sample data',
  }),
  notes: (tenant_id, business_id) => ({
    tenant_id,
    business_id,
    id: newId(),
    text: 'Call in May.',
    sensitive: 0,
    author: 'sample data',
    created_at: at,
  }),
  interactions: (tenant_id, business_id) => ({
    tenant_id,
    business_id,
    id: newId(),
    occurred_at: at,
    channel: 'phone',
    outcome: 'connected',
    participants: '[]',
    on_do_not_contact: 0,
    created_at: at,
    created_by: 'sample data',
  }),
  pipeline_transitions: (tenant_id, business_id) => ({
    tenant_id,
    business_id,
    id: newId(),
    from_state: 'new',
    to_state: 'contacted',
    at,
    actor: 'sample data',
    correlation_id: newId(),
  }),
}

async function setUp() {
  const store = temporaryStore()
  const tenantId = await seedTenant(store)
  const businessId = await seedBusiness(store, tenantId)
  return { store, tenantId, businessId }
}

describe.each(Object.keys(children))('a row of %s', (table) => {
  const child = children[table] ?? (() => ({}))

  test('is accepted under a business of its tenant', async ({ expect }) => {
    const { store, tenantId, businessId } = await setUp()
    await insert(store, table, child(tenantId, businessId))
    expect((await sql`SELECT 1 FROM ${sql.table(table)}`.execute(store.reader)).rows).toHaveLength(1)
  })

  test("is refused under another tenant's business", async ({ expect }) => {
    const { store, businessId } = await setUp()
    const attacker = await seedTenant(store)
    await expect(insert(store, table, child(attacker, businessId))).rejects.toThrow('FOREIGN KEY')
  })
})

test("a business cannot refer to another tenant's business or member", async ({ expect }) => {
  const { store, businessId } = await setUp()
  const other = await seedTenant(store)
  await expect(seedBusiness(store, other, { status: 'merged', merged_into: businessId })).rejects.toThrow('FOREIGN KEY')
  await expect(seedBusiness(store, other, { assignee_id: newId() })).rejects.toThrow('FOREIGN KEY')
})

test("evidence cannot supersede another business's evidence", async ({ expect }) => {
  const { store, tenantId, businessId } = await setUp()
  const row = { ...children.evidence?.(tenantId, businessId), id: newId() }
  await insert(store, 'evidence', row)
  const otherBusiness = await seedBusiness(store, tenantId)
  const correction = { ...children.evidence?.(tenantId, otherBusiness), supersedes_id: row.id }
  await expect(insert(store, 'evidence', correction)).rejects.toThrow('FOREIGN KEY')
})

test("an interaction cannot correct another business's interaction", async ({ expect }) => {
  const { store, tenantId, businessId } = await setUp()
  const row = { ...children.interactions?.(tenantId, businessId), id: newId() }
  await insert(store, 'interactions', row)
  const otherBusiness = await seedBusiness(store, tenantId)
  const correction = { ...children.interactions?.(tenantId, otherBusiness), corrects_id: row.id }
  await expect(insert(store, 'interactions', correction)).rejects.toThrow('FOREIGN KEY')
})

const appendOnly = ['evidence', 'notes', 'interactions', 'pipeline_transitions', 'audit_events']

describe.each(appendOnly)('the content of %s', (table) => {
  async function setUpRow() {
    const { store, tenantId, businessId } = await setUp()
    if (table === 'audit_events') {
      await change(store, actorIn(tenantId), { permission: null, action: 'test.write' }, (tx) =>
        tx.record({ subject: { type: 'tenant', id: tenantId } }),
      )
    } else {
      await insert(store, table, children[table]?.(tenantId, businessId) ?? {})
    }
    return { store, rows: async () => (await sql`SELECT * FROM ${sql.table(table)}`.execute(store.reader)).rows }
  }

  test.for([
    ['updated', sql`UPDATE ${sql.table(table)} SET tenant_id = tenant_id`],
    ['deleted', sql`DELETE FROM ${sql.table(table)}`],
    ['replaced', sql`REPLACE INTO ${sql.table(table)} SELECT * FROM ${sql.table(table)}`],
  ] as const)('cannot be %s', async ([, statement], { expect }) => {
    const { store, rows } = await setUpRow()
    const before = await rows()
    expect(before).toHaveLength(1)
    await expect(writes(store, statement)).rejects.toThrow(`${table} is append-only`)
    expect(await rows()).toEqual(before)
  })
})

test('a business cannot be deleted or replaced', async ({ expect }) => {
  const { store } = await setUp()
  await expect(writes(store, sql`DELETE FROM businesses`)).rejects.toThrow('not by deletion')
  await expect(writes(store, sql`REPLACE INTO businesses SELECT * FROM businesses`)).rejects.toThrow('not by deletion')
})

test('every table of a tenant has the tenant first in its key', async ({ expect }) => {
  const { store } = await setUp()
  const { rows } = await sql<{ name: string; key: string | null }>`
    SELECT t.name, (SELECT group_concat(i.name ORDER BY i.pk) FROM pragma_table_info(t.name) i WHERE i.pk > 0) AS key
    FROM pragma_table_list t WHERE t.type = 'table' AND t.schema = 'main'
      AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) i WHERE i.name = 'tenant_id')`.execute(store.reader)
  const keyedOtherwise = rows.filter(({ key }) => !key?.startsWith('tenant_id')).map(({ name }) => name)
  // These tables have another primary key than one that begins with the tenant. Sessions, current and former, are found by their cookie alone. A
  // business has an additional number for the text index, and its tenant and id are unique. Scoring numbers changes and generations by one sequence
  // each, so that no number is reused.
  expect(keyedOtherwise.sort()).toEqual([
    'businesses',
    'score_changes',
    'score_generations',
    'sessions',
    'spent_tokens',
  ])
})
