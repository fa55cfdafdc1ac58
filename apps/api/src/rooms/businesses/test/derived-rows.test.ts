import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { addEvidenceTo, createProspect, endProspect } from '../../../../test/prospects.ts'
import { change } from '../../../store/change/change.ts'
import { refreshEvidenceCount } from '../../evidence/evidence-count.ts'
import { systemActor } from '../../identity/identity.ts'
import { nameKeyOf } from '../../normalization/normalization.ts'
import type { Business } from '../businesses.schema.ts'
import { refreshSearchText } from '../family/merge-records.ts'
import { searchText } from '../search/search-text.rules.ts'

/*
 * Tests the rows that are derived from prospects for lists: counts, counts of tags, the search text and its index. After any sequence of changes they
 * must equal a recount and a rebuild.
 */

type Step =
  | { do: 'create' | 'edit'; which: number; body: Record<string, unknown> }
  | { do: 'evidence' | 'block' | 'move'; which: number }
  | { do: 'end'; which: number; as: 'active' | 'inactive' | 'merged' }
  | { do: 'refused'; which: number }

const body = fc.record(
  {
    name: fc.constantFrom('Karoo', 'Élan', 'ZZ & Son'),
    tradingName: fc.constantFrom(null, 'Melkbos', 'karoo'),
    tags: fc
      .uniqueArray(fc.constantFrom('Farm', 'Wind', 'Sea'), { maxLength: 3 })
      .chain((tags) => fc.boolean().map((loud) => (loud ? tags.map((tag) => tag.toUpperCase()) : tags))),
    address: fc.record({ province: fc.constantFrom(null, 'Gauteng', 'EC', 'Nova Scotia') }),
    emails: fc.array(fc.constantFrom({ value: 'A@karoo.co.za' }, { value: 'nobody' }), { maxLength: 2 }),
    phones: fc.array(fc.constantFrom({ value: '082 123 4567', region: 'ZA' }, { value: '011 555' }), { maxLength: 2 }),
    assigneeId: fc.constantFrom(null, 'operator', 'manager'),
  },
  { requiredKeys: ['name'] },
)
const which = fc.nat(40)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), which, body }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), which, body }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('evidence', 'block', 'move'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which,
      as: fc.constantFrom('active', 'inactive', 'merged'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refused' as const), which }) },
)

const states = ['contacted', 'qualified', 'proposal', 'negotiation', 'won']

async function take(t: TestApp, client: TestClient, keeper: string, ids: string[], step: Step): Promise<void> {
  const { users } = t.tenants.home
  const id = ids[step.which % Math.max(ids.length, 1)] ?? ''
  const path = `/businesses/${id}`
  if (step.do === 'create' || step.do === 'edit') {
    const { assigneeId } = step.body
    const known = assigneeId === 'operator' || assigneeId === 'manager' ? users[assigneeId].id : null
    const sent = assigneeId === undefined ? step.body : { ...step.body, assigneeId: known }
    if (step.do === 'create') ids.push((await createProspect(client, sent)).id)
    else if (id !== '') await client.patch(path, sent, { 'if-match': String((await client.get(path)).headers.etag) })
  } else if (id === '') return
  else if (step.do === 'evidence') await addEvidenceTo(client, id).catch(() => undefined)
  else if (step.do === 'block') await client.post(`${path}/do-not-contact`, { reason: 'They asked.' })
  else if (step.do === 'move') {
    const { pipelineState } = (await client.get<Business>(path)).body
    await client.post(`${path}/pipeline-transitions`, { to: states[states.indexOf(pipelineState) + 1] ?? 'lost' })
  } else if (step.do === 'end') {
    await endProspect(t, id, step.as === 'merged' ? { status: 'merged', into: keeper } : { status: step.as })
    await change(
      t.store,
      systemActor('matching', t.tenants.home.id),
      { permission: null, action: 'test.end' },
      async (tx) => {
        await refreshSearchText(tx, keeper)
        await refreshEvidenceCount(tx, keeper)
        await tx.record({ subject: { type: 'business', id: keeper } })
      },
    )
  } else await refuse(client, path)
}

/** Makes changes that are rolled back after their first writes. None of their derived rows may remain. */
async function refuse(client: TestClient, path: string): Promise<void> {
  await client.post('/businesses', { name: 'Refused', tags: ['Farm'], assigneeId: 'nobody' })
  await client.patch(path, { name: 'Refused', tags: ['Sea'], assigneeId: 'nobody' }, { 'if-match': '"1"' })
}

async function rowsOf(t: TestApp, query: ReturnType<typeof sql>): Promise<unknown[]> {
  return (await query.execute(t.store.reader)).rows
}

async function compare(t: TestApp): Promise<void> {
  const kept = (query: ReturnType<typeof sql>) => rowsOf(t, query)
  expect(await kept(sql`SELECT * FROM business_counts WHERE count > 0 ORDER BY 1, 2, 3, 4, 5, 6`)).toEqual(
    await kept(sql`
      SELECT tenant_id, pipeline_state, coalesce(province_code, '') AS province_code, coalesce(assignee_id, '') AS assignee_id,
             do_not_contact, has_evidence, count(*) AS count
      FROM businesses WHERE status = 'active' GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`),
  )
  expect(
    await kept(sql`SELECT tenant_id, tag_key, count FROM business_tag_counts WHERE count > 0 ORDER BY 1, 2`),
  ).toEqual(
    await kept(sql`
      SELECT t.tenant_id, t.tag_key, count(*) AS count FROM business_tags t
      JOIN businesses b ON b.tenant_id = t.tenant_id AND b.id = t.business_id AND b.status = 'active'
      GROUP BY 1, 2 ORDER BY 1, 2`),
  )
  expect(await kept(sql`SELECT business_id, tag, listed_at FROM business_tags ORDER BY business_id, tag_key`)).toEqual(
    await kept(
      sql`SELECT b.id AS business_id, j.value AS tag, iif(b.status = 'active', b.updated_at, '') AS listed_at
          FROM businesses b, json_each(b.tags) j ORDER BY b.id, lower(j.value)`,
    ),
  )
  expect(await kept(sql`SELECT DISTINCT business_id FROM evidence ORDER BY 1`)).toEqual(
    await kept(sql`SELECT id AS business_id FROM businesses WHERE has_evidence = 1 ORDER BY 1`),
  )
  expect(
    await kept(sql`SELECT id, evidence_count AS count, primary_phone AS phone, primary_phone_normalized AS normalized
    FROM businesses ORDER BY id`),
  ).toEqual(
    await kept(sql`
      SELECT b.id, (SELECT count(*) FROM evidence e JOIN businesses o ON o.tenant_id = e.tenant_id AND o.id = e.business_id
        WHERE o.id = b.id OR o.merged_into = b.id) AS count, i.original AS phone, i.normalized
      FROM businesses b LEFT JOIN business_identifiers i
        ON i.tenant_id = b.tenant_id AND i.business_id = b.id AND i.kind = 'phone' AND i.position = 0 ORDER BY b.id`),
  )
  await compareSearch(t)
}

async function compareSearch({ store }: TestApp): Promise<void> {
  const businesses = await store.reader.selectFrom('businesses').selectAll().orderBy('id').execute()
  const identifiers = await store.reader.selectFrom('business_identifiers').selectAll().orderBy('position').execute()
  const kinds = ['email', 'phone', 'domain']
  const anew = businesses.map(({ id, name, trading_name: tradingName, registration_number: registrationNumber }) => {
    const own = identifiers.filter(({ business_id }) => business_id === id)
    const inOrder = kinds.flatMap((kind) => own.filter((identifier) => identifier.kind === kind))
    const merged = businesses
      .filter(({ merged_into: into }) => into === id)
      .map((one) => ({ name: one.name, tradingName: one.trading_name, registrationNumber: one.registration_number }))
    return [id, searchText({ name, tradingName, registrationNumber, identifiers: inOrder, merged })]
  })
  const kept = await store.reader
    .selectFrom('businesses as b')
    .leftJoin('business_search as s', 's.docid', 'b.docid')
    .leftJoin('business_search_pending as p', 'p.docid', 'b.docid')
    .select((eb) => ['b.id', eb.fn.coalesce('p.text', 's.text').as('text')])
    .execute()
  expect(kept.map(({ id, text }) => [id, text]).toSorted()).toEqual(anew.toSorted())
  const keys = await store.reader
    .selectFrom('business_name_keys as k')
    .innerJoin('businesses as b', 'b.docid', 'k.docid')
    .select(['b.id', 'k.name_key'])
    .execute()
  const names = businesses.flatMap(({ id, name, trading_name: trading }) => [
    [id, nameKeyOf(name)],
    ...(trading === null || nameKeyOf(trading) === nameKeyOf(name) ? [] : [[id, nameKeyOf(trading)]]),
  ])
  expect(keys.map(({ id, name_key: key }) => [id, key]).toSorted()).toEqual(names.toSorted())
  // The index stores no text. Its integrity check compares every word of the index with the table.
  await store.write('upkeep', async (db) => {
    await sql`INSERT INTO business_search_index (business_search_index, rank) VALUES ('integrity-check', 1)`.execute(db)
    return { keep: false, value: undefined }
  })
}

test('counts, tags and search never drift from the prospects, after any changes in any order', async () => {
  const t = await buildTestApp()
  const [operator, other] = [await t.as('operator'), await t.as('operator', 'other')]
  await createProspect(other, { name: 'Foreign', tags: ['Farm'], address: { province: 'EC' } })
  const { id: keeper } = await createProspect(operator, { name: 'Keeper' })
  const ids: string[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 25 }), fc.boolean(), async (steps, atOnce) => {
      // Concurrent changes share a commit. A rejected change is rolled back while the others succeed.
      if (atOnce) await Promise.all(steps.map((step) => take(t, operator, keeper, ids, step)))
      else for (const step of steps) await take(t, operator, keeper, ids, step)
      await compare(t)
    }),
    { numRuns: 15 },
  )
})
