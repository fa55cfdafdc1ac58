/** What the app does after a prospect was blocked, with or without its values. */
import type { BlockedBusiness } from '@prospect/api-client'
import type { QueryClient } from '@tanstack/react-query'
import { answersAbout } from '../api/query-keys.ts'
import { countWords } from '../text/count-words.ts'
import { recordKey, refreshRecords } from './record-keys.ts'

/** Shows the blocked record at once, and reads again what its block and its entries may have changed: entries, legal bases, and any record. */
export function noteBlocked(queryClient: QueryClient, { suppressed: _, ...blocked }: BlockedBusiness): void {
  queryClient.setQueryData(recordKey(blocked.id), blocked)
  void queryClient.invalidateQueries({ queryKey: answersAbout('suppression') })
  void queryClient.invalidateQueries({ queryKey: answersAbout('legal bases') })
  void refreshRecords(queryClient)
}

/** Sentences about the values that were blocked everywhere. Empty if there are none. */
export function suppressedWords({ suppressed }: Pick<BlockedBusiness, 'suppressed'>): string[] {
  if (suppressed === undefined) return []
  const { added, repeated, marked } = suppressed
  const values = added + repeated
  return [
    `${countWords(values, 'value is', 'values are')} blocked everywhere.`,
    ...(marked === 0
      ? []
      : [`${countWords(marked, 'other prospect is', 'other prospects are')} now marked do not contact.`]),
  ]
}
