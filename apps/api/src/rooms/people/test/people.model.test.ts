import fc from 'fast-check'
import { expect, test } from 'vitest'
import { integrityOf } from '../../../../test/integrity.ts'
import { askMerge, askReversal, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { Business } from '../../businesses/businesses.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import { markEvaluatedWhenEmpty } from '../../suppression/suppression.ts'
import type { Person } from '../people.schema.ts'
import { peopleWorld } from './people-world.ts'

/*
 * Tests random orders of changes and joins of people, merges, reversals, erasures and suppressions on three records against a model. Invariants: a record, and
 * the record that it was merged into, are do not contact while a person has a suppressed value; a person who was marked stays marked; a value of a marked
 * person is suppressed once it leaves its record; each survivor lists exactly the people of its family; no viewer sees a suppressed value; joined people
 * are of one family, equally marked, and never in a circle; what a person has, only an edit or a join of this person changes; an erased person stays empty.
 */

/** The first two are spellings of one mailbox. */
const addresses = ['jan@karoo.co.za', 'JAN+x@karoo.co.za', 'piet@elsewhere.co.za', 'anna@hantam.co.za']
const names = ['Jan', 'Piet', 'Anna', 'Zola']
/** Values that make any two records a possible duplicate. */
const alike = {
  name: 'Karoo Windpumps',
  registrationNumber: '2011/123456/07',
  address: { street: '1 Kerk St', city: 'Prieska' },
}
const RECORDS = 3
const RUNS = 6
const STEP_MS = 1_000

const record = fc.nat(RECORDS - 1)
const address = fc.nat(addresses.length - 1)
const nth = fc.nat(7)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add'), record, name: fc.nat(names.length - 1), address }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit'), nth, address: fc.option(address) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('block'), nth, also: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('suppress'), address }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge'), record, into: record }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join'), nth, other: nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('separate'), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erasePerson'), nth, suppress: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase'), record }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** Each kind of step has an effect in this order. */
const STORY: Step[] = [
  { do: 'add', record: 0, name: 0, address: 0 },
  { do: 'add', record: 1, name: 0, address: 2 },
  { do: 'add', record: 1, name: 1, address: 2 },
  { do: 'merge', record: 1, into: 0 },
  { do: 'join', nth: 0, other: 1 },
  { do: 'reverse' },
  { do: 'merge', record: 1, into: 0 },
  { do: 'separate', nth: 1 },
  { do: 'join', nth: 0, other: 1 },
  { do: 'block', nth: 1, also: false },
  { do: 'edit', nth: 0, address: null },
  { do: 'reverse' },
  { do: 'add', record: 2, name: 2, address: 3 },
  { do: 'block', nth: 3, also: true },
  { do: 'suppress', address: 1 },
  { do: 'merge', record: 1, into: 0 },
  { do: 'erasePerson', nth: 2, suppress: true },
  { do: 'reverse' },
  { do: 'erase', record: 2 },
]

type World = Awaited<ReturnType<typeof peopleWorld>> & {
  ids: string[]
  /** ids of people in the order in which they were added, with the record for which each was added */
  people: { id: string; home: string }[]
  merges: string[]
}

