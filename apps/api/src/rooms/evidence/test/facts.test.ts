import { test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { addEvidenceTo, createProspect } from '../../../../test/prospects.ts'
import { turnsDuring } from '../../../../test/turns.ts'
import { newId } from '../../../lib/ids.ts'
import { memberActor } from '../../identity/identity.ts'
import { type Fact, limits } from '../evidence.schema.ts'
import { listFacts } from '../evidence.ts'

const record = {
  name: 'Karoo Windpumps (Pty) Ltd',
  tradingName: 'Karoo Pumps',
  emails: [{ value: 'Sales@Karoo.co.za' }, { value: 'info@karoo.co.za' }],
  phones: [{ value: '082 123 4567', region: 'ZA' }],
  domains: [{ value: 'https://www.karoo.co.za/' }],
  address: { city: 'Graaff-Reinet', province: 'Eastern Cape' },
}

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, record)
  return { t, operator, id }
}

async function factsOf(client: TestClient, id: string): Promise<Fact[]> {
  return (await client.get<{ items: Fact[] }>(`/businesses/${id}/facts`)).body.items
}

async function factOf(client: TestClient, id: string, field: string, value?: string): Promise<Fact | undefined> {
  return (await factsOf(client, id)).find(
    (fact) => fact.field === field && (value === undefined || fact.value === value),
  )
}

test('lists every value of the record as typed, unsupported until there is evidence', async ({ expect }) => {
  const { operator, id } = await setUp()
  await addEvidenceTo(operator, id)
  const facts = await factsOf(operator, id)
  expect(facts.map(({ field, value }) => [field, value])).toEqual([
    ['name', 'Karoo Windpumps (Pty) Ltd'],
    ['tradingName', 'Karoo Pumps'],
    ['email', 'Sales@Karoo.co.za'],
    ['email', 'info@karoo.co.za'],
    ['phone', '082 123 4567'],
    ['domain', 'https://www.karoo.co.za/'],
    ['address.city', 'Graaff-Reinet'],
    ['address.province', 'Eastern Cape'],
  ])
  for (const fact of facts)
    expect(fact).toMatchObject({ standing: 'unsupported', supporting: 0, contradicting: 0, evidence: [] })
})

test('a number is compared with a claim by the country stored in the record', async ({ expect }) => {
  const { operator } = await setUp()
  const { id } = await createProspect(operator, {
    name: 'Prairie Pumps',
    phones: [{ value: '(847) 488-9988', region: 'US' }],
  })
  for (const value of ['+1 847 488 9988', '847.488.9988']) await addEvidenceTo(operator, id, { field: 'phone', value })
  await addEvidenceTo(operator, id, { field: 'phone', value: '(626) 204-2266' })
  expect(await factOf(operator, id, 'phone')).toMatchObject({ supporting: 2 })
})

test('evidence of another record has no effect', async ({ expect }) => {
  const { operator, id } = await setUp()
  const other = await createProspect(operator, { name: 'Another one' })
  await addEvidenceTo(operator, other.id, { field: 'address.city', value: 'Cradock' })
  expect(await factOf(operator, id, 'address.city')).toMatchObject({ standing: 'unsupported', evidence: [] })
})

test.for([
  ['name', 'KAROO windpumps  (Pty) Ltd', undefined],
  ['email', 'sales@KAROO.co.za', 'Sales@Karoo.co.za'],
  ['phone', '+27 82 123 4567', '082 123 4567'],
  ['domain', 'karoo.co.za', 'https://www.karoo.co.za/'],
  ['address.province', 'EC', undefined],
  ['address.city', 'graaff-reinet', undefined],
] as const)(
  'a claim about %s that says the same in another spelling supports it',
  async ([field, value, fact], { expect }) => {
    const { operator, id } = await setUp()
    const evidence = await addEvidenceTo(operator, id, { field, value })
    expect(await factOf(operator, id, field, fact)).toMatchObject({
      standing: 'supported',
      supporting: 1,
      contradicting: 0,
      evidence: [{ id: evidence.id, value, agreement: 'same', confidence: 'high', sourceLabel: 'A visit' }],
    })
    const others = (await factsOf(operator, id)).filter(({ standing }) => standing !== 'unsupported')
    expect(others).toHaveLength(1)
  },
)

