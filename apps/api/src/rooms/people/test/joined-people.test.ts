import { expect, test } from 'vitest'
import { askMerge, askReversal, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, endProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import type { Person } from '../people.schema.ts'
import { peopleWorld, thandi } from './people-world.ts'

const second = { name: 'T. Nkosi', role: null, note: 'Afternoons.', emails: [{ value: 't.nkosi@karoo.co.za' }] }
/** Values that make two records a possible duplicate. */
const duplicate = {
  name: 'Karoo Windpumps',
  registrationNumber: '2011/123456/07',
  address: { street: '1 Kerk St', city: 'Prieska' },
}

async function joinWorld() {
  const world = await peopleWorld()
  const { operator, personOf } = world
  const join = async (id: string, other: string, more: object = {}) => {
    const body = { with: other, withVersion: (await personOf(other)).version, ...more }
    const headers = { 'if-match': `"${(await personOf(id)).version}"` }
    return operator.put<Person & Refusal>(`/people/${id}/join`, body, headers)
  }
  const separate = (id: string) => operator.post<Person & Refusal>(`/people/${id}/separation`)
  return { ...world, join, separate }
}

test('the kept person gets the values of both, and its own facts where it has some', async () => {
  const { t, operator, added, join, personOf, listed } = await joinWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId, { ...thandi, note: null })
  const { id: other } = await added(businessId, { ...second, phones: [{ value: '+27 82 555 0142' }] })
  const joined = await join(id, other)
  expect(joined.status).toBe(200)
  expect(joined.body).toMatchObject({
    id,
    version: 2,
    name: 'Thandi Nkosi',
    role: 'Buyer',
    note: 'Afternoons.',
    alike: [],
  })
  expect(joined.body.emails.map(({ value, label }) => [value, label])).toEqual([
    ['thandi@karoo.co.za', 'Desk'],
    ['t.nkosi@karoo.co.za', null],
  ])
  expect(joined.body.phones.map(({ value }) => value)).toEqual(['082 555 0142'])
  // The other person keeps all that it had, so that a separation loses nothing.
  expect(await personOf(other)).toMatchObject({ version: 2, name: 'T. Nkosi', note: 'Afternoons.', joinedIntoId: id })
  expect((await listed(businessId)).map((one) => [one.id, one.joinedIntoId])).toEqual([
    [other, id],
    [id, null],
  ])
  const events = await walk<AuditEvent>(operator, `/businesses/${businessId}/activity`)
  const joins = events.filter(({ action }) => action === 'person.join')
  expect(joins.map(({ subject, before, after }) => [subject.id, before, after])).toEqual([
    [other, { joinedInto: null }, { joinedInto: id }],
    [id, null, { joined: other, fields: ['note', 'values'] }],
  ])
  expect(JSON.stringify(await t.store.reader.selectFrom('audit_events').selectAll().execute())).not.toMatch(
    /Nkosi|noons/,
  )
})

test('sent values replace those of both, and a value that only the other person had is accepted', async () => {
  const { operator, added, join } = await joinWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const { id: other } = await added(businessId, second)
  const { body } = await join(id, other, { name: 'Thandi N. Nkosi', emails: second.emails, phones: [], note: null })
  expect(body).toMatchObject({ name: 'Thandi N. Nkosi', note: null, phones: [], role: 'Buyer' })
  expect(body.emails.map(({ value }) => value)).toEqual(['t.nkosi@karoo.co.za'])
})

