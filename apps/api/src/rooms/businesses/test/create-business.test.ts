import { test } from 'vitest'
import { type Answer, buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { createProspect, type ListPage, type Problem, type Refusal } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { type Business, limits, type PossibleDuplicate } from '../businesses.schema.ts'
import { facts } from '../record/facts.data.ts'

type Created = Business & { possibleDuplicates: PossibleDuplicate[] }

async function setUp() {
  const t = await buildTestApp()
  return { t, operator: await t.as('operator') }
}

/** Sends requests that must be refused and checks that nothing changes. */
async function refusals(t: TestApp, bodies: readonly unknown[]): Promise<Problem[]> {
  const operator = await t.as('operator')
  const problems: Problem[] = []
  const changes = await t.changes(async () => {
    for (const body of bodies) problems.push((await operator.post<Problem>('/businesses', body)).body)
  })
  if (Object.keys(changes).length > 0) throw new Error(`Refused creations changed ${JSON.stringify(changes)}`)
  return problems
}

const whole = {
  name: ' Ünïque  Karoo “Windpumps” (Pty) Ltd 🙂 ',
  tradingName: 'Karoo Pumps',
  registrationNumber: '2015/123456/07',
  employees: 42,
  industry: 'Irrigation',
  emails: [{ value: 'Sales@Karoo.CO.ZA', label: 'Sales' }, { value: 'not an address' }],
  phones: [
    { value: '082 123 4567', region: 'ZA', label: 'Owner' },
    { value: '049 892 0000' },
    { value: '+27 (0)49 892 0001' },
    { value: 'ask at the gate' },
  ],
  domains: [{ value: 'https://www.Karoo.co.za/contact' }, { value: 'münchen.example' }, { value: 'nonsense' }],
  address: {
    street: '12 Kerkstraat',
    suburb: 'Dorp',
    city: 'Graaff-Reinet',
    province: 'Oos-Kaap',
    postalCode: '6280',
    country: 'Suid-Afrika',
  },
  tags: [' Farm ', 'Wind'],
}

test('a prospect is stored exactly as typed with its normalized identifiers, recorded, and nothing else changes', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const { users } = t.tenants.home
  const answers: Answer<Created>[] = []
  const changes = await t.changes(async () => {
    answers.push(await operator.post<Created>('/businesses', { ...whole, assigneeId: users.manager.id }))
  })
  expect(changes).toEqual({
    businesses: 1,
    business_identifiers: 9,
    business_tags: 2,
    business_tag_counts: 2,
    business_counts: 1,
    business_search_pending: 1,
    business_name_keys: 2,
    suppression_record_keys: 10,
    audit_events: 1,
  })
  const [answer] = answers
  const id = answer?.body.id
  expect(answer).toMatchObject({ status: 201, headers: { location: `/api/v1/businesses/${id}`, etag: '"1"' } })
  const expected = {
    id: expect.any(String),
    version: 1,
    createdAt: t.clock().toISOString(),
    updatedAt: t.clock().toISOString(),
    createdBy: { kind: 'user', id: users.operator.id, name: users.operator.name },
    name: whole.name,
    tradingName: whole.tradingName,
    registrationNumber: whole.registrationNumber,
    industry: whole.industry,
    employees: whole.employees,
    callCountry: 'ZA',
    emails: [
      { value: 'Sales@Karoo.CO.ZA', label: 'Sales', normalized: 'sales@karoo.co.za', uncertainty: null },
      { value: 'not an address', label: null, normalized: null, uncertainty: 'not_an_email_address' },
    ],
    phones: [
      { value: '082 123 4567', label: 'Owner', region: 'ZA', normalized: '+27821234567', uncertainty: null },
      { value: '049 892 0000', label: null, region: null, normalized: null, uncertainty: 'no_country_context' },
      { value: '+27 (0)49 892 0001', label: null, region: null, normalized: '+27498920001', uncertainty: null },
      { value: 'ask at the gate', label: null, region: null, normalized: null, uncertainty: 'not_a_phone_number' },
    ],
    domains: [
      { value: 'https://www.Karoo.co.za/contact', label: null, normalized: 'karoo.co.za', uncertainty: null },
      { value: 'münchen.example', label: null, normalized: 'xn--mnchen-3ya.example', uncertainty: null },
      { value: 'nonsense', label: null, normalized: null, uncertainty: 'single_label' },
    ],
    address: whole.address,
    provinceCode: 'EC',
    placeDoubts: [],
    tags: ['Farm', 'Wind'],
    assignee: { id: users.manager.id, name: users.manager.name },
    status: 'active',
    mergedInto: null,
    deactivatedAt: null,
    isNameKnown: true,
    lastInteractionAt: null,
    followUpOn: null,
    pipelineState: 'new',
    stateBeforePause: null,
    doNotContact: null,
    valuesHidden: false,
    erasedAt: null,
    normalizationVersion: expect.any(String),
  }
  expect(answer?.body).toEqual({ ...expected, possibleDuplicates: [] })
  expect((await operator.get(`/businesses/${id}`)).body).toEqual(expected)
  const [event] = (await operator.get<ListPage<AuditEvent>>(`/businesses/${id}/activity`)).body.items
  expect(event).toMatchObject({
    action: 'business.create',
    subject: { type: 'business', id },
    businessId: id,
    actor: { kind: 'user', id: users.operator.id },
    before: null,
    after: { name: whole.name, registrationNumber: whole.registrationNumber, address: whole.address },
    correlationId: answer?.headers['x-request-id'],
  })
})

