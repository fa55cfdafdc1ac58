import { answerRequests } from '../../../lib/ask-thread.ts'
import type { PageOrder, ReadPage } from './page-facts.ts'
import { readPage } from './read-page.ts'

/* Opens no store, so that the API may terminate it at the end of its time. */

answerRequests<PageOrder, ReadPage, 'begun'>((order, note) => {
  note('begun')
  return readPage(order)
})
