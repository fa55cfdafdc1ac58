import { sql } from 'kysely'
import { test } from 'vitest'
import { type Answer, buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type ListPage, moveTo, type Refusal } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import type { Business } from '../businesses.schema.ts'

const original = {
  name: 'Karoo Windpumps',
  tradingName: 'Karoo Pumps',
  registrationNumber: '2015/123456/07',
  industry: 'Irrigation',
  emails: [{ value: 'a@karoo.co.za', label: 'Sales' }],
  phones: [{ value: '082 123 4567', region: 'ZA', label: null }],
  domains: [{ value: 'karoo.co.za', label: null }],
  address: { street: '12 Kerkstraat', city: 'Graaff-Reinet', province: 'Eastern Cape' },
  tags: ['Farm', 'Wind'],
}

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const assigneeId = t.tenants.home.users.operator.id
  const business = await createProspect(operator, { ...original, assigneeId })
  const path = `/businesses/${business.id}`
  const edit = (body: unknown, version = 1) =>
    operator.patch<Business & Refusal>(path, body, { 'if-match': `"${version}"` })
  const lastEvent = async () => (await operator.get<ListPage<AuditEvent>>(`${path}/activity`)).body.items[0]
  return { t, operator, business, path, edit, lastEvent, assigneeId }
}

test('an edit changes the sent fields, raises the version, records only the changed fields, and nothing else changes', async ({
  expect,
}) => {
  const { t, operator, business, path, edit, lastEvent } = await setUp()
  t.clock.advance(1_000)
  const answers: Answer<Business>[] = []
  const changes = await t.changes(async () => {
    answers.push(await edit({ name: 'Karoo Solar', industry: null }))
  })
  expect(changes).toEqual({
    businesses: 0,
    business_tags: 0,
    business_search_pending: 0,
    business_name_keys: 0,
    audit_events: 1,
  })
  const [answer] = answers
  const expected = { ...business, version: 2, updatedAt: t.clock().toISOString(), name: 'Karoo Solar', industry: null }
  expect(answer).toMatchObject({ status: 200, headers: { etag: '"2"' } })
  expect(answer?.body).toEqual({ ...expected, possibleDuplicates: undefined })
  expect((await operator.get(path)).body).toEqual(answer?.body)
  expect(await lastEvent()).toMatchObject({
    action: 'business.edit',
    subject: { type: 'business', id: business.id },
    actor: { id: t.tenants.home.users.operator.id },
    correlationId: answer?.headers['x-request-id'],
  })
  const { before, after } = (await lastEvent()) ?? {}
  expect([before, after]).toEqual([
    { name: 'Karoo Windpumps', industry: 'Irrigation' },
    { name: 'Karoo Solar', industry: null },
  ])
})

test('a record of older rules is renormalized as a whole: no form is stored under a version that did not make it', async ({
  expect,
}) => {
  const { t, path, edit, operator } = await setUp()
  await t.store.write('upkeep', async (db) => {
    await sql`UPDATE businesses SET normalization_version = 'identifiers-0'`.execute(db)
    await sql`UPDATE business_identifiers SET normalization_version = 'identifiers-0', normalized = 'an older form'`.execute(
      db,
    )
    return { keep: true, value: undefined }
  })
  await edit({ name: 'Karoo Solar' })
  const { body } = await operator.get<Business>(path)
  expect([body.phones[0]?.normalized, body.normalizationVersion]).toEqual(['+27821234567', NORMALIZATION_VERSION])
  const stored = await t.store.reader.selectFrom('business_identifiers').select('normalization_version').execute()
  expect(new Set(stored.map(({ normalization_version: version }) => version))).toEqual(new Set([NORMALIZATION_VERSION]))
})

