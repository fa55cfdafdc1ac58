import { answerRequests } from '../../../lib/ask-thread.ts'
import type { ContactOrder, ReadContacts } from './found-values.ts'
import { readContacts } from './read-contacts.ts'

/* Opens no store, so that the API may terminate it at the end of its time. */

answerRequests<ContactOrder, ReadContacts, 'begun'>((order, note) => {
  note('begun')
  return readContacts(order)
})
