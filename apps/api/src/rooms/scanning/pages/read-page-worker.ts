import { answerRequests } from '../../../lib/ask-thread.ts'
import type { PageOrder, ReadPage } from './page-facts.ts'
import { readPage } from './read-page.ts'
import { type ReadRobots, type RobotsOrder, readRobots } from './robots-order.ts'

/* This thread opens no store, so the API can terminate it at its time limit. */

answerRequests<PageOrder | RobotsOrder, ReadPage | ReadRobots, 'begun'>((order, note) => {
  note('begun')
  return 'robots' in order ? readRobots(order) : readPage(order)
})
