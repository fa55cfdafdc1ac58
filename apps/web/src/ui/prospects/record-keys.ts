import type { Business } from '@prospect/api-client'
import type { InvalidateOptions, QueryClient } from '@tanstack/react-query'
import { nameText } from '../text/name-text.ts'

/** Everything read of one business hangs under one key, whichever room reads it. */
export const recordKey = (businessId: string) => ['business', businessId] as const

/** For a sentence about it, where only its id is at hand. */
export function recordName(queryClient: QueryClient, businessId: string): string {
  const record = queryClient.getQueryData<Business>(recordKey(businessId))
  return record === undefined ? 'a prospect' : nameText(record.name)
}

/** Where else prospects and their marks stand: pairs that may be duplicates, and the hint of a form. */
export const matchingKey = ['matching'] as const
export const duplicateChecksKey = ['duplicate-check'] as const

/** What a change of any record may have made old: lists, boards and counts, and all else that shows a record's mark. */
const listKeys = [['businesses'], ['pipeline'], matchingKey, duplicateChecksKey] as const

/** After a change of a record: what was read of it, and the lists that show it, are read again where they are on screen. */
export async function refreshRecord(queryClient: QueryClient, businessId: string): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: recordKey(businessId) }), refreshLists(queryClient)])
}

/** After a change that may have reached any record. */
export async function refreshRecords(queryClient: QueryClient): Promise<void> {
  const [records] = recordKey('')
  await Promise.all([queryClient.invalidateQueries({ queryKey: [records] }), refreshLists(queryClient)])
}

export async function refreshLists(queryClient: QueryClient, options?: InvalidateOptions): Promise<void> {
  await Promise.all(listKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey }, options)))
}
