import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type Problem, type Refusal, walk } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { hiddenFieldLimits } from '../../../hidden-fields-gate.ts'
import { followDomains } from '../candidates/domain-follower.ts'
import type { Observation } from '../dns/dns.schema.ts'
import type { DomainDetail } from '../list/domains.schema.ts'

const seen = {
  name: 'Shop.Karoo.co.za',
  kind: 'MX',
  status: 'resolved',
  records: [{ kind: 'MX', preference: 10, exchange: 'mail.karoo.co.za', ttl: 3_600 }],
  source: '10.0.0.53',
  observedAt: '2026-11-20T09:00:00Z',
}

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const record = (changes: object = {}) =>
    operator.post<Observation & Refusal>('/dns-observations', { ...seen, ...changes })
  return { t, operator, record }
}

test('an observation is stored as the person read it, with its domain, versions and freshness', async () => {
  const { t, record } = await setUp()
  const at = t.clock().toISOString()
  const changes = await t.changes(async () => {
    const { status, body } = await record({ observedAt: at, raw: 'the pasted text' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'shop.karoo.co.za',
      domain: 'karoo.co.za',
      status: 'resolved',
      origin: 'operator',
      ttl: 3_600,
      freshness: { state: 'fresh', until: new Date(Date.parse(at) + 3_600_000).toISOString() },
      uncertainty: ['operator_supplied'],
      rawState: 'kept',
      doNotContact: false,
    })
  })
  expect(changes).toEqual({ dns_observations: 1, domain_names: 1, audit_events: 1 })
  t.clock.advance(3_600_000)
  const { body } = await (await t.as('viewer')).get<{ items: Observation[] }>('/dns-observations')
  expect(body.items[0]).toMatchObject({ freshness: { state: 'stale' }, uncertainty: ['operator_supplied', 'stale'] })
})

test.for([
  [{ ttl: 90_000, records: [{ ...seen.records[0], ttl: 90_000 }] }, 86_400],
  [{ records: [{ ...seen.records[0], ttl: 2 ** 31 - 1 }], ttl: 2 ** 32 - 1 }, 0],
  [{ status: 'nxdomain', records: [], ttl: 86_400 }, 10_800],
  [{ status: 'no_data', records: [] }, null],
  [{ status: 'servfail', records: [], ttl: 600 }, null],
  [{ status: 'timeout', records: [], ttl: 600 }, null],
] as const)('TTLs are bounded by the RFCs, number %#', async ([changes, ttl], { expect }) => {
  const { record } = await setUp()
  expect((await record(changes)).body).toMatchObject({ ttl })
})

test.for([
  [{ name: '127.1' }, 422, 'domain_not_resolvable', 'ip_literal'],
  [{ name: 'co.za' }, 422, 'domain_not_resolvable', 'public_suffix'],
  [{ name: 'localhost' }, 422, 'domain_not_resolvable', 'localhost'],
  [{ status: 'resolved', records: [] }, 400, 'invalid_request', 'status_differs'],
  [{ kind: 'NS' }, 400, 'invalid_request', 'other_kind'],
  [{ status: 'error', records: [] }, 400, 'invalid_request', 'status_differs'],
  [{ status: 'pending', records: [] }, 400, 'invalid_request', 'invalid_value'],
  [{ status: 'not_checked', records: [] }, 400, 'invalid_request', 'invalid_value'],
  [{ observedAt: '2099-01-01T00:00:00Z' }, 400, 'invalid_request', 'in_future'],
  [{ raw: 'x'.repeat(16_385) }, 400, 'invalid_request', 'too_big'],
] as const)(
  'what no question can have shown is refused and stores nothing, number %#',
  async ([changes, status, code, field], { expect }) => {
    const { t, record } = await setUp()
    const written = await t.changes(async () => {
      const { status: answered, body } = await record(changes)
      expect([answered, body.code, body.errors?.[0]?.code]).toEqual([status, code, field])
    })
    expect(written).toEqual({})
  },
)

