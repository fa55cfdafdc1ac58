import { type OutOfBounds, threadInTurn } from '../../../lib/thread-in-turn.ts'
import { readingBounds } from '../bounds.ts'
import type { ContactOrder, ReadContacts } from './found-values.ts'

const thread = threadInTurn<ContactOrder, ReadContacts>({
  file: new URL('./read-contacts-worker.ts', import.meta.url),
  maxMemoryMb: readingBounds.threadMb,
  lost: 'The page could not be read, and nothing was stored. Try again.',
})

/** Reads the contact values of one page in a thread, one page at a time, the tenants in turn. Only jobs read pages. Errors: `unavailable`. */
export async function runContactReading(
  tenantId: string,
  order: ContactOrder,
  ms: number = readingBounds.pageMs,
): Promise<{ answer: ReadContacts } | { outOfBounds: OutOfBounds }> {
  return thread.run({ tenantId, isPatient: true }, order, ms)
}

/** Ends the idle thread when the process stops. */
export const endContactThread = thread.end
