import { listPeople, type Person } from '@prospect/api-client'
import { listPeopleQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../api/data-of.ts'
import { nameText } from '../text/name-text.ts'

/** The newest people at a prospect, to choose one. */
export const peopleToName = (businessId: string) =>
  queryOptions({
    queryKey: listPeopleQueryKey({ path: { businessId }, query: { limit: 200 } }),
    queryFn: ({ signal }) => dataOf(listPeople({ path: { businessId }, query: { limit: 200 }, signal })),
  })

/** Options of people by name, each once. A person who left is offered too, because a call can be recorded later. */
export function personOptions(people: readonly Person[]): { value: string; label: string }[] {
  const words = ({ name, role, leftOn, doNotContact }: Person) =>
    [nameText(name), role, leftOn === null ? null : 'left', doNotContact === null ? null : 'do not contact']
      .filter((part) => part !== null)
      .join(', ')
  return people
    .filter(({ joinedIntoId, erasedAt }) => joinedIntoId === null && erasedAt === null)
    .map((person) => ({ value: person.id, label: words(person) }))
    .sort((a, b) => a.label.localeCompare(b.label))
}