test('observations are listed newest first by domain, kind and status, and another tenant sees none', async () => {
  const { t, operator, record } = await setUp()
  await record()
  await record({ kind: 'NS', status: 'no_data', records: [] })
  await record({ name: 'other.co.za', status: 'nxdomain', records: [] })
  const list = async (query: string) =>
    (await walk<Observation>(operator, `/dns-observations${query}`)).map(({ status }) => status)
  expect(await list('')).toEqual(['nxdomain', 'no_data', 'resolved'])
  expect(await list('?domain=www.karoo.co.za')).toEqual(['no_data', 'resolved'])
  expect(await list('?kind=MX&status=nxdomain')).toEqual(['nxdomain'])
  expect(await list('?name=shop.karoo.co.za&kind=NS')).toEqual(['no_data'])
  expect(await list('?name=www.karoo.co.za')).toEqual([])
  expect(await list('?name=shop.karoo.co.za&domain=other.co.za')).toEqual([])
  expect((await operator.get('/dns-observations?domain=localhost')).status).toBe(422)
  expect((await operator.get('/dns-observations?name=localhost')).status).toBe(422)
  expect(await walk(await t.as('administrator', 'other'), '/dns-observations')).toEqual([])
})

test('a domain shows the observed names below it with their newest results, and says if there are more', async () => {
  const { t, operator, record } = await setUp()
  await record({ name: 'karoo.co.za' })
  await record({ name: 'shop.karoo.co.za', status: 'no_data', records: [] })
  t.clock.advance(60_000)
  await record({ name: 'shop.karoo.co.za', status: 'nxdomain', records: [] })
  const read = async () => (await operator.get<DomainDetail>('/domains/karoo.co.za')).body
  const { otherNames, hasMoreNames } = await read()
  expect(otherNames).toMatchObject([
    {
      name: 'shop.karoo.co.za',
      observations: 2,
      statuses: [
        { kind: 'MX', status: 'nxdomain', state: 'stale' },
        { status: 'not_checked' },
        { status: 'not_checked' },
      ],
    },
  ])
  expect(hasMoreNames).toBe(false)
  for (let n = 0; n < 50; n++) await record({ name: `n${n}.karoo.co.za` })
  const more = await read()
  expect([more.otherNames.length, more.hasMoreNames]).toEqual([50, true])
})

const headerOf = (status: string, answers: number) =>
  `;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 1\n;; flags: qr rd ra; QUERY: 1, ANSWER: ${answers}, AUTHORITY: 0, ADDITIONAL: 0\n`

test('an answer that the pasted text does not show is not recorded as the absence of records', async ({ expect }) => {
  const { t, record } = await setUp()
  const question = ';; QUESTION SECTION:\n;shop.karoo.co.za. IN MX\n'
  const none = { status: 'no_data', records: [] }
  const unread = { ...none, raw: headerOf('NOERROR', 3) + question }
  const written = await t.changes(async () => {
    const { status, body } = await record(unread)
    expect([status, body.errors]).toMatchObject([400, [{ path: 'status', code: 'not_in_text' }]])
    expect((await record({ ...unread, status: 'nxdomain' })).status).toBe(400)
  })
  expect(written).toEqual({})
  expect((await record({ ...unread, status: 'error', errorReason: 'incomplete' })).status).toBe(201)
  expect((await record({ ...none, raw: headerOf('NOERROR', 0) + question })).status).toBe(201)
  expect((await record({ ...none, raw: 'The form of the provider said: no records.' })).status).toBe(201)
  expect((await record(none)).status).toBe(201)
})

test('an answer that was not read whole is stored as partial', async ({ expect }) => {
  const { record } = await setUp()
  expect((await record({ isPartial: true })).body).toMatchObject({ isPartial: true, isTruncated: false })
  expect((await record({ isPartial: true, status: 'no_data', records: [] })).status).toBe(400)
})

test('names with underscores are recorded under the domain that holds them', async ({ expect }) => {
  const { operator, record } = await setUp()
  const records = [{ kind: 'TXT', text: 'v=DMARC1; p=none', isEscaped: false, ttl: 60 }]
  for (const name of ['_dmarc.Karoo.co.za', 'sel._domainkey.karoo.co.za'])
    expect((await record({ name, kind: 'TXT', records })).body).toMatchObject({
      name: name.toLowerCase(),
      domain: 'karoo.co.za',
    })
  expect((await record({ name: '_karoo.co.za', kind: 'TXT', records })).status).toBe(422)
  expect(await walk(operator, '/dns-observations?domain=_dmarc.karoo.co.za')).toHaveLength(2)
})

