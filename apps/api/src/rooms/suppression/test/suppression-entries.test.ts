import { sql } from 'kysely'
import { test } from 'vitest'
import type { Answer } from '../../../../test/build-app.ts'
import { createProspect, type Problem, type Refusal, walk } from '../../../../test/prospects.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { turnsDuring } from '../../../../test/turns.ts'
import {
  type BatchAnswer,
  type BusinessSuppression,
  limits,
  type PreviewLine,
  type Suppression,
} from '../suppression.schema.ts'

type Body = Record<string, unknown>

test('a preview counts each record once, however many of its values an entry matches', async ({ expect }) => {
  const { t, operator } = await suppressionWorld()
  await createProspect(operator, {
    domains: [{ value: 'karoo.co.za' }, { value: 'shop.karoo.co.za' }],
    emails: [{ value: 'jan@karoo.co.za' }, { value: 'piet@karoo.co.za' }],
  })
  const counted = async (domainScope: string) => {
    const asked = { lines: ['karoo.co.za'], domainScope }
    return (await operator.post<{ items: PreviewLine[] }>('/suppressions/batch-previews', asked)).body.items[0]?.records
  }
  expect([await counted('exact'), await counted('with_subdomains')]).toEqual([1, 1])
  const tenantId = t.tenants.home.id
  await t.store.write('upkeep', async (db) => {
    await sql`
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 400)
      INSERT INTO businesses (tenant_id, id, version, created_at, created_by, updated_at, name, name_key, tags, status, pipeline_state,
        do_not_contact, has_evidence, normalization_version)
      SELECT ${tenantId}, 'many ' || n, 1, '', '', '', '', '', '[]', 'active', 'new', 0, 0, '' FROM n`.execute(db)
    await sql`
      INSERT INTO suppression_record_keys (tenant, key, docid, of_evidence)
      SELECT t.number, 'h:za.co.karoo.@' || b.id || letter.value, b.docid, 0
      FROM businesses b JOIN tenants t ON t.id = b.tenant_id CROSS JOIN json_each('["a", "b", "c"]') letter WHERE b.id LIKE 'many %'`.execute(
      db,
    )
    return { keep: true, value: undefined }
  })
  expect(await counted('exact')).toBe(401)
})

test('a pasted batch does exactly what its preview said, line by line; the preview writes nothing', async ({
  expect,
}) => {
  const { t, operator, suppress, emailed } = await suppressionWorld()
  await emailed('jan@karoo.co.za')
  const blocked = await emailed('x@karoo-farms.co.za')
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'They asked.' })
  await suppress('stands@karoo.co.za')
  const lines = [
    'jan@karoo.co.za',
    '',
    'JAN+x@karoo.co.za',
    '082 123 4567',
    'co.za',
    'gmail.com',
    'karoo-farms.co.za',
    'stands@karoo.co.za',
    'what?',
  ]
  const previews: Answer<{ items: PreviewLine[]; records: number }>[] = []
  const changes = await t.changes(async () => {
    previews.push(await operator.post('/suppressions/batch-previews', { lines, region: 'ZA' }))
  })
  expect(changes).toEqual({})
  expect(previews[0]?.body.items.map(({ outcome, records }) => [outcome, records])).toEqual([
    ['would_add', 1],
    ['empty', null],
    ['repeated', null],
    ['would_add', 0],
    ['refused', null],
    ['refused', null],
    ['would_add', 1],
    ['stands_already', 0],
    ['refused', null],
  ])
  // A prospect that is do not contact already is not counted.
  expect(previews[0]?.body.records).toBe(1)
  const { status, body } = await operator.post<BatchAnswer>('/suppressions/batches', {
    lines,
    region: 'ZA',
    reason: 'A list.',
    channel: 'registry',
  })
  expect([status, body.added, body.marked]).toEqual([201, 3, 2])
  expect(body.items.map(({ outcome }) => outcome)).toEqual([
    'added',
    'empty',
    'repeated',
    'added',
    'refused',
    'refused',
    'added',
    'stood_already',
    'refused',
  ])
  expect(body.items.filter(({ outcome }) => outcome === 'refused').every(({ message }) => message?.endsWith('.'))).toBe(
    true,
  )
})

