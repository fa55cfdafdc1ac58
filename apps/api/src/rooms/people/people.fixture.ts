import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    personId: string
    /** a person to mark do not contact */
    blockablePersonId: string
    /** two people at one prospect who are one: the one to keep, and the other one */
    keptPersonId: string
    otherPersonId: string
    /** a person who was joined into another one */
    joinedPersonId: string
  }
}

const person = (name: string) => ({
  name,
  role: 'Buyer',
  language: 'en',
  note: 'Mornings.',
  emails: [{ value: `${name.toLowerCase().replaceAll(' ', '.')}@people.example`, label: 'Desk' }],
  phones: [{ value: '082 555 0142', label: 'Mobile', region: 'ZA' }],
})

const asked = { kind: 'phone', value: '+27 82 555 0177' }

export const fixture: RoomFixture = {
  records: async ({ client, unique, place: { businessId } }) => {
    const add = async (body: object) => idIn(await client.post(`/businesses/${businessId}/people`, body))
    const personId = await add(person(`Thandi ${unique()}`))
    await add({ ...person(`Sipho ${unique()}`), phones: [] })
    const employer = idIn(await client.post('/businesses', { name: `Employer ${unique()}` }))
    const addAtEmployer = async (body: object) => idIn(await client.post(`/businesses/${employer}/people`, body))
    const keptPersonId = await addAtEmployer({ name: 'Anna Botha' })
    const otherPersonId = await addAtEmployer({ name: 'A. Botha' })
    const [head, joinedPersonId] = [
      await addAtEmployer({ name: 'Lerato M' }),
      await addAtEmployer({ name: 'L. Mokoena' }),
    ]
    await client.put(`/people/${head}/join`, { with: joinedPersonId, withVersion: 1 }, { 'if-match': '"1"' })
    const blockable = { name: 'Pieter', phones: [{ value: asked.value }] }
    const blockablePersonId = await addAtEmployer(blockable)
    return { personId, blockablePersonId, keptPersonId, otherPersonId, joinedPersonId }
  },
  cases: {
    listPeople: { permission: 'people.read' },
    addPerson: {
      permission: 'people.write',
      body: person('Zola Dlamini'),
      fills: { people_of_prospect: {} },
      answersAgain: 409,
    },
    getPerson: { permission: 'people.read' },
    editPerson: {
      permission: 'people.write',
      body: { ...person('Thandi Nkosi'), role: 'Head buyer', leftOn: null },
    },
    recordDeparture: { permission: 'people.write', body: { on: '2026-11-01' } },
    joinPeople: {
      permission: 'people.write',
      path: ({ keptPersonId }) => ({ personId: keptPersonId }),
      versionAt: ({ keptPersonId }) => `/people/${keptPersonId}`,
      body: ({ otherPersonId }) => ({ with: otherPersonId, withVersion: 1, ...person('Anna Botha') }),
      refersTo: { with: { names: 'otherPersonId', answers: 404 } },
    },
    separatePerson: { permission: 'people.write', path: ({ joinedPersonId }) => ({ personId: joinedPersonId }) },
    blockPerson: {
      permission: 'people.write',
      path: ({ blockablePersonId }) => ({ personId: blockablePersonId }),
      body: {
        reason: 'Asked us to stop.',
        alsoSuppress: [{ ...asked, scope: 'exact' }],
        requestedBy: 'Pieter',
        channel: 'phone',
      },
    },
  },
}