test('reading a pasted text stores nothing, and more than 16 KiB are refused', async () => {
  const { t, operator } = await setUp()
  const changes = await t.changes(async () => {
    const { status, body } = await operator.post<{ cards: object[] }>('/dns-observations/readings', {
      text: `${headerOf('NXDOMAIN', 0)};; QUESTION SECTION:\n;karoo.co.za. IN MX\n`,
    })
    expect([status, body.cards]).toMatchObject([200, [{ observation: { name: 'karoo.co.za', status: 'nxdomain' } }]])
    const refused = await operator.post<Problem>('/dns-observations/readings', { text: 'ü'.repeat(8_193) })
    expect([refused.status, refused.body]).toMatchObject([
      413,
      { code: 'too_large', limit: 'dns_text', size: 16_386, max: 16_384 },
    ])
  })
  expect(changes).toEqual({})
})

test('a pasted text is deleted after the retention class of manual references, and the observation stays', async () => {
  const { t, operator, record } = await setUp()
  const secret = 'pasted by a person'
  await record({ raw: secret })
  await upkeepOf('domains', t.store)
  const states = async () => (await walk<Observation>(operator, '/dns-observations')).map(({ rawState }) => rawState)
  expect(await states()).toEqual(['kept'])
  t.clock.advance(180 * 86_400_000)
  const member = t.tenants.home.users.viewer
  const reader = t.withSession(await t.startSession({ tenantId: t.tenants.home.id, userId: member.id, role: 'viewer' }))
  await upkeepOf('domains', t.store)
  expect((await walk<Observation>(reader, '/dns-observations')).map(({ rawState }) => rawState)).toEqual(['deleted'])
  const rows = await t.store.reader.selectFrom('dns_observations').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('a suppressed domain is marked do not contact in every answer', async () => {
  const { t, operator, record } = await setUp()
  const manager = await t.as('manager')
  const entry = {
    kind: 'domain',
    value: 'karoo.co.za',
    scope: 'with_subdomains',
    reason: 'They asked.',
    channel: 'phone',
  }
  expect((await manager.post('/suppressions', entry)).status).toBe(201)
  expect((await record()).body).toMatchObject({ doNotContact: true })
  expect((await walk<Observation>(operator, '/dns-observations'))[0]).toMatchObject({ doNotContact: true })
})

test('the store refuses to change or delete an observation', async () => {
  const { t, record } = await setUp()
  await record({ raw: 'text' })
  for (const changed of [{ status: 'nxdomain' }, { name: 'b.example' }, { records: '[]' }, { raw: 'other' }] as const)
    await expect(
      t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
        await db.updateTable('dns_observations').set(changed).execute()
        return { keep: true, value: null }
      }),
    ).rejects.toThrow()
  await expect(
    t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
      await db.deleteFrom('dns_observations').execute()
      return { keep: true, value: null }
    }),
  ).rejects.toThrow()
})

test('a viewer does not see the records of another domain that a do not contact record has, nor long TXT records', async () => {
  const { t, operator, record } = await setUp()
  const viewer = await t.as('viewer')
  const { id } = await createProspect(operator, { domains: [{ value: 'vlei.co.za' }] })
  await followDomains(t.store)
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const txt = (text: string) => ({ kind: 'TXT', records: [{ kind: 'TXT', text, isEscaped: false, ttl: 60 }] })
  await record({ records: [{ ...seen.records[0], exchange: 'mail.vlei.co.za' }, ...seen.records] })
  await record(txt('v=DMARC1; rua=mailto:jan@vlei.co.za'))
  await record(txt('a'.repeat(hiddenFieldLimits.textLength + 1)))
  await record(txt('a'.repeat(hiddenFieldLimits.textLength)))
  const shown = async (client: typeof viewer) =>
    (await client.get<{ items: Observation[] }>('/dns-observations')).body.items.map(({ records }) =>
      records.map((one) => (one.kind === 'MX' ? one.exchange : one.kind === 'TXT' ? one.text.slice(0, 3) : one.host)),
    )
  expect(await shown(viewer)).toEqual([['aaa'], ['•••'], ['•••'], ['•••', 'mail.karoo.co.za']])
  expect(await shown(operator)).toEqual([['aaa'], ['aaa'], ['v=D'], ['mail.vlei.co.za', 'mail.karoo.co.za']])
})
