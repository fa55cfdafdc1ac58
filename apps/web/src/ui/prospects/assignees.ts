import type { Page, PersonRef } from '@prospect/api-client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { nameText } from '../text/name-text.ts'

/** More colleagues than this are found by name in the audit log or the list, not in a menu. */
const mostPages = 5

/** The active members of this tenant, for menus that choose a person. */
export const assigneesQuery = queryOptions({
  queryKey: ['assignees'],
  queryFn: async ({ signal }) => {
    const people: PersonRef[] = []
    let cursor: string | null = null
    for (let page = 0; page < mostPages; page += 1) {
      const answer: Page<PersonRef> = await api.get('/assignees', { query: { limit: 200, cursor }, signal })
      people.push(...answer.items)
      cursor = answer.page.nextCursor
      if (cursor === null) break
    }
    return people
  },
  staleTime: 5 * 60_000,
})

/** Two people of one name are told apart by adding nothing: the menu shows both; `held` keeps one who left selectable. */
export function usePeopleOptions(held?: PersonRef | null): { value: string; label: string }[] {
  const { data = [] } = useQuery(assigneesQuery)
  const people = held && !data.some((person) => person.id === held.id) ? [held, ...data] : data
  return people.map((person) => ({ value: person.id, label: nameText(person.name) }))
}