test('a joined person is changed through the kept one, and a separation lists both again', async () => {
  const { operator, added, add, join, separate, editPerson, personOf } = await joinWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const { id: other } = await added(businessId, second)
  await join(id, other)
  const refused = await editPerson(other, { role: 'Owner' })
  expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
    409,
    'person_joined',
    [{ path: 'personId', code: 'joined', message: id }],
  ])
  expect((await operator.post(`/people/${other}/departure`, { on: '2026-11-01' })).status).toBe(409)
  const known = await add(businessId, { name: 'T. Nkosi' })
  expect([known.body.code, known.body.errors]).toMatchObject(['person_known', [{ message: id }]])
  expect((await join(id, other, { name: 'Other' })).body).toMatchObject({ name: 'Thandi Nkosi', version: 2 })
  expect((await join(other, id)).body.code).toBe('person_joined')
  expect((await separate(other)).body).toMatchObject({ joinedIntoId: null, version: 3 })
  expect((await separate(other)).body.version).toBe(3)
  expect((await editPerson(other, { role: 'Owner' })).status).toBe(200)
  expect((await personOf(id)).emails).toHaveLength(2)
})

test('a person is joined with another one of the same prospect only, as both were read', async () => {
  const { t, operator, added, join } = await joinWorld()
  const { id: businessId } = await createProspect(operator)
  const { id: elsewhere } = await createProspect(operator, { name: 'Elsewhere' })
  const { id } = await added(businessId)
  const { id: other } = await added(businessId, second)
  const { id: stranger } = await added(elsewhere)
  const send = (body: object, version = 1) =>
    operator.put<Refusal>(`/people/${id}/join`, body, { 'if-match': `"${version}"` })
  const changes = await t.changes(async () => {
    expect((await join(id, stranger)).body.errors).toMatchObject([{ path: 'with', code: 'not_found' }])
    expect((await join(id, id)).body.errors).toMatchObject([{ path: 'with', code: 'same_person' }])
    expect((await send({ with: other, withVersion: 2 })).body.code).toBe('conflict')
    expect((await send({ with: other, withVersion: 1 }, 2)).body.code).toBe('version_conflict')
  })
  expect(changes).toEqual({})
})

test('more values than a person can have are refused with a sentence until some are chosen', async () => {
  const { operator, added, join } = await joinWorld()
  const { id: businessId } = await createProspect(operator)
  const emails = (from: number) => [0, 1, 2].map((at) => ({ value: `desk${from + at}@karoo.co.za` }))
  const { id } = await added(businessId, { name: 'Zola', emails: emails(0) })
  const { id: other } = await added(businessId, { name: 'Zola Dlamini', emails: emails(3) })
  const message = 'Together, the two have 6 addresses; the limit is 5. Choose which ones to keep.'
  expect((await join(id, other)).body.errors).toEqual([{ path: 'emails', code: 'too_many', message }])
  expect((await join(id, other, { emails: emails(1) })).status).toBe(200)
})

test.each(['kept', 'other'] as const)(
  'if the %s person is do not contact, so is the joined one, for good',
  async (who) => {
    const { operator, added, block, join, separate, personOf, editPerson } = await joinWorld()
    const { id: businessId } = await createProspect(operator)
    const { id } = await added(businessId)
    const { id: other } = await added(businessId, second)
    await block(who === 'kept' ? id : other)
    await join(id, other)
    for (const one of [id, other])
      expect((await personOf(one)).doNotContact).toMatchObject({ byHand: { reason: 'Asked us to stop.' } })
    await separate(other)
    expect((await personOf(other)).doNotContact).toMatchObject({ through: 'hand' })
    // A value that leaves either of them is suppressed.
    await editPerson(other, { emails: [] })
    const { doNotContact } = await createProspect(operator, { name: 'Again', emails: second.emails })
    expect(doNotContact).toBe(null)
    await editPerson(id, { emails: [] })
    const again = await createProspect(operator, { name: 'Once more', emails: second.emails })
    expect(again.doNotContact).toMatchObject({ through: 'suppression' })
  },
)

test('marking one of several joined people marks them all', async () => {
  const { operator, added, block, join, personOf } = await joinWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const { id: other } = await added(businessId, second)
  const { id: third } = await added(businessId, { name: 'Zola', role: 'Owner' })
  await join(id, other)
  await join(third, id)
  await block(other)
  expect((await personOf(third)).doNotContact).toMatchObject({ through: 'hand' })
  expect((await personOf(id)).doNotContact).toMatchObject({ through: 'hand' })
  expect((await personOf(other)).doNotContact).toMatchObject({ through: 'hand' })
})