test('a prospect needs only a name', async ({ expect }) => {
  const { t, operator } = await setUp()
  expect(await t.changes(() => operator.post('/businesses', { name: 'X' }))).toEqual({
    businesses: 1,
    business_counts: 1,
    business_search_pending: 1,
    business_name_keys: 1,
    audit_events: 1,
  })
})

test('a local number is read by the country that is sent with it; without one it stays as typed, whatever the country of the tenant', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const administrator = await t.as('administrator')
  expect((await administrator.patch('/tenant', { country: 'US' }, { 'if-match': '"1"' })).status).toBe(200)
  const phones = [
    { value: '(847) 488-9988', region: 'US' },
    { value: '020 7946 0958', region: 'GB' },
    { value: '(847) 488-9988' },
    { value: '082 123 4567' },
  ]
  const { body } = await operator.post<Business>('/businesses', { name: 'X', phones })
  expect(body.phones.map(({ region, normalized, uncertainty }) => [region, normalized ?? uncertainty])).toEqual([
    ['US', '+18474889988'],
    ['GB', '+442079460958'],
    [null, 'no_country_context'],
    [null, 'no_country_context'],
  ])
})

test('a property that is missing, too long, too many or of the wrong type is refused at its path, and nothing changes', async ({
  expect,
}) => {
  const { t } = await setUp()
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))
  const wrong: [path: string, body: Record<string, unknown>][] = [
    ['name', {}],
    ['name', { name: null }],
    ['name', { name: '' }],
    ['name', { name: ' \u00a0 ' }],
    ['name', { name: 'two\nlines' }],
    ['name', { name: 'null \u0000' }],
    ['name', { name: 'x'.repeat(limits.nameLength + 1) }],
    ['tradingName', { name: 'X', tradingName: '' }],
    ['registrationNumber', { name: 'X', registrationNumber: 'x'.repeat(facts.registrationNumber.maxLength + 1) }],
    ['industry', { name: 'X', industry: 7 }],
    ['emails', { name: 'X', emails: 'a@b.co.za' }],
    ['emails', { name: 'X', emails: many(limits.identifiersOfAKind + 1, () => ({ value: 'a@b.co.za' })) }],
    ['emails.0', { name: 'X', emails: ['a@b.co.za'] }],
    ['emails.1.value', { name: 'X', emails: [{ value: 'a@b.co.za' }, { value: '' }] }],
    ['emails.0.region', { name: 'X', emails: [{ value: 'a@b.co.za', region: 'ZA' }] }],
    ['phones.0.region', { name: 'X', phones: [{ value: '1', region: 'South Africa' }] }],
    ['phones.0.region', { name: 'X', phones: [{ value: '1', region: 'UK' }] }],
    ['domains.0.label', { name: 'X', domains: [{ value: 'a.co.za', label: 'x'.repeat(limits.labelLength + 1) }] }],
    ['address.planet', { name: 'X', address: { planet: 'Earth' } }],
    ['address.city', { name: 'X', address: { city: '' } }],
    ['tags', { name: 'X', tags: many(limits.tags + 1, (index) => `tag ${index}`) }],
    ['tags.0', { name: 'X', tags: ['x'.repeat(limits.tagLength + 1)] }],
    // This character becomes two in its stored form.
    ['tags.0', { name: 'X', tags: ['\u0958'.repeat(limits.tagLength)] }],
    ['assigneeId', { name: 'X', assigneeId: 7 }],
    ['status', { name: 'X', status: 'merged' }],
    ['pipelineState', { name: 'X', pipelineState: 'won' }],
    ['doNotContact', { name: 'X', doNotContact: false }],
    ['id', { name: 'X', id: newId() }],
    ['tenantId', { name: 'X', tenantId: newId() }],
  ]
  const problems = await refusals(
    t,
    wrong.map(([, body]) => body),
  )
  expect(problems.map(({ status, code, errors }) => [status, code, errors?.[0]?.path])).toEqual(
    wrong.map(([path]) => [400, 'invalid_request', path]),
  )
})

