import type { QueryClient } from '@tanstack/react-query'

/** Everything read of one business hangs under one key, whichever room reads it. */
export const recordKey = (businessId: string) => ['business', businessId] as const

/** The lists, boards and counts that a change of any record may have made old. */
const listKeys = [['businesses'], ['pipeline']] as const

/** After a change of a record: what was read of it, and the lists that show it, are read again where they are on screen. */
export async function refreshRecord(queryClient: QueryClient, businessId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: recordKey(businessId) }),
    ...listKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  ])
}
