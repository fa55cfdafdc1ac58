import {
  listSourceFiles,
  listSourceHistory,
  listSourceIncidents,
  listSourceRecords,
  listSources,
} from '@prospect/api-client'
import {
  getSourceDesksOptions,
  getSourceHealthOptions,
  getSourceOptions,
  listSourceAdaptersOptions,
  listSourceFilesQueryKey,
  listSourceHistoryQueryKey,
  listSourceIncidentsOptions,
  listSourceIncidentsQueryKey,
  listSourceRecordsQueryKey,
  listSourcesQueryKey,
} from '@prospect/api-client/query'
import type { QueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { answersAbout, answersOf } from '../../ui/api/query-keys.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'
import type { SourceSearch } from './source-search.ts'

export const sourcePages = (query: SourceSearch) =>
  pagedList(listSourcesQueryKey({ query }), (page, signal) =>
    dataOf(listSources({ query: { ...query, ...page }, signal })),
  )

export const sourceQuery = (sourceId: string) => getSourceOptions({ path: { sourceId } })
export const desksQuery = getSourceDesksOptions()
/** The adapters that the server loaded at its start. */
export const adaptersQuery = listSourceAdaptersOptions()
export const healthQuery = (sourceId: string) =>
  getSourceHealthOptions({ path: { sourceId }, query: { interval: 'day' } })

export const historyQuery = (sourceId: string) =>
  pagedQuery(listSourceHistoryQueryKey({ path: { sourceId } }), (query, signal) =>
    dataOf(listSourceHistory({ path: { sourceId }, query, signal })),
  )

export const filePages = pagedList(listSourceFilesQueryKey(), (page, signal) =>
  dataOf(listSourceFiles({ query: page, signal })),
)

export const incidentPages = pagedList(listSourceIncidentsQueryKey(), (page, signal) =>
  dataOf(listSourceIncidents({ query: page, signal })),
)

/** Newest incident records of a source. Only those of its present stop have a next step. */
export const incidentsOfQuery = (sourceId: string) => listSourceIncidentsOptions({ query: { sourceId, limit: 10 } })

export const sourceRecordsQuery = (businessId: string) =>
  pagedQuery(listSourceRecordsQueryKey({ path: { businessId } }), (query, signal) =>
    dataOf(listSourceRecords({ path: { businessId }, query, signal })),
  )

/** Called after every change of a source: all lists and pages show its status. */
export async function refreshSources(queryClient: QueryClient): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: answersAbout('sources') })
}

/** Called after a source record was added or emptied, which also changes its evidence and facts. */
export async function refreshSourceRecords(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    refreshSources(queryClient),
    queryClient.invalidateQueries({ queryKey: answersOf('listEvidence') }),
    queryClient.invalidateQueries({ queryKey: answersOf('listFacts') }),
  ])
}