async function take(world: World, one: Step): Promise<boolean> {
  const { t, administrator, ids, people, merges, add, editPerson, block, suppress } = world
  const personId = () => ('nth' in one ? people[one.nth % Math.max(people.length, 1)]?.id : undefined)
  switch (one.do) {
    case 'add': {
      const home = ids[one.record] ?? ''
      const { status, body } = await add(home, { name: names[one.name], emails: [{ value: addresses[one.address] }] })
      if (status === 201) people.push({ id: body.id, home })
      return status === 201
    }
    case 'edit': {
      const id = personId()
      const emails = one.address === null ? [] : [{ value: addresses[one.address] }]
      return id !== undefined && (await editPerson(id, { emails })).status === 200
    }
    case 'block': {
      const id = personId()
      if (id === undefined) return false
      const { emails } = await world.personOf(id)
      const alsoSuppress = one.also ? emails.map(({ value }) => ({ kind: 'email', value })) : []
      return (await block(id, { channel: 'phone', alsoSuppress })).status === 200
    }
    case 'join': {
      const [id, other] = [personId(), people[one.other % Math.max(people.length, 1)]?.id]
      if (id === undefined || other === undefined || id === other) return false
      const [kept, { version: withVersion }] = [await world.personOf(id), await world.personOf(other)]
      const headers = { 'if-match': `"${kept.version}"` }
      return (await world.operator.put(`/people/${id}/join`, { with: other, withVersion }, headers)).status === 200
    }
    case 'separate': {
      const id = personId()
      if (id === undefined || (await world.personOf(id)).joinedIntoId === null) return false
      return (await world.operator.post(`/people/${id}/separation`)).status === 200
    }
    case 'erasePerson': {
      const body = { reason: 'They asked.', suppress: one.suppress }
      return (await administrator.post(`/people/${personId()}/erasure`, body)).status === 200
    }
    case 'suppress':
      return (await suppress(addresses[one.address] ?? '')).status < 300
    case 'merge': {
      const [loser = '', survivor = ''] = [ids[one.record], ids[one.into]]
      const states = await Promise.all([world.read(loser), world.read(survivor)])
      if (loser === survivor || states.some(({ status }) => status !== 'active')) return false
      await followChanges(t.store)
      const suggestion = await suggestionOfPair(administrator, loser, survivor)
      const { status, body } = await askMerge(administrator, suggestion, survivor, {}, { 'idempotency-key': newId() })
      if (status === 200) merges.push(body.id)
      return status === 200
    }
    case 'reverse': {
      const id = merges.at(-1)
      if (id === undefined || (await askReversal(administrator, id)).status !== 200) return false
      merges.pop()
      return true
    }
    default: {
      const id = 'record' in one ? ids[one.record] : ''
      const body = { reason: 'They asked.', suppress: false }
      return (await administrator.post(`/businesses/${id}/erasure`, body)).status === 200
    }
  }
}

type Seen = { businesses: Map<string, Business>; people: Map<string, Person>; refused: Set<string> }

async function look(world: World): Promise<Seen> {
  const values = addresses.map((value) => ({ kind: 'email', value }))
  const { body } = await world.operator.post<{ items: { suppressed: boolean }[] }>('/suppressions/checks', { values })
  const businesses = new Map<string, Business>()
  for (const id of world.ids) businesses.set(id, await world.read(id))
  const people = new Map<string, Person>()
  for (const { id } of world.people) people.set(id, await world.personOf(id))
  return { businesses, people, refused: new Set(addresses.filter((_, at) => body.items[at]?.suppressed === true)) }
}

/** Returns the record and the records that it was merged into. */
function upFrom(id: string, { businesses }: Pick<Seen, 'businesses'>): string[] {
  const into = businesses.get(id)?.mergedInto ?? null
  return into === null ? [id] : [id, ...upFrom(into, { businesses })]
}

const valuesOf = (person: Person | undefined) => (person?.emails ?? []).map(({ value }) => value)
const isByHand = (person: Person | undefined) => person?.doNotContact?.byHand != null

function suppressedPeopleMarkTheirRecords(world: World, seen: Seen): void {
  for (const { id, home } of world.people) {
    const person = seen.people.get(id)
    if (!valuesOf(person).some((value) => seen.refused.has(value))) continue
    const records = upFrom(home, seen)
    expect([id, person?.doNotContact]).toEqual([
      id,
      expect.objectContaining({ through: expect.stringMatching(/suppression|both/) }),
    ])
    expect(records.filter((one) => seen.businesses.get(one)?.doNotContact === null)).toEqual([])
  }
}

function markedPeopleStay(world: World, before: Seen, after: Seen): void {
  for (const { id, home } of world.people) {
    const was = before.people.get(id)
    if (!isByHand(was)) continue
    expect([id, isByHand(after.people.get(id))]).toEqual([id, true])
    const ofRecord = world.people
      .filter((one) => one.home === home)
      .flatMap((one) => valuesOf(after.people.get(one.id)))
    const isSame = (a: string, b: string) => a === b || [a, b].every((one) => /^jan/i.test(one))
    const left = valuesOf(was).filter((value) => !ofRecord.some((one) => isSame(one, value)))
    expect(left.filter((value) => !after.refused.has(value))).toEqual([])
  }
}

