import { test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, endProspect, moveTo, type Problem } from '../../../../test/prospects.ts'
import { actorIn } from '../../../../test/temporary-store.ts'
import { change } from '../../../store/change/change.ts'
import { type Business, limits, type PossibleDuplicate, type TypedValue } from '../businesses.schema.ts'
import { renormalizeStep } from '../record/renormalize.ts'

type Created = Business & { possibleDuplicates: PossibleDuplicate[] }
type LeftEmpty = { leftEmpty?: { kind: string; value: string }[] }

async function setUp() {
  const t = await buildTestApp()
  return { t, operator: await t.as('operator') }
}

test.for(['facebook.com/alpha', 'https://karoo.shopify.com', 'www.wix.com', 'gmail.com'])(
  '%s is no hint, because a shared host identifies nobody',
  async (value, { expect }) => {
    const { operator } = await setUp()
    await createProspect(operator, { name: 'One', domains: [{ value }] })
    const hint = { emails: [], phones: [], domains: [value] }
    const { body } = await operator.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', hint)
    expect(body.items).toEqual([])
  },
)

test('active prospects of the tenant with the same identifier are returned as a hint, most matches first, and nothing is refused', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const other = await t.as('operator', 'other')
  const one = await createProspect(operator, { name: 'One', emails: [{ value: 'SALES@karoo.co.za' }] })
  const two = await createProspect(operator, {
    name: 'Two',
    emails: [{ value: 'sales@karoo.co.za' }, { value: ' Sales@Karoo.co.za' }],
    phones: [{ value: '+27 82 123 4567' }],
  })
  await moveTo(operator, two.id, 'contacted')
  await operator.post(`/businesses/${two.id}/do-not-contact`, { reason: 'They asked.' })
  const ended = await createProspect(operator, { name: 'Ended', domains: [{ value: 'karoo.co.za' }] })
  await endProspect(t, ended.id, { status: 'inactive' })
  await createProspect(other, { name: 'Foreign', emails: [{ value: 'sales@karoo.co.za' }] })

  const expected = [
    {
      id: two.id,
      name: 'Two',
      pipelineState: 'contacted',
      doNotContact: true,
      matches: [
        { kind: 'email', value: 'sales@Karoo.co.za' },
        { kind: 'phone', value: '082 123 4567' },
      ],
    },
    {
      id: one.id,
      name: 'One',
      pipelineState: 'new',
      doNotContact: false,
      matches: [{ kind: 'email', value: 'sales@Karoo.co.za' }],
    },
  ]
  const phone = { value: '082 123 4567', region: 'ZA' }
  const hint = {
    emails: ['sales@Karoo.co.za', 'none'],
    phones: [phone, { value: '0821234567' }],
    domains: ['www.karoo.co.za'],
  }
  const check = await operator.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', hint)
  expect([check.status, check.body.items]).toEqual([200, expected])

  const { status, body } = await operator.post<Created>('/businesses', {
    name: 'Three',
    emails: [{ value: 'sales@Karoo.co.za' }],
    phones: [phone],
    domains: [{ value: 'karoo.co.za' }],
  })
  expect([status, body.possibleDuplicates]).toEqual([201, expected])
})

test('a hint has at most ten others, and never the prospect itself', async ({ expect }) => {
  const { operator } = await setUp()
  const emails = Array.from({ length: 4 }, (_, index) => ({ value: `shared${index}@karoo.co.za` }))
  for (const email of emails)
    for (let index = 0; index < 4; index++) await createProspect(operator, { emails: [email] })
  const { body } = await operator.post<Created>('/businesses', { name: 'X', emails })
  expect(body.possibleDuplicates).toHaveLength(limits.possibleDuplicates)
  expect(body.possibleDuplicates.map(({ id }) => id)).not.toContain(body.id)
})

test('of many prospects with the identifier the oldest are in the hint; one in a form of older rules after its renormalization', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const emails = [{ value: 'sales@karoo.co.za' }]
  const held: string[] = []
  for (let index = 0; index < 7; index++) held.push((await createProspect(operator, { emails })).id)
  await createProspect(operator, { emails: [{ value: 'info@karoo.co.za' }] })
  const check = async () =>
    (
      await operator.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', {
        emails: ['sales@karoo.co.za'],
      })
    ).body.items
  expect((await check()).map(({ id }) => id)).toEqual(held.slice(0, 5))
  await t.store.write('upkeep', async (db) => {
    const older = {
      normalized: null,
      uncertainty: 'not_an_email_address',
      normalization_version: 'identifiers-0',
    } as const
    await db.updateTable('business_identifiers').set(older).execute()
    return { keep: true, value: undefined }
  })
  expect(await check()).toEqual([])
  await change(t.store, actorIn(t.tenants.home.id), { permission: null, action: 'test.renormalize' }, (tx) =>
    renormalizeStep(tx, ''),
  )
  expect(await check()).toMatchObject(
    held.slice(0, 5).map((id) => ({ id, matches: [{ kind: 'email', value: 'sales@karoo.co.za' }] })),
  )
})

