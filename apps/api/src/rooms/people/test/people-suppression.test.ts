import { expect, test } from 'vitest'
import { createProspect, endProspect } from '../../../../test/prospects.ts'
import type { ValuesOfRecord } from '../../suppression/suppression.schema.ts'
import { peopleWorld, thandi } from './people-world.ts'

const email = { kind: 'email', value: 'thandi@karoo.co.za' }
const asked = { channel: 'phone', alsoSuppress: [email] }

test('an entry that matches a value of a person marks the person and the business', async () => {
  const { operator, added, personOf, suppress, read } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  expect((await read(businessId)).doNotContact).toBeNull()
  await suppress('THANDI+news@karoo.co.za')
  expect((await read(businessId)).doNotContact).toMatchObject({ through: 'suppression' })
  expect(await personOf(id)).toMatchObject({
    doNotContact: { through: 'suppression', byHand: null },
    emails: [{ isSuppressed: true }],
    phones: [{ isSuppressed: false }],
  })
})

test('a person with a suppressed value marks the business when added and when edited', async () => {
  const { operator, added, editPerson, suppress, read } = await peopleWorld()
  await suppress('+27825550142', { kind: 'phone' })
  const { id: first } = await createProspect(operator)
  await added(first)
  expect((await read(first)).doNotContact).toMatchObject({ through: 'suppression' })
  const { id: second } = await createProspect(operator)
  const { id } = await added(second, { name: 'Zola' })
  expect((await read(second)).doNotContact).toBeNull()
  expect((await editPerson(id, { phones: thandi.phones })).body.doNotContact).toMatchObject({ through: 'suppression' })
  expect((await read(second)).doNotContact).toMatchObject({ through: 'suppression' })
})

test('a value that the business loses still marks it while a person has the value, and one that both lost does not', async () => {
  const { operator, added, editPerson, suppress, read, edit } = await peopleWorld()
  const emails = [{ value: email.value }]
  const { id: kept } = await createProspect(operator, { emails })
  const { id: left } = await createProspect(operator, { emails })
  await added(kept)
  const { id } = await added(left)
  for (const one of [kept, left]) expect((await edit(one, { emails: [] })).status).toBe(200)
  expect((await editPerson(id, { emails: [] })).status).toBe(200)
  await suppress(email.value)
  expect((await read(kept)).doNotContact).not.toBeNull()
  expect((await read(left)).doNotContact).toBeNull()
})

test('two people and the evidence state one value: removing it from one of them leaves the others found', async () => {
  const { operator, added, editPerson, suppress, read } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  await added(businessId, { name: 'Pieter', emails: thandi.emails })
  await editPerson(id, { emails: [] })
  await suppress(email.value)
  expect((await read(businessId)).doNotContact).not.toBeNull()
})

test('marking a person suppresses the named values, and marks the business through them only', async () => {
  const { operator, added, block, read, personOf } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id: other } = await createProspect(operator, { emails: [{ value: email.value }], name: 'Other' })
  const { id } = await added(businessId, { name: 'Zola', phones: thandi.phones })
  expect((await block(id)).body).toMatchObject({
    doNotContact: { through: 'hand', byHand: { reason: 'Asked us to stop.' } },
    version: 2,
  })
  expect((await read(businessId)).doNotContact).toBeNull()
  const thandiId = (await added(other)).id
  const blocked = await block(thandiId, asked)
  expect(blocked.body).toMatchObject({
    doNotContact: { through: 'both' },
    suppressed: { added: 1, repeated: 0, marked: 0 },
  })
  expect((await read(other)).doNotContact).toMatchObject({ through: 'suppression' })
  expect((await block(thandiId, { reason: 'Another.' })).body.doNotContact?.byHand?.reason).toBe('Asked us to stop.')
  expect(await personOf(thandiId)).toMatchObject({ version: 2 })
})