test('a mark ends the link to a person from whom a reversal separated this one', async () => {
  const { t, operator, added, block, join, personOf } = await joinWorld()
  const { id: survivor } = await createProspect(operator, { name: 'Survivor' })
  const { id: loser } = await createProspect(operator, { name: 'Loser' })
  const { id } = await added(survivor)
  const { id: other } = await added(loser, second)
  await endProspect(t, loser, { status: 'merged', into: survivor })
  await join(id, other)
  await endProspect(t, loser, { status: 'active' })
  await block(id)
  expect((await personOf(other)).doNotContact).toBeNull()
  await endProspect(t, loser, { status: 'merged', into: survivor })
  expect(await personOf(other)).toMatchObject({ joinedIntoId: null, doNotContact: null })
})

test('an entry for a value that only the joined person had marks the kept person too', async () => {
  const { operator, added, join, suppress, personOf, read } = await joinWorld()
  const { id: businessId } = await createProspect(operator)
  const { id } = await added(businessId)
  const { id: other } = await added(businessId, second)
  await join(id, other)
  await suppress('t.nkosi@karoo.co.za')
  expect((await personOf(id)).doNotContact).toMatchObject({ through: 'suppression' })
  expect((await read(businessId)).doNotContact).not.toBeNull()
})

test('the reversal of a merge separates joined people of both records, each with the own values, and a new merge joins them again', async () => {
  const { t, operator, administrator, added, join, listed, personOf } = await joinWorld()
  const { id: survivor } = await createProspect(operator, duplicate)
  const { id: loser } = await createProspect(operator, duplicate)
  const { id } = await added(survivor)
  const { id: other } = await added(loser, second)
  const merge = async () => {
    await followChanges(t.store)
    const answer = await askMerge(administrator, await suggestionOfPair(administrator, loser, survivor), survivor)
    expect(answer.status).toBe(200)
    return answer.body.id
  }
  const mergeId = await merge()
  expect((await listed(survivor)).map((one) => one.joinedIntoId)).toEqual([null, null])
  expect((await join(id, other)).status).toBe(200)
  const call = { occurredAt: '2026-11-20T09:00:00Z', channel: 'phone', outcome: 'connected', personId: other }
  const logged = await operator.post<{ personId: string }>(`/businesses/${survivor}/interactions`, call)
  expect(logged.body.personId).toBe(other)
  expect((await askReversal(administrator, mergeId)).status).toBe(200)
  expect(await personOf(other)).toMatchObject({
    joinedIntoId: null,
    name: 'T. Nkosi',
    emails: [{ value: 't.nkosi@karoo.co.za' }],
  })
  expect((await listed(loser)).map((one) => one.id)).toEqual([other])
  expect((await listed(survivor)).map((one) => one.id)).toEqual([id])
  await merge()
  expect((await personOf(other)).joinedIntoId).toBe(id)
})

test('links form no circle if people are joined while a reversed merge separates an earlier join', async () => {
  const { t, operator, added, join, personOf } = await joinWorld()
  const { id: survivor } = await createProspect(operator, { name: 'Survivor' })
  const { id: loser } = await createProspect(operator, { name: 'Loser' })
  const { id: a } = await added(survivor, { name: 'Anna' })
  const { id: c } = await added(survivor, { name: 'Anna C.' })
  const { id: b } = await added(loser, { name: 'Anna B.' })
  await endProspect(t, loser, { status: 'merged', into: survivor })
  await join(b, c)
  await join(a, b)
  await endProspect(t, loser, { status: 'active' })
  expect((await personOf(c)).joinedIntoId).toBeNull()
  expect((await join(c, a)).status).toBe(200)
  await endProspect(t, loser, { status: 'merged', into: survivor })
  expect([
    (await personOf(a)).joinedIntoId,
    (await personOf(b)).joinedIntoId,
    (await personOf(c)).joinedIntoId,
  ]).toEqual([c, c, null])
})