async function familiesListTheirPeople(world: World, seen: Seen): Promise<void> {
  for (const id of world.ids) {
    const expected = world.people.filter(({ home }) => upFrom(home, seen).includes(id)).map((one) => one.id)
    expect((await world.listed(id)).map((one) => one.id).toSorted()).toEqual(expected.toSorted())
    const shown = JSON.stringify(await world.listed(id, world.viewer))
    expect([...seen.refused].filter((value) => shown.includes(value))).toEqual([])
  }
}

/** Joined people are of one family and equally marked, and every chain of links ends with a person who is listed as one. */
function joinedPeopleAreOne(world: World, seen: Seen): void {
  const top = (id: string) => upFrom(world.people.find((one) => one.id === id)?.home ?? '', seen).at(-1)
  for (const [id, { joinedIntoId, doNotContact }] of seen.people) {
    if (joinedIntoId === null) continue
    const kept = seen.people.get(joinedIntoId)
    expect([id, kept?.joinedIntoId, top(joinedIntoId)]).toEqual([id, null, top(id)])
    expect([id, isByHand(kept), kept?.doNotContact?.through]).toEqual([
      id,
      doNotContact?.byHand != null,
      doNotContact?.through,
    ])
  }
}

/** Merges, reversals and acts on others change no value of a person, and a separation gives each the own ones back. */
function onlyOwnActsChangeValues(world: World, one: Step, before: Seen, after: Seen): void {
  if (one.do === 'erase' || one.do === 'erasePerson') return
  const actedOn =
    (one.do === 'edit' || one.do === 'join') && world.people.length > 0 ? one.nth % world.people.length : -1
  for (const [at, { id }] of world.people.entries()) {
    const was = before.people.get(id)
    if (was !== undefined && at !== actedOn) expect([id, valuesOf(after.people.get(id))]).toEqual([id, valuesOf(was)])
  }
}

function erasedPeopleStayEmpty(before: Seen, after: Seen): void {
  for (const [id, { erasedAt }] of before.people) {
    if (erasedAt === null) continue
    const { name, emails, phones, erasedAt: since } = after.people.get(id) ?? {}
    expect([id, name, emails, phones, since]).toEqual([id, 'Erased.', [], [], erasedAt])
  }
}

test('no order of changes and joins of people, merges, reversals, erasures and suppressions frees or discloses a suppressed value', {
  timeout: 120_000,
}, async () => {
  const done = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25, size: 'max' }), async (steps) => {
      const world: World = { ...(await peopleWorld()), ids: [], people: [], merges: [] }
      const { t, operator } = world
      await markEvaluatedWhenEmpty(t.store, t.tenants.home.id)
      for (let at = 0; at < RECORDS; at++) world.ids.push((await createProspect(operator, alike)).id)
      let before = await look(world)
      for (const one of steps) {
        t.clock.advance(STEP_MS)
        if (await take(world, one)) done.add(one.do)
        const after = await look(world)
        suppressedPeopleMarkTheirRecords(world, after)
        markedPeopleStay(world, before, after)
        joinedPeopleAreOne(world, after)
        erasedPeopleStayEmpty(before, after)
        onlyOwnActsChangeValues(world, one, before, after)
        await familiesListTheirPeople(world, after)
        expect([...before.refused.difference(after.refused)]).toEqual([])
        before = after
      }
      expect(await integrityOf(t.store.dataDir, t.tenants.home.id)).toMatchObject({ comparesValues: true, first: null })
    }),
    { numRuns: RUNS, examples: [[STORY]], interruptAfterTimeLimit: 90_000 },
  )
  const kinds = ['add', 'block', 'edit', 'erase', 'erasePerson', 'join', 'merge', 'reverse', 'separate', 'suppress']
  expect([...done].toSorted()).toEqual(kinds)
})
