import type { IdentifierCounts, ScoringRecord } from '../records/scoring-record.ts'
import type { Signal } from './signal.ts'

/**
 * Builds a signal that counts the record's emails, phones or domains. Only values with a normalized form count; a record that has only other values
 * is ambiguous.
 */
function counted(key: string, title: string, field: 'email' | 'phone' | 'domain'): Signal {
  const countsOf = (record: ScoringRecord): IdentifierCounts => record[`${field}s`]
  return {
    key,
    title,
    type: 'number',
    field,
    datedBy: `the newest evidence that supports one of them`,
    read: (record) => {
      const { certain, uncertain } = countsOf(record)
      return certain + uncertain === 0 ? undefined : certain
    },
    isAmbiguous: (record) => {
      const { certain, uncertain } = countsOf(record)
      return certain === 0 && uncertain > 0
    },
  }
}

export const emails = counted('record.emails', 'Emails', 'email')
export const phones = counted('record.phones', 'Phones', 'phone')
export const domains = counted('record.domains', 'Web domains', 'domain')