test.for([
  ['name', 'KAROO WINDPUMPS PTY LTD', 'same', null],
  ['name', 'The Karoo Windpumps', 'compatible', 'article_missing'],
  ['tradingName', 'Karoo’s Pumps', 'unknown', 'similar_spelling'],
  ['registrationNumber', '2015123456 07', 'same', null],
  ['industry', 'Restaurante', 'same', null],
  ['address.street', '1 Main Road', 'same', null],
  ['address.street', 'Main Road', 'compatible', 'house_number_missing'],
  ['address.suburb', 'Seapoint', 'same', null],
  ['address.city', 'Gqeberha', 'same', null],
  ['address.postalCode', '81', 'same', null],
  ['address.country', 'Suid-Afrika', 'same', null],
] as const)(
  'a claim about %s of %s is %s and contradicts nothing',
  async ([field, value, agreement, agreementReason], { expect }) => {
    const { operator } = await setUp()
    const { id } = await createProspect(operator, {
      ...{ name: 'Karoo Windpumps (Pty) Ltd', tradingName: 'Karoo Pumps', registrationNumber: '2015/123456/07' },
      industry: 'Restaurant',
      address: {
        ...{ street: '1 Main Rd', suburb: 'Sea Point', city: 'Port Elizabeth', postalCode: '0081', country: 'ZA' },
      },
    })
    await addEvidenceTo(operator, id, { field, value })
    const isUnknown = agreement === 'unknown'
    expect(await factOf(operator, id, field)).toMatchObject({
      standing: isUnknown ? 'unsupported' : 'supported',
      ...{ supporting: isUnknown ? 0 : 1, contradicting: 0, undecided: isUnknown ? 1 : 0 },
      evidence: [{ value, agreement, agreementReason }],
    })
  },
)

test('a claim for another value contradicts a single-value fact, and is never outvoted', async ({ expect }) => {
  const { operator, id } = await setUp()
  const claims = ['Karoo Windpumps (Pty) Ltd', 'Karoo Windpumps (Pty) Ltd', 'Klein Karoo Pompe BK']
  for (const value of claims) await addEvidenceTo(operator, id, { field: 'name', value })
  expect(await factOf(operator, id, 'name')).toMatchObject({
    standing: 'contradicted',
    supporting: 2,
    contradicting: 1,
  })
})

test('a claim for another email, phone or domain does not contradict those of the record', async ({ expect }) => {
  const { operator, id } = await setUp()
  const more = [
    ['email', 'owner@karoo.co.za'],
    ['phone', '+27 49 892 0000'],
    ['domain', 'karoopumps.co.za'],
  ]
  for (const [field, value] of more) await addEvidenceTo(operator, id, { field, value })
  const facts = await factsOf(operator, id)
  expect(facts.length).toBeGreaterThan(more.length)
  for (const fact of facts) expect(fact).toMatchObject({ standing: 'unsupported', evidence: [] })
})

test('superseded evidence does not count, for or against', async ({ expect }) => {
  const { operator, id } = await setUp()
  const wrong = await addEvidenceTo(operator, id, { field: 'name', value: 'Klein Karoo Pompe' })
  const right = await addEvidenceTo(operator, id, { field: 'name', value: record.name, supersedesId: wrong.id })
  expect(await factOf(operator, id, 'name')).toMatchObject({
    standing: 'supported',
    supporting: 1,
    contradicting: 0,
    evidence: [{ id: right.id }],
  })
  await addEvidenceTo(operator, id, { supersedesId: right.id, observation: 'The sign is gone.' })
  expect(await factOf(operator, id, 'name')).toMatchObject({ standing: 'unsupported', evidence: [] })
})

