import { answerRequests } from '../../../lib/ask-thread.ts'
import type { PageOrder, ReadPage } from './page-facts.ts'
import { readPage } from './read-page.ts'
import { type ReadRobots, type RobotsOrder, readRobots } from './robots-order.ts'

/* Opens no store, so that the API may terminate it at the end of its time. */

answerRequests<PageOrder | RobotsOrder, ReadPage | ReadRobots, 'begun'>((order, note) => {
  note('begun')
  return 'robots' in order ? readRobots(order) : readPage(order)
})
