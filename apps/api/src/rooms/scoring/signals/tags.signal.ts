import type { Signal } from './signal.ts'

/** Operators maintain tags, so a record without a tag does not have it: the value is not unknown. */
export const tags: Signal = {
  key: 'record.tags',
  title: 'Tags',
  type: 'list',
  fold: (value) => value.trim().normalize('NFC').toLowerCase(),
  datedBy: null,
  read: (record) => record.tags,
}