test('a claim is compared with the current record: an edit can turn support into contradiction', async ({ expect }) => {
  const { operator, id } = await setUp()
  await addEvidenceTo(operator, id, { field: 'address.city', value: 'Graaff-Reinet' })
  await operator.patch(`/businesses/${id}`, { address: { city: 'Aberdeen' } }, { 'if-match': '"1"' })
  expect(await factOf(operator, id, 'address.city')).toMatchObject({ value: 'Aberdeen', standing: 'contradicted' })
})

test('a fact shows its newest evidence and counts all of it', async ({ expect }) => {
  const { operator, id } = await setUp()
  const added: string[] = []
  for (let index = 0; index < limits.evidencePerFact + 2; index++)
    added.push((await addEvidenceTo(operator, id, { field: 'name', value: record.name })).id)
  const fact = await factOf(operator, id, 'name')
  expect(fact?.supporting).toBe(limits.evidencePerFact + 2)
  expect(fact?.evidence.map((evidence) => evidence.id)).toEqual(added.toReversed().slice(0, limits.evidencePerFact))
})

test('of many claims about one field the newest are counted, and the response says so; claims about other fields still count', async ({
  expect,
}) => {
  const { t, operator, id } = await setUp()
  const { id: only } = await addEvidenceTo(operator, id, { field: 'tradingName', value: 'Karoo Pumps' })
  const at = t.clock().toISOString()
  await t.store.write('upkeep', async (db) => {
    for (let batch = 0; batch < 11; batch++) {
      const rows = Array.from({ length: 100 }, () => ({
        tenant_id: t.tenants.home.id,
        id: newId(),
        business_id: id,
        field: 'name' as const,
        value: record.name,
        source_label: 'A register',
        captured_at: at,
        confidence: 'low' as const,
        created_at: at,
        created_by: 'sample data',
        observation: null,
        source_reference: null,
        observed_at: null,
        context: null,
        url: null,
        supersedes_id: null,
      }))
      await db.insertInto('evidence').values(rows).execute()
    }
    return { keep: true, value: undefined }
  })
  expect(await factOf(operator, id, 'tradingName')).toMatchObject({
    standing: 'supported',
    newestCounted: null,
    evidence: [{ id: only }],
  })
  expect(await factOf(operator, id, 'name')).toMatchObject({ supporting: 1_000, newestCounted: 1_000 })
})

test('other requests are served between the facts of a record', async ({ expect }) => {
  const { t, operator } = await setUp()
  const values = (at: string) => Array.from({ length: 20 }, (_, n) => ({ value: `${n}${at}` }))
  const { id } = await createProspect(operator, { emails: values('@karoo.co.za'), domains: values('.karoo.co.za') })
  const actor = await memberActor(
    t.store.reader,
    { tenantId: t.tenants.home.id, userId: t.tenants.home.users.operator.id },
    newId(),
  )
  if (actor === undefined) throw new Error('The operator is a member.')
  const turns = await turnsDuring(async () => {
    expect(await listFacts(t.store, actor, id)).toHaveLength(41)
  })
  expect(turns).toBeGreaterThanOrEqual(41)
})

test('a number in the value of another field is hidden with the contact values', async ({ expect }) => {
  const { t, operator, id } = await setUp()
  await addEvidenceTo(operator, id, { field: 'name', value: 'Karoo Windpumps 082-123-4567' })
  await addEvidenceTo(operator, id, { field: 'address.city', value: 'Graaff-Reinet' })
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const viewer = await t.as('viewer')
  for (const path of ['facts', 'evidence', 'brief']) {
    const { status, body } = await viewer.get(`/businesses/${id}/${path}`)
    expect([path, status]).toEqual([path, 200])
    expect(JSON.stringify(body)).not.toMatch(/123-4567/)
    expect(JSON.stringify(body)).toContain('Graaff-Reinet')
  }
  expect(JSON.stringify(await factsOf(operator, id))).toContain('082-123-4567')
})
