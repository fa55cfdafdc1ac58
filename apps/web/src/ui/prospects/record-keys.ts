import { getBusinessOptions } from '@prospect/api-client/query'
import type { InvalidateOptions, QueryClient } from '@tanstack/react-query'
import { answersAbout, answersOf } from '../api/query-keys.ts'
import { nameText } from '../text/name-text.ts'

/** The record itself. */
export const recordKey = (businessId: string) => getBusinessOptions({ path: { businessId } }).queryKey

/** Everything read of one record, whichever room reads it: the record, its facts, notes, evidence. */
export const answersOfRecord = (businessId: string) => [{ path: { businessId } }] as const

/** The name of a record for a sentence, where only its id is at hand. */
export function recordName(queryClient: QueryClient, businessId: string): string {
  const record = queryClient.getQueryData(recordKey(businessId))
  return record === undefined ? 'a prospect' : nameText(record.name)
}

/** Every answer that a change of a record may outdate: lists, boards and counts, and all else that shows a record's mark. */
const listKeys = [
  answersOf('listBusinesses'),
  answersOf('getPipeline'),
  answersAbout('matching'),
  answersOf('checkDuplicates'),
]

/** After a change of a record: what was read of it, and the lists that show it, are read again where they are on screen. */
export async function refreshRecord(queryClient: QueryClient, businessId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersOfRecord(businessId) }),
    refreshLists(queryClient),
  ])
}

/** After a change that may have reached any record. */
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
