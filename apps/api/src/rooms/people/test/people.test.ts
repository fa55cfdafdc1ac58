import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createProspect, endProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { peopleLimit } from '../people.quota.ts'
import type { Person } from '../people.schema.ts'
import { peopleWorld, thandi } from './people-world.ts'

test('a person is stored as typed, with the normalized values and who recorded it', async () => {
  const { operator, added, personOf } = await peopleWorld()
  const { id: businessId } = await createProspect(operator, { emails: [{ value: 'Thandi@Karoo.co.za' }] })
  const person = await added(businessId)
  expect(person).toMatchObject({
    businessId,
    version: 1,
    name: 'Thandi Nkosi',
    role: 'Buyer',
    language: 'zu',
    note: 'Mornings.',
    emails: [
      {
        value: 'thandi@karoo.co.za',
        label: 'Desk',
        normalized: 'thandi@karoo.co.za',
        isOfBusiness: true,
        isSuppressed: false,
      },
    ],
    phones: [{ value: '082 555 0142', region: 'ZA', normalized: '+27825550142', isOfBusiness: false }],
    leftOn: null,
    doNotContact: null,
    alike: [],
    valuesHidden: false,
    createdBy: { kind: 'user' },
  })
  expect(await personOf(person.id)).toEqual(person)
})

test('a value that says that there is none is left out', async () => {
  const { operator, added } = await peopleWorld()
  const { id } = await createProspect(operator)
  const { emails, phones } = await added(id, { name: 'Zola', emails: [{ value: 'n/a' }], phones: [{ value: 'none' }] })
  expect([emails, phones]).toEqual([[], []])
})

test.each([
  ['digits only', { name: '082 555 0142' }, 'name', 'Enter a name with letters.'],
  ['signs only', { name: '???' }, 'name', 'Enter a name with letters.'],
  ['an unknown field', { birthDate: '1990-01-01' }, '', undefined],
  ['a language in words', { language: 'Zulu' }, 'language', 'Enter the language as a code, such as en, af or zu.'],
])('a person with %s is refused', async (_what, more, path, message) => {
  const { t, operator, add } = await peopleWorld()
  const { id } = await createProspect(operator)
  const changes = await t.changes(async () => {
    const { status, body } = await add(id, { ...thandi, ...more })
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    if (message !== undefined) expect(body.errors).toMatchObject([{ path, message }])
  })
  expect(changes).toEqual({})
})

test('a value of another prospect is refused with its name, unless this prospect has the value too', async () => {
  const { t, operator, add, added, editPerson } = await peopleWorld()
  const other = await createProspect(operator, { name: 'Hantam Fencing', emails: [{ value: 'desk@hantam.co.za' }] })
  const { id } = await createProspect(operator)
  const body = { name: 'Zola', emails: [{ value: 'DESK@hantam.co.za' }] }
  const changes = await t.changes(async () => {
    const refused = await add(id, body)
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([
      {
        path: 'emails.0.value',
        code: 'of_another_prospect',
        message:
          'This address belongs to another prospect, “Hantam Fencing”. Add the person there, or add the address to this prospect first.',
      },
    ])
  })
  expect(changes).toEqual({})
  const { id: personId } = await added(id, { name: 'Zola' })
  expect((await editPerson(personId, { emails: body.emails })).status).toBe(400)
  expect((await operator.patch(`/businesses/${id}`, { emails: body.emails }, { 'if-match': '"1"' })).status).toBe(200)
  expect((await editPerson(personId, { emails: body.emails })).status).toBe(200)
  expect((await added(other.id, body)).emails).toMatchObject([{ isOfBusiness: true }])
})

test('the same person twice is a conflict that names the known one; a role tells two people with one name apart', async () => {
  const { t, operator, add, added, editPerson } = await peopleWorld()
  const { id } = await createProspect(operator)
  const known = await added(id)
  const changes = await t.changes(async () => {
    const { status, body } = await add(id, { name: 'thandi  NKOSI' })
    expect([status, body.code, body.errors]).toEqual([
      409,
      'person_known',
      [{ path: 'name', code: 'same_person', message: known.id }],
    ])
  })
  expect(changes).toEqual({})
  const second = await added(id, { name: 'Thandi Nkosi', role: 'Driver' })
  expect((await editPerson(second.id, { role: 'Buyer' })).status).toBe(409)
  expect((await editPerson(second.id, { role: 'Owner' })).status).toBe(200)
})