test('a value that would block nobody or everybody, an expiry or a future time is refused with a sentence, and nothing changes', async ({
  expect,
}) => {
  const { t, operator, suppress } = await suppressionWorld()
  const wrong: [string, Body, string][] = [
    ['co.za', { kind: 'domain' }, 'value'],
    ['gmail.com', { kind: 'domain', scope: 'with_subdomains' }, 'value'],
    ['nonsense', { kind: 'phone' }, 'value'],
    ['jan@karoo.co.za', { reason: undefined }, 'reason'],
    ['jan@karoo.co.za', { channel: 'pigeon' }, 'channel'],
    ['jan@karoo.co.za', { expiresAt: '2027-01-01T00:00:00Z' }, 'expiresAt'],
    ['jan@karoo.co.za', { requestedAt: '2030-01-01T00:00:00Z' }, 'requestedAt'],
    [`${'x'.repeat(limits.valueLength)}@karoo.co.za`, {}, 'value'],
    ['jan@karoo.co.za', { reason: 'x'.repeat(limits.reasonLength + 1) }, 'reason'],
    ['jan@karoo.co.za', { requestedBy: 'x'.repeat(limits.requestedByLength + 1) }, 'requestedBy'],
    ['jan@karoo.co.za', { reference: 'x'.repeat(limits.referenceLength + 1) }, 'reference'],
  ]
  const many = (length: number) => Array.from({ length }, () => 'jan@karoo.co.za')
  const batch = { lines: ['jan@karoo.co.za'], reason: 'A list.', channel: 'registry' }
  const wrongLists: [path: string, body: Body, field: string][] = [
    ['batches', { ...batch, expiresAt: '2027-01-01T00:00:00Z' }, 'expiresAt'],
    ['batches', { ...batch, requestedAt: '2030-01-01T00:00:00Z' }, 'requestedAt'],
    ['batches', { ...batch, lines: many(limits.batchLines + 1) }, 'lines'],
    ['batch-previews', { lines: many(limits.batchLines + 1) }, 'lines'],
    ['checks', { values: many(limits.checkedValues + 1).map((value) => ({ kind: 'email', value })) }, 'values'],
  ]
  const seen: unknown[] = []
  const changes = await t.changes(async () => {
    for (const [value, more] of wrong) {
      const { status, body } = await suppress(value, more)
      seen.push([status, body.errors?.[0]?.path])
    }
    for (const [path, sent] of wrongLists) {
      const { status, body } = await operator.post<Refusal>(`/suppressions/${path}`, sent)
      seen.push([status, body.errors?.[0]?.path])
    }
  })
  expect(changes).toEqual({})
  expect(seen).toEqual([...wrong, ...wrongLists].map(([, , path]) => [400, path]))
})

test('a check returns the matching entry of each value, and an entry of another tenant matches nothing', async ({
  expect,
}) => {
  const { t, operator, suppress } = await suppressionWorld()
  const { body } = await suppress('karoo.co.za', { kind: 'domain' })
  const ask = {
    values: [
      { kind: 'email', value: 'x@karoo.co.za' },
      { kind: 'email', value: 'x@elsewhere.co.za' },
    ],
  }
  type Check = { items: { suppressed: boolean; suppressions: Suppression[] }[] }
  const here = (await operator.post<Check>('/suppressions/checks', ask)).body
  expect(here.items).toMatchObject([
    { suppressed: true, suppressions: [{ id: body.suppression.id }] },
    { suppressed: false },
  ])
  const there = (await (await t.as('operator', 'other')).post<Check>('/suppressions/checks', ask)).body
  expect(there.items.map(({ suppressed }) => suppressed)).toEqual([false, false])
})

test('a search finds an entry by any form, and a domain finds the entries below it', async ({ expect }) => {
  const { operator, suppress } = await suppressionWorld()
  const { body: address } = await suppress('jan@mail.karoo.co.za')
  const { body: domain } = await suppress('karoo.co.za', { kind: 'domain', scope: 'with_subdomains' })
  const { body: phone } = await suppress('+27 82 123 4567', { kind: 'phone' })
  const found = async (q: string) =>
    (await walk<Suppression>(operator, `/suppressions?q=${encodeURIComponent(q)}`)).map(({ id }) => id)
  expect(await found('082 123 4567')).toEqual([phone.suppression.id])
  expect(await found('Jan <JAN@mail.karoo.co.za>')).toEqual([domain.suppression.id, address.suppression.id])
  expect(await found('https://karoo.co.za/contact')).toEqual([domain.suppression.id, address.suppression.id])
  expect(await found('x@karoo.co.za')).toEqual([domain.suppression.id])
  expect(await found('elsewhere')).toEqual([])
  // A search for a part of a value finds nothing.
  for (const part of ['jan@mail', 'jan@mail.karoo', '82 123 456', 'aroo.co.za'])
    expect(await found(part), part).toEqual([])
})

test('numbers of the country of the tenant are found in local form, once an entry is for one of them', async ({
  expect,
}) => {
  const { operator, administrator, suppress } = await suppressionWorld()
  const { body: phone } = await suppress('(847) 488-9988', { kind: 'phone', region: 'US' })
  expect(phone.suppression).toMatchObject({ normalized: '+18474889988', region: 'US' })
  const found = async (q: string) =>
    (await walk<Suppression>(operator, `/suppressions?q=${encodeURIComponent(q)}`)).map(({ id }) => id)
  expect(await found('+1 847 488 9988')).toEqual([phone.suppression.id])
  expect((await administrator.patch('/tenant', { country: 'US' }, { 'if-match': '"1"' })).status).toBe(200)
  expect(await found('847.488.9988')).toEqual([phone.suppression.id])
})