test('an existing name is reported while it is typed, in any case and accents, and never of another tenant', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const check = async (body: unknown) =>
    (await operator.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', body)).body.items
  const emails = [{ value: 'a@kus.co.za' }]
  const { id } = await createProspect(operator, { name: 'Café de Kus', emails })
  await createProspect(operator, { name: 'Café de Kus Twee' })
  const ended = await createProspect(operator, { name: 'Cafe de Kus' })
  await endProspect(t, ended.id, { status: 'inactive' })
  await createProspect(await t.as('operator', 'other'), { name: 'Café de Kus' })
  const name = { kind: 'name', value: 'Café de Kus' }
  expect(await check({ name: ' CAFE  de kus' })).toMatchObject([{ id, matches: [name] }])
  expect(await check({ name: 'Cafe de Kus', emails: ['a@kus.co.za'] })).toMatchObject([
    { id, matches: [{ kind: 'email', value: 'a@kus.co.za' }, name] },
  ])
  expect(await check({ name: 'Cafe de' })).toEqual([])
})

test.for([
  ['Karoo Bulk (Pty) Ltd', ['Karoo Bulk', 'KAROO BULK PTY LTD', 'Karoo Bulk CC', 'The Karoo Bulk', 'karoo-bulk']],
  ['Karoo Bulk', ['Karoo Bulk (Pty) Ltd', 'Karoo Bulk (Edms) Bpk']],
  ['Nando’s', ["Nando's", 'Nandos', 'NANDO`S', 'Nando s']],
  ['A.B.C. Motors', ['ABC Motors', 'A B C Motors']],
  ['Jan & Seuns', ['Jan en Seuns', 'Jan and Seuns']],
  ['Łódź Øl', ['Lodz Ol']],
  ['🙂🙂', ['🙂🙂']],
])('%s is reported as a possible duplicate of its other spellings', async ([name = '', spellings = []], { expect }) => {
  const { operator } = await setUp()
  const { id } = await createProspect(operator, { name })
  const traded = await createProspect(operator, { name: 'Holding 12', tradingName: name })
  await createProspect(operator, { name: `${name} Two` })
  for (const typed of spellings) {
    const { body } = await operator.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', {
      name: typed,
    })
    expect([typed, body.items.map((one) => one.id)]).toEqual([typed, [id, traded.id]])
  }
})

test('a record that was renamed is reported by its new name alone', async ({ expect }) => {
  const { operator } = await setUp()
  const { id } = await createProspect(operator, { name: 'Karoo Bulk' })
  await operator.patch(`/businesses/${id}`, { name: 'Boland Bulk', tradingName: 'Bulk' }, { 'if-match': '"1"' })
  const check = async (name: string) =>
    (await operator.post<{ items: PossibleDuplicate[] }>('/businesses/duplicate-checks', { name })).body.items.length
  expect([await check('Karoo Bulk CC'), await check('boland bulk cc'), await check('Bulk (Pty) Ltd')]).toEqual([
    0, 1, 1,
  ])
})

test('a duplicate check returns the values without a normalized form, each with its uncertainty and the only value in it', async ({
  expect,
}) => {
  const { operator } = await setUp()
  const { body } = await operator.post<{ unreadable: unknown[] }>('/businesses/duplicate-checks', {
    emails: ['555 0199', 'sales@karoo.co.za', 'victim@kappertjie.co.za unsubscribed', 'a@b.co.za c@d.co.za'],
    phones: [
      { value: '12' },
      { value: '021 555 0101' },
      { value: '021 555 0101', region: 'ZA' },
      { value: 'WhatsApp: 021 555 0101', region: 'ZA' },
    ],
    domains: ['not a domain', 'co.za', 'www.karoo.co.za'],
  })
  const email = { kind: 'email', uncertainty: 'not_an_email_address', contains: null }
  expect(body.unreadable).toEqual([
    { ...email, value: '555 0199' },
    { ...email, value: 'victim@kappertjie.co.za unsubscribed', contains: 'victim@kappertjie.co.za' },
    { ...email, value: 'a@b.co.za c@d.co.za' },
    { kind: 'phone', value: '12', uncertainty: 'not_a_phone_number', contains: null },
    { kind: 'phone', value: '021 555 0101', uncertainty: 'no_country_context', contains: null },
    {
      kind: 'phone',
      value: 'WhatsApp: 021 555 0101',
      uncertainty: 'not_a_phone_number',
      contains: '021 555 0101',
    },
    { kind: 'domain', value: 'not a domain', uncertainty: 'malformed', contains: null },
    { kind: 'domain', value: 'co.za', uncertainty: 'public_suffix', contains: null },
  ])
})

