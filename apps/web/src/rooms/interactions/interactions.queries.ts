import { listInteractions, listPeople, type Person } from '@prospect/api-client'
import { listInteractionsQueryKey, listPeopleQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { nameText } from '../../ui/text/name-text.ts'

export const interactionsQuery = (businessId: string) =>
  pagedQuery(listInteractionsQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listInteractions({ path: { businessId }, query, signal })),
  )

/** The newest people at a prospect, to whom an interaction can refer. */
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
    .filter(({ joinedIntoId }) => joinedIntoId === null)
    .map((person) => ({ value: person.id, label: words(person) }))
    .sort((a, b) => a.label.localeCompare(b.label))
}
