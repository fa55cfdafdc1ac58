import { listAssignees, type PersonRef } from '@prospect/api-client'
import { listAssigneesQueryKey } from '@prospect/api-client/query'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { dataOf } from '../api/data-of.ts'
import { pagedKey } from '../api/query-keys.ts'
import { nameText } from '../text/name-text.ts'

/** Limit of the menu. With more colleagues, users filter by name in the audit log or the list. */
const MAX_PAGES = 5

/** Active members of the tenant, for menus to choose a person. */
export const assigneesQuery = queryOptions({
  queryKey: pagedKey(listAssigneesQueryKey()),
  queryFn: async ({ signal }) => {
    const people: PersonRef[] = []
    let cursor: string | null = null
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query: { limit: number; cursor?: string } = { limit: 200, ...(cursor !== null && { cursor }) }
      const answer = await dataOf(listAssignees({ query, signal }))
      people.push(...answer.items)
      cursor = answer.page.nextCursor
      if (cursor === null) break
    }
    return people
  },
  staleTime: 5 * 60_000,
})

/** Options for a menu of people. People with the same name are both listed; `current` stays selectable after leaving the tenant. */
export function usePeopleOptions(current?: PersonRef | null): { value: string; label: string }[] {
  const { data = [] } = useQuery(assigneesQuery)
  const people = current && !data.some((person) => person.id === current.id) ? [current, ...data] : data
  return people.map((person) => ({ value: person.id, label: nameText(person.name) }))
}

/** Returns the name of a person by id. `current` is known even after leaving the tenant. */
export function usePersonName(current?: PersonRef | null): (id: string) => string {
  const { data = [] } = useQuery(assigneesQuery)
  return (id) => {
    const person = current?.id === id ? current : data.find((one) => one.id === id)
    return nameText(person?.name ?? 'someone who left')
  }
}
