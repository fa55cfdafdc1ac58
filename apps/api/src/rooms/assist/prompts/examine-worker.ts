import { answerRequests } from '../../../lib/ask-thread.ts'
import { type Examination, type ExaminationOrder, examine } from './examine.rules.ts'

/* Opens no store, so that the API may terminate it at the end of its time. */

answerRequests<ExaminationOrder, Examination, 'begun'>((order, note) => {
  note('begun')
  return examine(order)
})
