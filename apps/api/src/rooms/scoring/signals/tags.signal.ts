import type { Signal } from './signal.ts'

/** Operators maintain tags, so a tag that is not there is known not to be there. */
export const tags: Signal = {
  key: 'record.tags',
  title: 'Tags',
  type: 'list',
  fold: (value) => value.trim().normalize('NFC').toLowerCase(),
  datedBy: null,
  read: (record) => record.tags,
}
