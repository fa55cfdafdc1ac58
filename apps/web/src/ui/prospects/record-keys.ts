import { getBusinessOptions } from '@prospect/api-client/query'
import type { InvalidateOptions, QueryClient } from '@tanstack/react-query'
import { answersAbout, answersOf } from '../api/query-keys.ts'
import { nameText } from '../text/name-text.ts'

/** Query key of the record. */
export const recordKey = (businessId: string) => getBusinessOptions({ path: { businessId } }).queryKey

/** Matches every cached query about one record, from all rooms: the record, its facts, notes, evidence. */
export const answersOfRecord = (businessId: string) => [{ path: { businessId } }] as const

/** Name of a cached record, for a sentence where only the id is known. */
export function recordName(queryClient: QueryClient, businessId: string): string {
  const record = queryClient.getQueryData(recordKey(businessId))
  return record === undefined ? 'a prospect' : nameText(record.name)
}

/** Matches the queries that a change of a record can outdate: lists, boards and counts, and everything that shows a record's mark. */
const listKeys = [
  answersOf('listBusinesses'),
  answersOf('listReviewQueue'),
  answersOf('getPipeline'),
  answersAbout('matching'),
  answersOf('checkDuplicates'),
]

/** Called after a change of a record: refetches its visible data and the visible lists. */
export async function refreshRecord(queryClient: QueryClient, businessId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersOfRecord(businessId) }),
    refreshLists(queryClient),
  ])
}

/** Called after a change that may affect any record. */
export async function refreshRecords(queryClient: QueryClient): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ predicate: isOfARecord }), refreshLists(queryClient)])
}

const isOfARecord = ({ queryKey: [first] }: { queryKey: readonly unknown[] }): boolean => {
  if (typeof first !== 'object' || first === null || !('path' in first)) return false
  return typeof first.path === 'object' && first.path !== null && 'businessId' in first.path
}

export async function refreshLists(queryClient: QueryClient, options?: InvalidateOptions): Promise<void> {
  await Promise.all(listKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey }, options)))
}
