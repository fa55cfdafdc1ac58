import type { Signal } from './signal.ts'

/** A record without a tag is known not to have it, because operators maintain tags. */
export const tags: Signal = {
  key: 'record.tags',
  title: 'Tags',
  type: 'list',
  fold: (value) => value.trim().normalize('NFC').toLowerCase(),
  datedBy: null,
  read: (record) => record.tags,
}