test('a value of somebody else, or a missing channel, is refused and nobody is marked', async () => {
  const { t, operator, added, block } = await peopleWorld()
  const { id: businessId } = await createProspect(operator, { emails: [{ value: 'desk@karoo.co.za' }] })
  const { id } = await added(businessId)
  const changes = await t.changes(async () => {
    const foreign = await block(id, { ...asked, alsoSuppress: [{ kind: 'email', value: 'desk@karoo.co.za' }] })
    expect(foreign.body.errors).toMatchObject([{ path: 'alsoSuppress.0.value', code: 'not_of_this_person' }])
    const without = await block(id, { alsoSuppress: [email] })
    expect(without.body.errors).toMatchObject([{ path: 'channel', code: 'required' }])
  })
  expect(changes).toEqual({})
})

test('the block of a business offers the values of its people', async () => {
  const { operator, added, read } = await peopleWorld()
  const { id } = await createProspect(operator, { emails: [{ value: 'desk@karoo.co.za' }] })
  await added(id)
  const { body } = await operator.get<ValuesOfRecord>(`/businesses/${id}/values-to-suppress`)
  expect(body.items.map(({ kind, value, label }) => [kind, value, label])).toEqual([
    ['email', 'desk@karoo.co.za', null],
    ['email', 'thandi@karoo.co.za', 'Desk'],
    ['phone', '082 555 0142', 'Mobile'],
  ])
  const block = { reason: 'They asked.', channel: 'phone', alsoSuppress: [{ kind: 'phone', value: '082 555 0142' }] }
  expect((await operator.post(`/businesses/${id}/do-not-contact`, block)).status).toBe(200)
  expect((await read(id)).doNotContact).toMatchObject({ through: 'both' })
})

test('a value that leaves a blocked person is suppressed, so that it does not return elsewhere', async () => {
  const { operator, added, block, editPerson, read } = await peopleWorld()
  const { id: businessId } = await createProspect(operator, { emails: [{ value: 'desk@karoo.co.za' }] })
  const { id } = await added(businessId, {
    ...thandi,
    emails: [...thandi.emails, { value: 'desk@karoo.co.za' }],
    phones: [],
  })
  await block(id)
  await editPerson(id, { emails: [] })
  const again = await createProspect(operator, { name: 'Again', emails: [{ value: email.value }] })
  expect(again.doNotContact).toMatchObject({ through: 'suppression' })
  // The business still has its own address, which no entry blocks.
  const shared = await createProspect(operator, { name: 'Shared', emails: [{ value: 'desk@karoo.co.za' }] })
  expect(shared.doNotContact).toBeNull()
  expect((await read(businessId)).emails).toHaveLength(1)
})

