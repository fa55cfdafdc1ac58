import type { Signal } from './signal.ts'

/** Operators maintain tags, so a missing tag is known to be absent. */
export const tags: Signal = {
  key: 'record.tags',
  title: 'Tags',
  type: 'list',
  fold: (value) => value.trim().normalize('NFC').toLowerCase(),
  datedBy: null,
  read: (record) => record.tags,
}
