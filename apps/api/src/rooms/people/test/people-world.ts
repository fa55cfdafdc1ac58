import type { Answer } from '../../../../test/build-app.ts'
import type { Refusal } from '../../../../test/prospects.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import type { BlockedPerson, Person } from '../people.schema.ts'

type Body = Record<string, unknown>

export const thandi = {
  name: 'Thandi Nkosi',
  role: 'Buyer',
  language: 'zu',
  note: 'Mornings.',
  emails: [{ value: 'thandi@karoo.co.za', label: 'Desk' }],
  phones: [{ value: '082 555 0142', label: 'Mobile', region: 'ZA' }],
}

/** Creates the world of suppressions with a function for each request about people. */
export async function peopleWorld() {
  const world = await suppressionWorld()
  const { operator } = world
  const add = (businessId: string, body: Body = thandi, headers: Record<string, string> = {}) =>
    operator.post<Person & Refusal>(`/businesses/${businessId}/people`, body, headers)
  const added = async (businessId: string, body: Body = thandi) => {
    const answer = await add(businessId, body)
    if (answer.status !== 201) throw new Error(`A person got ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const personOf = async (id: string, client = operator) => (await client.get<Person>(`/people/${id}`)).body
  const editPerson = async (id: string, body: Body): Promise<Answer<Person & Refusal>> =>
    operator.patch(`/people/${id}`, body, { 'if-match': `"${(await personOf(id)).version}"` })
  const block = (id: string, body: Body = {}) =>
    operator.post<BlockedPerson & Refusal>(`/people/${id}/do-not-contact`, { reason: 'Asked us to stop.', ...body })
  const listed = async (businessId: string, client = operator) =>
    (await client.get<{ items: Person[] }>(`/businesses/${businessId}/people?limit=200`)).body.items
  return { ...world, add, added, personOf, editPerson, block, listed }
}