test('by pages, each entry that ever matched a record is listed once, active ones first', async ({ expect }) => {
  const { operator, suppress, remove } = await suppressionWorld()
  const emails = ['a', 'b', 'c', 'd'].map((who) => ({ value: `${who}@karoo.co.za` }))
  const { id } = await createProspect(operator, { emails })
  const entries: string[] = []
  for (const { value } of emails) entries.push((await suppress(value)).body.suppression.id)
  const [a = '', b, c, d = ''] = entries
  for (const ended of [a, d]) expect((await remove(ended)).status).toBe(200)
  const told = await walk<BusinessSuppression>(operator, `/businesses/${id}/suppressions`, 1)
  expect(told.map(({ live, suppression }) => [live, suppression.id])).toEqual([
    [true, c],
    [true, b],
    [false, d],
    [false, a],
  ])
})

test('between the values of a check other requests are served', async ({ expect }) => {
  const { operator } = await suppressionWorld()
  const values = Array.from({ length: 100 }, (_, at) => ({ kind: 'email', value: `a${at}@b.co c@d.co e@f.co` }))
  const turns = await turnsDuring(async () => {
    expect((await operator.post<{ items: unknown[] }>('/suppressions/checks', { values })).body.items).toHaveLength(100)
  })
  expect(turns).toBeGreaterThanOrEqual(100)
})

test('a pasted line of several values is refused', async ({ expect }) => {
  const { operator } = await suppressionWorld()
  const numbers = ['082 555 0199 / 011 555 0123', '082 555 0199 011 555 0123']
  const lines = ['021 555 0145; spaza.co.za', 'what; is this', 'spaza.co.za;', ...numbers, '082555 0', '011 555 0122/3']
  const { body } = await operator.post<{ items: PreviewLine[] }>('/suppressions/batch-previews', {
    lines,
    region: 'ZA',
  })
  expect(body.items.map(({ message }) => message)).toEqual([
    expect.stringContaining('several values'),
    expect.stringContaining('no email address, phone number or domain'),
    null,
    ...numbers.map(() => expect.stringContaining('several values')),
    expect.not.stringContaining('several'),
    expect.stringContaining('several values'),
  ])
  const entry = { kind: 'phone', value: numbers[1], region: 'ZA', reason: 'They asked.', channel: 'phone' }
  expect((await operator.post<Problem>('/suppressions', entry)).body.errors).toMatchObject([
    { code: 'several_numbers' },
  ])
})

test('an entry for a host with an unknown ending needs a confirmation, which a batch has for all of its lines', async ({
  expect,
}) => {
  const { operator } = await suppressionWorld()
  const entry = { kind: 'email', value: 'jan@karoo.lan', reason: 'They asked.', channel: 'letter' }
  const refused = await operator.post('/suppressions', entry)
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    errors: [{ path: 'value', code: 'unknown_suffix', message: expect.stringContaining('acceptUnknownSuffix') }],
  })
  expect((await operator.post('/suppressions', { ...entry, acceptUnknownSuffix: true })).status).toBe(201)
  const pasted = { lines: ['piet@vlei.lan', 'ann@karoo.co.za'], region: 'ZA' }
  const preview = await operator.post<{ items: PreviewLine[] }>('/suppressions/batch-previews', pasted)
  expect(preview.body.items).toMatchObject([
    { outcome: 'refused', code: 'unknown_suffix' },
    { outcome: 'would_add', code: null },
  ])
  const all = { ...pasted, acceptUnknownSuffix: true }
  const confirmed = await operator.post<{ items: PreviewLine[] }>('/suppressions/batch-previews', all)
  expect(confirmed.body.items).toMatchObject([{ outcome: 'would_add' }, { outcome: 'would_add' }])
})

test('a check names the part of each value that an entry matches, and how it was read', async ({ expect }) => {
  const { operator } = await suppressionWorld()
  const entry = { kind: 'phone', value: '+27827654321', reason: 'They asked.', channel: 'letter' }
  expect((await operator.post('/suppressions', entry)).status).toBe(201)
  const values = [
    { kind: 'phone', value: '082 765 4321 (8-17)', region: 'ZA' },
    { kind: 'domain', value: 'https://host.com/?tel=%2B27827654321' },
    { kind: 'phone', value: '082 765 4322 (8-17)', region: 'ZA' },
  ]
  const { body } = await operator.post<{ items: unknown[] }>('/suppressions/checks', { values })
  expect(body.items).toMatchObject([
    { suppressed: true, found: [{ text: '082 765 4321', read: 'plain' }] },
    { suppressed: true, found: [{ text: '%2B27827654321', read: 'decoded' }] },
    { suppressed: false, found: [] },
  ])
})