test('an edit with the current values writes nothing and keeps the version', async ({ expect }) => {
  const { t, edit, assigneeId, business } = await setUp()
  const same = [{}, { ...original, assigneeId }, { name: original.name }, { address: {} }, { tags: ['Farm', 'Wind'] }]
  for (const body of same) {
    const answers: Answer<Business>[] = []
    expect(
      await t.changes(async () => {
        answers.push(await edit(body))
      }),
    ).toEqual({})
    expect(answers).toMatchObject([
      { status: 200, headers: { etag: '"1"' }, body: { version: 1, updatedAt: business.updatedAt } },
    ])
  }
})

test('of an address only the sent parts change; null empties a part, and with the province its code', async ({
  expect,
}) => {
  const { edit, lastEvent } = await setUp()
  const blank = { street: null, suburb: null, city: null, province: null, postalCode: null, country: null }
  const first = await edit({ address: { city: 'Aberdeen' } })
  expect(first.body.address).toEqual({ ...blank, ...original.address, city: 'Aberdeen' })
  const second = await edit({ address: { province: null, postalCode: '6270' } }, 2)
  expect(second.body.address).toEqual({
    ...blank,
    ...original.address,
    city: 'Aberdeen',
    province: null,
    postalCode: '6270',
  })
  expect(second.body.provinceCode).toBeNull()
  const third = await edit({ address: { province: 'Nova Scotia' } }, 3)
  expect(third.body.provinceCode).toBe('other')
  const fourth = await edit({ address: { province: 'kwaZULU-natal' } }, 4)
  expect([fourth.body.address.province, fourth.body.provinceCode]).toEqual(['kwaZULU-natal', 'KZN'])
  expect((await lastEvent())?.before).toEqual({ address: third.body.address })
})

test('null empties a field, a list is replaced as a whole, absent stays', async ({ expect }) => {
  const { t, edit } = await setUp()
  const answers: Answer<Business>[] = []
  const changes = await t.changes(async () => {
    answers.push(
      await edit({
        tradingName: null,
        registrationNumber: null,
        assigneeId: null,
        emails: [],
        phones: [{ value: '+27 49 892 0000' }, { value: '082 123 4567' }],
        tags: ['wind', 'Solar'],
      }),
    )
  })
  expect(changes).toEqual({
    businesses: 0,
    business_counts: 1,
    business_identifiers: 0,
    business_search_pending: 0,
    business_name_keys: -1,
    business_tag_counts: 0,
    business_tags: 0,
    suppression_record_keys: 1,
    audit_events: 1,
  })
  expect(answers[0]?.body).toMatchObject({
    name: original.name,
    tradingName: null,
    registrationNumber: null,
    industry: original.industry,
    assignee: null,
    emails: [],
    phones: [
      { value: '+27 49 892 0000', normalized: '+27498920000' },
      { value: '082 123 4567', normalized: null, uncertainty: 'no_country_context' },
    ],
    domains: [{ value: 'karoo.co.za' }],
    tags: ['wind', 'Solar'],
  })
})

test('the first of each kind in the list is that of the record, after an edit too', async ({ expect }) => {
  const { operator, edit } = await setUp()
  await edit({
    emails: [{ value: 'b@karoo.co.za' }, { value: 'a@karoo.co.za' }],
    phones: [],
    domains: [{ value: 'b.co.za' }],
  })
  const { items } = (await operator.get<ListPage<unknown>>('/businesses')).body
  expect(items).toMatchObject([{ primaryEmail: 'b@karoo.co.za', primaryPhone: null, primaryDomain: 'b.co.za' }])
})

test('search follows an edit: the record is found by its new values, not by its old ones', async ({ expect }) => {
  const { operator, edit } = await setUp()
  const found = async (q: string) => (await operator.get<ListPage<unknown>>(`/businesses?q=${q}`)).body.items.length
  await edit({ name: 'Overberg Solar', emails: [{ value: 'info@overberg.co.za' }] })
  for (const [q, count] of [
    ['windpump', 0],
    ['a@karoo', 0],
    ['overberg', 1],
    ['info@over', 1],
    ['821234567', 1],
  ] as const)
    expect([q, await found(q)]).toEqual([q, count])
})

