import type { Signal } from './signal.ts'

/** Signal: the tags of the record. A missing tag counts as a known fact, not as missing data, because operators maintain tags. */
export const tags: Signal = {
  key: 'record.tags',
  title: 'Tags',
  type: 'list',
  fold: (value) => value.trim().normalize('NFC').toLowerCase(),
  datedBy: null,
  read: (record) => record.tags,
}
