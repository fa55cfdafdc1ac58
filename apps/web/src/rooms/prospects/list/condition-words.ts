import { dayIn, formatDay } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import type { FilterCondition } from './further-conditions.ts'

/** Texts for conditions on fields that have no search parameter of their own. */
export const followUpTerms = ['overdue', 'today', 'this_week'] as const
export type FollowUpTerm = (typeof followUpTerms)[number]

const followUpWords: Record<FollowUpTerm, string> = {
  overdue: 'with an overdue follow-up',
  today: 'with a follow-up due today',
  this_week: 'with a follow-up due this week',
}

export const identifierWords: Readonly<Record<string, string>> = {
  email: 'Email',
  phone: 'Phone',
  domain: 'Domain',
  registrationNumber: 'Registration number',
}

const labels: Partial<Record<FilterCondition['field'], string>> = {
  city: 'city',
  industry: 'industry',
  sourceLabel: 'source',
  identifiers: 'identifier',
  createdAt: 'creation',
  updatedAt: 'change',
  followUp: 'follow-up',
}

/** The part of the sentence "Prospects …" for a field without a chip of its own; null if another function has its words. */
export function furtherFieldWords(condition: FilterCondition, timeZone: string): string | null {
  const { field, op, values } = condition
  const label = labels[field]
  if (label === undefined) return null
  const texts = values.map((value) => nameText(String(value ?? '…')))
  switch (op) {
    case 'is_empty':
      return `without ${label}`
    case 'is_not_empty':
      return `with any ${label}`
    case 'contains':
      return `with ${label} containing “${texts.join('” or “')}”`
    case 'within_days':
      return `${timeWords(field)} in the last ${texts.join('')} ${texts[0] === '1' ? 'day' : 'days'}`
    case 'between':
      return rangeWords(condition, timeZone)
    default: {
      const known = texts.map((text) => followUpTerms.find((term) => term === text))
      if (field === 'followUp')
        return known.flatMap((term) => (term === undefined ? [] : followUpWords[term])).join(' or ')
      const named = field === 'identifiers' ? texts.map((text) => (identifierWords[text] ?? text).toLowerCase()) : texts
      const what = field === 'identifiers' ? '' : `${label} `
      return `${op === 'none_of' ? 'without' : 'with'} ${what}${named.join(' or ')}`
    }
  }
}

const timeWords = (field: FilterCondition['field']) =>
  field === 'createdAt' ? 'created' : field === 'updatedAt' ? 'updated' : 'with a follow-up'

function rangeWords({ field, values }: FilterCondition, timeZone: string): string {
  const [from, to] = values.map((value) => {
    if (typeof value !== 'string') return null
    return formatDay(field === 'followUp' ? value : dayIn(value, timeZone))
  })
  if (from != null && to != null) return `${timeWords(field)} from ${from} to ${to}`
  return from != null ? `${timeWords(field)} since ${from}` : `${timeWords(field)} until ${to ?? '…'}`
}