test.for([[['Farm', 'farm']], [['Farm', ' FARM ']], [['Plaas', 'Café', 'CAFE\u0301']]] as const)(
  'tags that differ only in case, surrounding spaces or encoding are one tag, so %j is refused',
  async ([tags], { expect }) => {
    const { t } = await setUp()
    expect(await refusals(t, [{ name: 'X', tags }])).toMatchObject([
      { status: 400, errors: [{ path: 'tags', message: 'Each tag once.' }] },
    ])
  },
)

test('a tag in another case is the same tag: listed once with its count, found in either case case', async ({
  expect,
}) => {
  const { operator } = await setUp()
  await createProspect(operator, { tags: ['Café', 'Wind'] })
  await createProspect(operator, { tags: ['CAFÉ'] })
  const tags = async (query: string) =>
    (await operator.get<ListPage<{ tag: string; count: number }>>(`/businesses/tags${query}`)).body.items
  expect(await tags('')).toEqual([
    { tag: 'Café', count: 2 },
    { tag: 'Wind', count: 1 },
  ])
  expect(await tags('?prefix=cA')).toEqual([{ tag: 'Café', count: 2 }])
  expect(await tags(`?prefix=${encodeURIComponent('CAFE\u0301')}`)).toEqual([{ tag: 'Café', count: 2 }])
  for (const tag of ['café', 'CAFE\u0301', ' Café ']) {
    const { items } = (await operator.get<ListPage<unknown>>(`/businesses?tag=${encodeURIComponent(tag)}`)).body
    expect([tag, items.length]).toEqual([tag, 2])
  }
})

test('an assignee must be an active member of the tenant; otherwise nothing is written', async ({ expect }) => {
  const { t } = await setUp()
  const { home, other } = t.tenants
  await t.store.write('upkeep', async (db) => {
    const { id } = home.users.viewer
    await db.updateTable('users').set({ status: 'disabled' }).where('id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  const strangers = [other.users.operator.id, home.users.viewer.id, newId(), 'nobody', home.id]
  const problems = await refusals(
    t,
    strangers.map((assigneeId) => ({ name: 'X', assigneeId })),
  )
  for (const problem of problems)
    expect(problem).toMatchObject({
      status: 422,
      code: 'assignee_not_a_member',
      errors: [{ path: 'assigneeId', code: 'assignee_not_a_member' }],
    })
})

test('two identical prospects may exist: the same request without a key creates both', async ({ expect }) => {
  const { t, operator } = await setUp()
  const body = { name: 'Twin', emails: [{ value: 'twin@karoo.co.za' }] }
  expect(
    await t.changes(() => Promise.all([operator.post('/businesses', body), operator.post('/businesses', body)])),
  ).toMatchObject({
    businesses: 2,
    audit_events: 2,
  })
})

test('concurrent requests with the same key create one prospect; the other request must wait or gets the same response', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const ask = () => operator.post<Created & Refusal>('/businesses', { name: 'Once' }, { 'idempotency-key': 'once' })
  const answers: Answer<Created & Refusal>[] = []
  expect(
    await t.changes(async () => {
      answers.push(...(await Promise.all([ask(), ask(), ask()])))
    }),
  ).toMatchObject({ businesses: 1, audit_events: 1, idempotency_keys: 1 })
  const [created, ...others] = answers.toSorted((a, b) => a.status - b.status)
  expect(created?.status).toBe(201)
  for (const { status, body } of others) {
    if (status === 201) expect(body.id).toBe(created?.body.id)
    else expect([status, body.code]).toEqual([409, 'idempotency_in_progress'])
  }
})
