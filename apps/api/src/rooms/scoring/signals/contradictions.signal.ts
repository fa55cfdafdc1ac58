import type { Signal } from './signal.ts'

/** Signal: the number of fields of the record whose value evidence contradicts. */
export const contradictions: Signal = {
  key: 'record.contradictions',
  title: 'Contradicted fields',
  type: 'number',
  reads: 'evidence',
  datedBy: null,
  read: ({ evidence }) => {
    let contradicted = 0
    for (const one of evidence) if (one !== null && one.contradicting > 0) contradicted += 1
    return contradicted
  },
  isPartial: ({ evidence }) => evidence.some((one) => one?.isPartial === true),
}