test('people with an equal name, address or number are hinted and not joined', async () => {
  const { operator, added, listed } = await peopleWorld()
  const { id } = await createProspect(operator)
  const a = await added(id)
  const b = await added(id, { name: 'Pieter', phones: [{ value: '+27 82 555 0142' }] })
  expect((await listed(id)).map((one) => [one.id, one.alike])).toEqual([
    [b.id, [{ id: a.id, because: ['phone'] }]],
    [a.id, [{ id: b.id, because: ['phone'] }]],
  ])
})

test('a full prospect refuses a further person with a sentence, and two hundred people never fit', async () => {
  const { operator, add, added } = await peopleWorld()
  const { id } = await createProspect(operator)
  expect(peopleLimit.max).toBeLessThan(200)
  for (let at = 1; at <= peopleLimit.max; at++) await added(id, { name: `Person ${at}` })
  const { status, body } = await add(id, { name: 'One more' })
  expect([status, body.code, body.limit, body.size, body.max]).toEqual([
    422,
    'limit_reached',
    'people_of_prospect',
    peopleLimit.max,
    peopleLimit.max,
  ])
  expect(body.detail).toBe(
    'This prospect has 100 people; the limit is 100. People cannot be deleted. Edit one who left, or write further names in a note.',
  )
})

test('an edit changes the sent fields alone, by the version that was read; the same values change nothing', async () => {
  const { t, operator, added, editPerson, personOf } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const edited = await editPerson(id, { role: 'Head buyer', phones: [] })
  expect(edited).toMatchObject({ status: 200, headers: { etag: '"2"' } })
  expect(edited.body).toMatchObject({ version: 2, name: 'Thandi Nkosi', role: 'Head buyer', phones: [] })
  expect(edited.body.emails).toHaveLength(1)
  expect(await t.changes(() => editPerson(id, { role: 'Head buyer' }))).toEqual({})
  const stale = await operator.patch<{ code: string }>(`/people/${id}`, { role: 'Owner' }, { 'if-match': '"1"' })
  expect([stale.status, stale.body.code]).toEqual([412, 'version_conflict'])
  expect((await personOf(id)).role).toBe('Head buyer')
})

test('a departure is a day of today or earlier, and an edit undoes it', async () => {
  const { operator, added, editPerson } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const depart = (on: string) => operator.post<Person & { errors: unknown }>(`/people/${id}/departure`, { on })
  expect((await depart('2026-11-20')).body).toMatchObject({ leftOn: '2026-11-20', version: 2 })
  const early = await depart('2027-01-01')
  expect([early.status, early.body.errors]).toEqual([
    400,
    [{ path: 'on', code: 'in_future', message: 'This date is in the future. Enter the day on which the person left.' }],
  ])
  expect((await editPerson(id, { leftOn: null })).body.leftOn).toBeNull()
})

test('people of another tenant and unknown people are not found', async () => {
  const { t, operator, added } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const stranger = await t.as('administrator', 'other')
  const asked = [
    stranger.get(`/businesses/${businessId}/people`),
    stranger.post(`/businesses/${businessId}/people`, thandi),
    stranger.get(`/people/${id}`),
    stranger.patch(`/people/${id}`, { role: 'Owner' }, { 'if-match': '"1"' }),
    stranger.post(`/people/${id}/departure`, { on: '2026-11-01' }),
    stranger.post(`/people/${id}/do-not-contact`, { reason: 'No.' }),
    operator.get('/people/unknown'),
  ]
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 404))
})

test('an inactive prospect takes no person, and its people are not edited', async () => {
  const { t, operator, add, added, editPerson } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  await endProspect(t, businessId, { status: 'inactive' })
  expect((await add(businessId, { name: 'Zola' })).body.code).toBe('business_not_active')
  expect((await editPerson(id, { role: 'Owner' })).body.code).toBe('business_not_active')
  expect((await operator.post<{ code: string }>(`/people/${id}/departure`, { on: '2026-11-01' })).body.code).toBe(
    'business_not_active',
  )
})

test('the audit names the changed fields of a person, without any content', async () => {
  const { t, operator, added, editPerson, block } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  await editPerson(id, { role: 'Secret role', emails: [] })
  await block(id, { reason: 'Secret reason.' })
  const events = (await walk<AuditEvent>(operator, `/businesses/${businessId}/activity`)).filter(
    ({ subject }) => subject.type === 'person',
  )
  expect(events.map(({ action, after, reason }) => [action, after, reason])).toEqual([
    ['person.block', { doNotContact: true }, null],
    ['person.edit', { fields: ['role', 'values'] }, null],
    ['person.add', { fields: ['name', 'role', 'language', 'note', 'emails', 'phones'] }, null],
  ])
  const log = await t.store.reader.selectFrom('audit_events').selectAll().execute()
  expect(JSON.stringify(log)).not.toMatch(/Thandi|thandi@|Secret|5550142|555 0142/)
  expect(t.logged()).not.toMatch(/Thandi|thandi@|Secret/)
})

