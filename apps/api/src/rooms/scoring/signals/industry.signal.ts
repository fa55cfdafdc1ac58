import { fold } from '../../businesses/businesses.thread.ts'
import type { Signal } from './signal.ts'

export const industry: Signal = {
  key: 'record.industry',
  title: 'Industry',
  type: 'text',
  fold,
  field: 'industry',
  datedBy: 'the newest evidence that supports the industry',
  read: (record) => record.industry ?? undefined,
}
