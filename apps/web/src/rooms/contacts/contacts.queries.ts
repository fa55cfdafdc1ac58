import { type ContactCandidate, type ListContactCandidatesData, listContactCandidates } from '@prospect/api-client'
import { listContactCandidatesQueryKey } from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { keepsPlace, type PagedList } from '../../ui/lists/visible-pages.ts'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'

const CANDIDATES_PER_PAGE = 20

export type ContactFilter = Pick<NonNullable<ListContactCandidatesData['query']>, 'state'>

export const contactPages = (filter: ContactFilter): PagedList<ContactCandidate> => ({
  queryKey: listContactCandidatesQueryKey({ query: filter }),
  readPage: (page, signal) => dataOf(listContactCandidates({ query: { ...filter, ...page }, signal })),
  limit: CANDIDATES_PER_PAGE,
  placeOf: keepsPlace,
})

/** After a decision, which may have changed a record. */
export async function refreshContacts(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersAbout('contacts') }),
    refreshRecords(queryClient),
  ])
}