test.each(['thandi', 'NKOSI thandi', 'nkósi', '0825550142', '+27 82 555 0142', 'thandi@karoo'])(
  'a prospect is found by a person, as %s, and no longer once the person is marked or renamed',
  async (q) => {
    const { operator, added, block, editPerson } = await peopleWorld()
    const { id: businessId } = await createProspect(operator, { name: 'Hantam Fencing' })
    const found = async () =>
      (await walk<{ id: string }>(operator, `/businesses?q=${encodeURIComponent(q)}`)).map(({ id }) => id)
    expect(await found()).toEqual([])
    const { id } = await added(businessId)
    expect(await found()).toEqual([businessId])
    const { version } = (await operator.get<{ version: number }>(`/businesses/${businessId}`)).body
    await operator.patch(`/businesses/${businessId}`, { industry: 'Farming' }, { 'if-match': `"${version}"` })
    expect(await found()).toEqual([businessId])
    await editPerson(id, { name: 'Zola', emails: [], phones: [] })
    expect(await found()).toEqual([])
    await editPerson(id, thandi)
    expect(await found()).toEqual([businessId])
    await block(id)
    expect(await found()).toEqual([])
  },
)

test('a draft greets the only person whom its recipient reaches, and nobody if several have the address', async () => {
  const { operator, added, editPerson } = await peopleWorld()
  const emails = [{ value: 'thandi@karoo.co.za' }]
  const { id: businessId } = await createProspect(operator, { emails })
  const text = 'Good day {{person.firstName|there}}, {{person.name|reader}}.'
  const draft = {
    businessId,
    title: 'First letter',
    jurisdiction: 'za',
    channel: 'email',
    purpose: 'introduction',
    language: 'en',
    recipient: { kind: 'email', value: 'THANDI@karoo.co.za' },
    subject: 'Good day',
    text,
    noCitationReason: 'A first contact.',
  }
  const rendered = async () =>
    (await operator.post<{ rendered: { text: string } }>('/draft-checks', draft)).body.rendered.text
  expect(await rendered()).toBe('Good day there, reader.')
  const { id } = await added(businessId, { ...thandi, name: 'Dr Thandi Nkosi' })
  expect(await rendered()).toBe('Good day Thandi, Dr Thandi Nkosi.')
  const { id: other } = await added(businessId, { name: 'Pieter', emails })
  expect(await rendered()).toBe('Good day there, reader.')
  await operator.post(`/people/${id}/departure`, { on: '2026-11-01' })
  expect(await rendered()).toBe('Good day Pieter, Pieter.')
  await editPerson(other, { emails: [] })
  expect(await rendered()).toBe('Good day there, reader.')
})

test('an interaction names a person of the prospect, of a record merged into it too, and of no other', async () => {
  const { t, operator, added } = await peopleWorld()
  const { id: survivor } = await createProspect(operator, { name: 'Survivor' })
  const { id: loser } = await createProspect(operator, { name: 'Loser' })
  const { id: stranger } = await createProspect(operator, { name: 'Stranger' })
  const person = await added(loser)
  const call = { occurredAt: '2026-11-20T09:00:00Z', channel: 'phone', outcome: 'connected', personId: person.id }
  const log = (businessId: string) =>
    operator.post<Refusal & { personId: string }>(`/businesses/${businessId}/interactions`, call)
  expect((await log(loser)).body.personId).toBe(person.id)
  for (const other of [survivor, stranger]) {
    const { status, body } = await log(other)
    expect([status, body.errors]).toEqual([
      404,
      [{ path: 'personId', code: 'not_found', message: 'This prospect has no such person.' }],
    ])
  }
  await endProspect(t, loser, { status: 'merged', into: survivor })
  expect((await log(survivor)).status).toBe(201)
  const update = sql`UPDATE interactions SET person_id = NULL WHERE person_id IS NOT NULL`
  await expect(
    t.store.write('upkeep', async (db) => ({ keep: true, value: await update.execute(db) })),
  ).rejects.toThrow('interactions is append-only')
})
