import { listPeople, type Person } from '@prospect/api-client'
import { getPersonOptions, listPeopleQueryKey } from '@prospect/api-client/query'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { refreshRecord } from '../../ui/prospects/record-keys.ts'

/** People of one page. A prospect has at most 100, and more only after a merge. */
const PAGE = 200

export const peopleQuery = (businessId: string) =>
  pagedQuery(listPeopleQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listPeople({ path: { businessId }, query: { limit: PAGE, ...query }, signal })),
  )

const personQuery = (personId: string) => getPersonOptions({ path: { personId } })

/** Returns the newest version of a person whom a dialog edits, and reads it again after a refused version. */
export function useNewestPerson(opened: Person) {
  const queryClient = useQueryClient()
  const query = personQuery(opened.id)
  const { data } = useQuery({ ...query, initialData: opened, staleTime: Number.POSITIVE_INFINITY })
  return { person: data, reload: () => queryClient.fetchQuery({ ...query, staleTime: 0 }) }
}

/** Called after a change of a person: the do-not-contact list may have marked the prospect through a value. */
export async function refreshPeople(queryClient: QueryClient, businessId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersAbout('people') }),
    refreshRecord(queryClient, businessId),
  ])
}
