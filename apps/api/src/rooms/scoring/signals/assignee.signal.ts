import type { Signal } from './signal.ts'

export const assignee: Signal = {
  key: 'record.assignee',
  title: 'Assignee',
  type: 'text',
  fold: (value) => value,
  datedBy: null,
  read: (record) => record.assigneeId ?? 'none',
}
