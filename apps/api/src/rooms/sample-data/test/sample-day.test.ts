import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { noAdapters } from '../../../load-adapters.ts'
import { rooms } from '../../index.ts'
import { fillWithSampleData, SAMPLE_BUSINESSES_DEFAULT } from '../fill-with-sample-data.ts'

type Items<Row> = { items: Row[] }

async function sampleDesk() {
  const t = await buildTestApp()
  await fillWithSampleData(t.store, {
    tenantId: t.tenants.home.id,
    businesses: SAMPLE_BUSINESSES_DEFAULT,
    seed: 1,
    rooms,
    adapters: noAdapters,
  })
  const client = await t.as('administrator')
  const read = async <Row>(path: string) => {
    const { status, body } = await client.get<Items<Row>>(path)
    expect(status, path).toBe(200)
    return body.items
  }
  return { t, read }
}

test('a sample shows a desk in the middle of its week', async () => {
  const { t, read } = await sampleDesk()
  const { tenantId, db } = { tenantId: t.tenants.home.id, db: t.store.reader }

  const interactions = await db.selectFrom('interactions').selectAll().where('tenant_id', '=', tenantId).execute()
  expect(interactions.length).toBeGreaterThan(50)
  expect(new Set(interactions.map(({ created_by }) => created_by)).size).toBe(4)
  const days = interactions.map(({ occurred_at }) => (Date.now() - Date.parse(occurred_at)) / 86_400_000)
  expect(Math.max(...days)).toBeGreaterThan(60)
  expect(interactions.some(({ follow_up_on }) => follow_up_on !== null)).toBe(true)
  for (const term of ['overdue', 'today', 'this_week']) {
    const conditions = encodeURIComponent(JSON.stringify([{ field: 'followUp', op: 'any_of', values: [term] }]))
    expect(await read(`/businesses?conditions=${conditions}`), term).not.toEqual([])
  }

  const suppressions = await read<{ kind: string; scope: string }>('/suppressions')
  expect(new Set(suppressions.map(({ kind }) => kind))).toEqual(new Set(['email', 'phone', 'domain']))
  expect(suppressions.some(({ scope }) => scope === 'with_subdomains')).toBe(true)

  const drafts = await read<{ state: string }>('/drafts')
  expect(new Set(drafts.map(({ state }) => state))).toEqual(new Set(['writing', 'in_review', 'approved', 'closed']))
  expect(await read('/draft-policies')).toMatchObject([{ state: 'approved' }])
  expect(await read('/draft-templates')).toHaveLength(3)

  expect(await read('/saved-filters')).toHaveLength(3)
  expect(await read('/dns-observations')).toHaveLength(8)
  expect(await read('/reports')).toHaveLength(2)
  expect(await read('/exports')).toHaveLength(1)
  expect(await read<object>('/domain-candidates')).toContainEqual(expect.objectContaining({ state: 'open' }))

  const sites = await read<{ state: string }>('/official-sites')
  expect(sites.map(({ state }) => state).toSorted()).toEqual(['approved', 'proposed', 'proposed'])
  expect(await read('/scans')).toMatchObject([{ origin: 'supplied', state: 'complete' }])
  expect(await read('/extractions')).toMatchObject([{ state: 'complete', reasons: [], notRead: [] }])
  const contacts = await read<{ kind: string; state: string }>('/contact-candidates')
  expect(contacts).toHaveLength(2)
  for (const contact of contacts) expect(contact).toMatchObject({ kind: 'phone', state: 'open' })
  const references = await db.selectFrom('source_records').select('id').where('tenant_id', '=', tenantId).execute()
  expect(references).toHaveLength(6)
})

test('the colleagues of the sample are members whose work has their names; nobody knows their passwords', async () => {
  const { t, read } = await sampleDesk()
  const people = await read<{ name: string; role: string; lastSignInAt: string | null }>('/users')
  for (const name of ['Thandeka Mkhize', 'Pieter Botha', 'Ayesha Naidoo'])
    expect(people).toContainEqual(expect.objectContaining({ name }))
  const events = await t.store.reader
    .selectFrom('audit_events')
    .select('action')
    .where('tenant_id', '=', t.tenants.home.id)
    .where('action', '=', 'user.create')
    .execute()
  expect(events.length).toBeGreaterThanOrEqual(3)
})