test('a viewer sees neither names nor values of people at a blocked record, nor of a blocked person', async () => {
  const { operator, viewer, added, block, listed, personOf } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const { id: free } = await added(businessId, { name: 'Zola', role: 'Driver' })
  const secret = /Thandi|Nkosi|Buyer|Mornings|thandi@|555|Desk|Mobile|Asked us/
  expect(JSON.stringify(await listed(businessId, viewer))).toMatch(secret)
  await block(id)
  expect(JSON.stringify(await personOf(id, viewer))).not.toMatch(secret)
  expect(JSON.stringify(await listed(businessId, viewer))).not.toMatch(secret)
  expect(await personOf(id, viewer)).toMatchObject({
    name: '•••',
    valuesHidden: true,
    doNotContact: { through: 'hand' },
  })
  expect(await personOf(free, viewer)).toMatchObject({ name: 'Zola', valuesHidden: false })
  expect(await personOf(id)).toMatchObject({ name: 'Thandi Nkosi', valuesHidden: false })
  expect((await operator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They asked.' })).status).toBe(200)
  expect(await personOf(free, viewer)).toMatchObject({ name: '•••', role: '•••', valuesHidden: true })
})

test('a blocked person is no recipient of a draft or of a legal basis, and a draft from before cannot be sent for approval', async () => {
  const { operator, added, block } = await peopleWorld()
  const { id: businessId } = await createProspect(operator, { emails: [{ value: email.value }] })
  const { id } = await added(businessId)
  const draft = {
    businessId,
    title: 'First letter',
    jurisdiction: 'za',
    channel: 'email',
    purpose: 'introduction',
    language: 'en',
    recipient: email,
    subject: 'Good day',
    text: 'Good day.',
    noCitationReason: 'A first contact.',
  }
  const basis = {
    kind: 'consent',
    form: 'written',
    language: 'en',
    agreedTo: 'Offers by email.',
    channels: ['email'],
    purpose: 'introduction',
    jurisdiction: 'za',
    recipient: email,
    documentReference: 'Folder 7',
    from: '2026-11-01T00:00:00Z',
    until: '2027-11-01T00:00:00Z',
  }
  const write = () => operator.post<{ id: string; code: string; checks: unknown }>('/drafts', draft)
  const before = await write()
  expect(before.status).toBe(201)
  const checked = async () => {
    const { body } = await operator.get<{ items: { key: string; message: string }[] }>(
      `/drafts/${before.body.id}/checks`,
    )
    return body.items.find(({ key }) => key === 'suppression')?.message
  }
  expect(await checked()).toContain('blocks neither')
  await block(id)
  expect(await checked()).toBe('The recipient is on the do-not-contact list.')
  const refused = { status: 422, body: { code: 'suppressed' } }
  expect(await write()).toMatchObject(refused)
  const spelled = { ...draft, recipient: { kind: 'email', value: 'THANDI+x@karoo.co.za' } }
  expect(await operator.post('/drafts', spelled)).toMatchObject(refused)
  expect(await operator.post(`/businesses/${businessId}/legal-bases`, basis)).toMatchObject(refused)
})

test('an erasure empties people, and suppresses the values of a blocked person although the business was free', async () => {
  const { t, operator, administrator, added, block, listed } = await peopleWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  await added(businessId, { name: 'Zola', emails: [{ value: 'zola@karoo.co.za' }] })
  await block(id)
  const erased = await administrator.post<{ erased: { people: number } }>(`/businesses/${businessId}/erasure`, {
    reason: 'They asked.',
  })
  expect(erased).toMatchObject({ status: 200, body: { erased: { people: 2 } } })
  expect((await listed(businessId)).map(({ name, role, emails, phones }) => [name, role, emails, phones])).toEqual([
    ['Erased.', null, [], []],
    ['Erased.', 'Erased.', [], []],
  ])
  expect(await t.store.reader.selectFrom('suppression_record_keys').selectAll().execute()).toEqual([])
  const returned = await createProspect(operator, { name: 'Again', emails: [{ value: email.value }] })
  expect(returned.doNotContact).toMatchObject({ through: 'suppression' })
  const free = await createProspect(operator, { name: 'Free', emails: [{ value: 'zola@karoo.co.za' }] })
  expect(free.doNotContact).toBeNull()
})

test('an entry for a person of a merged record marks both records, and the person is edited through the survivor', async () => {
  const { t, operator, added, listed, suppress, read, editPerson, add } = await peopleWorld()
  const { id: survivor } = await createProspect(operator, { name: 'Survivor' })
  const { id: loser } = await createProspect(operator, { name: 'Loser' })
  const carried = await added(loser)
  const own = await added(survivor, { name: 'thandi nkosi', role: 'Buyer' })
  await endProspect(t, loser, { status: 'merged', into: survivor })
  expect((await listed(survivor)).map(({ id, alike }) => [id, alike])).toEqual([
    [own.id, [{ id: carried.id, because: ['name'] }]],
    [carried.id, [{ id: own.id, because: ['name'] }]],
  ])
  expect((await editPerson(carried.id, { note: 'Afternoons.' })).status).toBe(200)
  expect((await add(loser, { name: 'Zola' })).body.code).toBe('business_not_active')
  await suppress(email.value)
  for (const one of [survivor, loser]) expect((await read(one)).doNotContact).not.toBeNull()
})
