import type { FilterCondition } from './further-conditions.ts'

/** Texts for conditions on fields that have no search parameter of their own. */
export const followUpTerms = ['overdue', 'today', 'this_week'] as const
export type FollowUpTerm = (typeof followUpTerms)[number]

const followUpWords: Record<FollowUpTerm, string> = {
  overdue: 'with an overdue follow-up',
  today: 'with a follow-up due today',
  this_week: 'with a follow-up due this week',
}

const labels: Partial<Record<FilterCondition['field'], string>> = {
  city: 'city',
  industry: 'industry',
  sourceLabel: 'source',
  identifiers: 'identifier',
  createdAt: 'creation',
  followUp: 'follow-up',
}

/** Null for fields whose texts come from another function. */
export function furtherFieldWords({ field, op, values }: FilterCondition): string | null {
  const label = labels[field]
  if (label === undefined) return null
  const texts = values.map((value) => String(value ?? '…'))
  switch (op) {
    case 'is_empty':
      return `without ${label}`
    case 'is_not_empty':
      return `with any ${label}`
    case 'contains':
      return `with ${label} containing “${texts.join('” or “')}”`
    case 'within_days':
      return `with ${label} in the last ${texts.join('')} days`
    case 'between':
      return `with ${label} from ${texts.join(' to ')}`
    default: {
      const known = texts.map((text) => followUpTerms.find((term) => term === text))
      if (field === 'followUp')
        return known.flatMap((term) => (term === undefined ? [] : followUpWords[term])).join(' or ')
      return `${op === 'none_of' ? 'without' : 'with'} ${label} ${texts.join(' or ')}`
    }
  }
}