test('a duplicate check writes nothing and refuses more values than its limit', async ({ expect }) => {
  const { t, operator } = await setUp()
  const check = (body: unknown) => operator.post<Problem>('/businesses/duplicate-checks', body)
  const tooMany = Array.from({ length: limits.identifiersOfAKind + 1 }, () => 'a@b.co.za')
  const statuses: number[] = []
  expect(
    await t.changes(async () => {
      for (const body of [{}, { emails: ['a@b.co.za'] }, { emails: tooMany }, { phones: ['082'] }, { domains: null }])
        statuses.push((await check(body)).status)
    }),
  ).toEqual({})
  expect(statuses).toEqual([200, 200, 400, 400, 400])
})

test('a check names each value that repeats an earlier one, or that says that there is none', async ({ expect }) => {
  const { operator } = await setUp()
  const phones = [
    '021 555 6601',
    '+27215556601',
    '(021) 555-6601 x4',
    '021 555 6602',
    'n/a',
    'n/a',
    'ask Jan',
    'ask Jan',
  ]
  const { body } = await operator.post<{ values: TypedValue[]; unreadable: { value: string }[] }>(
    '/businesses/duplicate-checks',
    {
      emails: ['Jan@karoo.co.za', 'jan@karoo.co.za', 'geen'],
      phones: phones.map((value) => ({ value, region: 'ZA' })),
      domains: ['karoo.co.za', 'https://www.karoo.co.za/kontak', 'facebook.com/karoo', 'facebook.com/hantam', '-'],
    },
  )
  expect(body.values.map(({ value, sameAs, leftEmpty }) => [value, sameAs, leftEmpty])).toEqual([
    ['Jan@karoo.co.za', null, false],
    ['jan@karoo.co.za', 'Jan@karoo.co.za', false],
    ['geen', null, true],
    ['021 555 6601', null, false],
    ['+27215556601', '021 555 6601', false],
    ['(021) 555-6601 x4', '021 555 6601', false],
    ['021 555 6602', null, false],
    ['n/a', null, true],
    ['n/a', null, true],
    ['ask Jan', null, false],
    ['ask Jan', 'ask Jan', false],
    ['karoo.co.za', null, false],
    ['https://www.karoo.co.za/kontak', 'karoo.co.za', false],
    ['facebook.com/karoo', null, false],
    ['facebook.com/hantam', null, false],
    ['-', null, true],
  ])
  expect(body.unreadable.map(({ value }) => value)).toEqual(['ask Jan', 'ask Jan'])
})

test('a value that says that there is none is not stored, and the answer says so', async ({ expect }) => {
  const { t, operator } = await setUp()
  const sent = {
    name: 'Karoo',
    emails: [{ value: 'none' }, { value: 'jan@karoo.co.za' }],
    phones: [{ value: 'N/A', label: 'office' }],
    domains: [{ value: '-' }],
  }
  const created = await operator.post<Created & LeftEmpty>('/businesses', sent)
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ emails: [{ value: 'jan@karoo.co.za' }], phones: [], domains: [] })
  expect(created.body.leftEmpty).toEqual([
    { kind: 'email', value: 'none' },
    { kind: 'phone', value: 'N/A' },
    { kind: 'domain', value: '-' },
  ])
  const edit = (version: number, body: object) =>
    operator.patch<Business & LeftEmpty>(`/businesses/${created.body.id}`, body, { 'if-match': `"${version}"` })
  const edited = await edit(1, { phones: [{ value: 'geen' }, { value: '082 555 0199', region: 'ZA' }] })
  expect([edited.status, edited.body.leftEmpty]).toEqual([200, [{ kind: 'phone', value: 'geen' }]])
  expect(edited.body.phones.map(({ value }) => value)).toEqual(['082 555 0199'])
  const written = await t.changes(async () => {
    const again = await edit(2, { domains: [{ value: 'nvt' }] })
    expect([again.status, again.body.leftEmpty]).toEqual([200, [{ kind: 'domain', value: 'nvt' }]])
  })
  expect(written).toEqual({})
})

test('an address that belongs to nobody makes no duplicates', async ({ expect }) => {
  const { operator } = await setUp()
  const emails = [{ value: 'None@none.com' }, { value: 'test@test.com' }]
  await createProspect(operator, { name: 'One', emails })
  const { body } = await operator.post<Created>('/businesses', { name: 'Two', emails })
  expect([body.emails.map(({ value }) => value), body.possibleDuplicates]).toEqual([
    emails.map(({ value }) => value),
    [],
  ])
})