test('an emptied required field or an invalid value is refused at its path, and nothing changes', async ({
  expect,
}) => {
  const { t, edit } = await setUp()
  const wrong: [path: string, body: unknown][] = [
    ['name', { name: null, tradingName: null }],
    ['name', { name: ' ' }],
    ['emails', { emails: [{ value: 'a@b.co.za' }], tags: 'Farm' }],
    ['tags', { tags: ['a', 'A'] }],
    ['address.street', { address: { street: 'two\nlines' } }],
    ['version', { version: 7 }],
    ['status', { status: 'inactive' }],
    ['doNotContact', { doNotContact: null }],
    ['pipelineState', { pipelineState: 'won' }],
  ]
  const answers: Answer<Refusal>[] = []
  expect(
    await t.changes(async () => {
      for (const [, body] of wrong) answers.push(await edit(body))
    }),
  ).toEqual({})
  expect(answers.map(({ status, body }) => [status, body.errors?.at(-1)?.path])).toEqual(
    wrong.map(([path]) => [400, path === 'emails' ? 'tags' : path]),
  )
})

test('a new assignee must be a member; an unchanged one is not checked again', async ({ expect }) => {
  const { t, edit, assigneeId } = await setUp()
  for (const stranger of [t.tenants.other.users.operator.id, newId()]) {
    const answers: Answer<Refusal>[] = []
    expect(
      await t.changes(async () => {
        answers.push(await edit({ name: 'Changed', assigneeId: stranger }))
      }),
    ).toEqual({})
    expect(answers).toMatchObject([{ status: 422, body: { code: 'assignee_not_a_member' } }])
  }
  await t.store.write('upkeep', async (db) => {
    await db.updateTable('users').set({ status: 'disabled' }).where('id', '=', assigneeId).execute()
    return { keep: true, value: undefined }
  })
  const manager = await t.as('manager')
  const { items } = (await manager.get<ListPage<{ id: string }>>('/businesses')).body
  const path = `/businesses/${items[0]?.id}`
  expect((await manager.patch(path, { name: 'Changed', assigneeId }, { 'if-match': '"1"' })).status).toBe(200)
})

test('of two edits of the same version one gets the current version; none of its changes are written', async ({
  expect,
}) => {
  const { t, operator, path } = await setUp()
  const manager = await t.as('manager')
  const answers: Answer<Business & Refusal>[] = []
  expect(
    await t.changes(async () => {
      answers.push(
        ...(await Promise.all([
          operator.patch<Business & Refusal>(path, { name: 'By the operator' }, { 'if-match': '"1"' }),
          manager.patch<Business & Refusal>(path, { industry: 'By the manager' }, { 'if-match': '"1"' }),
        ])),
      )
    }),
  ).toMatchObject({ audit_events: 1 })
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
  expect(answers.find(({ status }) => status === 412)?.body).toMatchObject({
    code: 'version_conflict',
    currentVersion: 2,
  })
  const { body } = await operator.get<Business>(path)
  expect([body.name, body.industry]).toEqual(
    answers[0]?.status === 200 ? ['By the operator', original.industry] : [original.name, 'By the manager'],
  )
})

test('a move or a block makes an older version stale; evidence and notes do not', async ({ expect }) => {
  const { operator, business, path, edit } = await setUp()
  await operator.post(`${path}/notes`, { text: 'Called.' })
  expect((await edit({ industry: 'A' })).status).toBe(200)
  await moveTo(operator, business.id, 'contacted')
  expect(await edit({ industry: 'B' }, 2)).toMatchObject({ status: 412, body: { currentVersion: 3 } })
  await operator.post(`${path}/do-not-contact`, { reason: 'They asked.' })
  expect(await edit({ industry: 'B' }, 3)).toMatchObject({ status: 412, body: { currentVersion: 4 } })
  expect((await edit({ industry: 'B' }, 4)).status).toBe(200)
})
