import type { Signal } from './signal.ts'

export const strongDuplicates: Signal = {
  key: 'record.strong_duplicates',
  title: 'Open strong duplicate suggestions',
  type: 'number',
  reads: 'duplicates',
  datedBy: null,
  read: (record) => record.strongDuplicates,
}
