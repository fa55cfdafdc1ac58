/** Words of filters: of a chip, and of the sentence "Prospects in New, assigned to me" for titles, screen readers and exports. */
import type { FilterInput } from '@prospect/api-client'
import { countWords, type Nouns, plural } from '../../../ui/text/count-words.ts'
import { isDay } from '../../../ui/text/day.ts'
import { dayIn, formatDateTime, formatDay, formatNumber } from '../../../ui/text/format.ts'
import { endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import {
  type FilterCondition,
  type FilterValue,
  fields,
  grouped,
  isComplete,
  opWords,
  textOf,
  type WordContext,
} from './filter-fields.ts'

/** Words of one condition: a part of the sentence "Prospects …". */
export function conditionWords(condition: FilterCondition, context: WordContext): string {
  const { field, op, values } = condition
  const { name, choice, kind, noun = name.toLowerCase(), verb = noun, ...words } = fields[field]
  if (!isComplete(condition)) return `${name} ${opWords[op]} …`
  const not = op.startsWith('not_') ? 'not ' : ''
  switch (op) {
    case 'is_empty':
      return words.empty ?? `without ${noun}`
    case 'is_not_empty':
      return words.present ?? `with any ${noun.replace(/^an? /, '')}`
    case 'contains': {
      const parts = `containing “${values.map(textOf).join('” or “')}”`
      return kind === 'search' ? parts : `with ${noun} ${parts}`
    }
    case 'within_days':
    case 'not_within_days':
      return `${not}${verb} in the last ${countWords(Number(values[0]), 'day', 'days')}`
    case 'between':
    case 'not_between':
      return kind === 'number'
        ? numberWords(noun, values, words.counted)
        : not + rangeWords(verb, values, context.timeZone)
    default:
      return choice?.(grouped(field, values), op === 'none_of', context) ?? values.map(textOf).join(' or ')
  }
}

/** All conditions as one sentence: "Prospects in New, assigned to me". */
export function filterSentence(conditions: FilterInput, context: WordContext): string {
  const parts = conditions.map((condition) => conditionWords(condition, context))
  return parts.length === 0 ? 'All prospects' : `Prospects ${parts.join(', ')}`
}

function numberWords(noun: string, [from = null, to = null]: readonly FilterValue[], counted?: Nouns): string {
  const [least, most] = [from, to].map((one) => (one === null ? '…' : formatNumber(Number(one))))
  if (counted !== undefined) {
    const parts = [
      ...(from === null ? [] : ['at least', least]),
      ...(from === null || to === null ? [] : ['and']),
      ...(to === null ? [] : ['at most', most]),
    ]
    return `with ${parts.join(' ')} ${plural(Number(to ?? from), counted.one, counted.many)}`
  }
  if (from !== null && to !== null) return `with ${noun} from ${least} to ${most}`
  return from !== null ? `with ${noun} of at least ${least}` : `with ${noun} of at most ${most}`
}

/** A range of days, or of moments, which are named by their day where the range begins or ends with it. */
function rangeWords(verb: string, [first = null, last = null]: readonly FilterValue[], timeZone: string): string {
  const [from, to] = [momentWords(first, startOfDay, timeZone), momentWords(last, endOfDay, timeZone)]
  if (from !== null && to !== null) return from === to ? `${verb} on ${from}` : `${verb} from ${from} to ${to}`
  return from !== null ? `${verb} since ${from}` : `${verb} until ${to ?? '…'}`
}

function momentWords(at: FilterValue, edgeOf: typeof startOfDay, timeZone: string): string | null {
  if (typeof at !== 'string') return null
  if (isDay(at)) return formatDay(at)
  if (Number.isNaN(Date.parse(at))) return textOf(at)
  const day = dayIn(at, timeZone)
  return edgeOf(day, timeZone) === new Date(at).toISOString() ? formatDay(day) : formatDateTime(at, timeZone)
}
