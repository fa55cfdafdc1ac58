/** Text of conditions in an address, for those that one value per field cannot express. The server validates them. */
import type { FilterInput } from '@prospect/api-client'
import { type FilterCondition, type FilterValue, fields, isDays, isField, isRange, opWords } from './filter-fields.ts'

/** Characters that separate conditions and values; a value that contains one has a backslash before it. */
const special = /[\\,;]/g

/** Writes conditions as an address shows them: `city:any_of:Cape Town,Paarl;tag:is_empty`. */
export function writeConditions(conditions: FilterInput): string {
  return conditions
    .map(({ field, op, values }) => {
      const texts = values.map((value) => (value === null ? '' : String(value).replace(special, '\\$&')))
      return [field, op, ...(texts.length === 0 ? [] : [texts.join(',')])].join(':')
    })
    .join(';')
}

/** Reads conditions from an address, or from the JSON of a filter. Returns null if the text is neither. */
export function readConditions(text: string): FilterInput | null {
  const read = text.startsWith('[') ? fromJson(text) : splitAt(text, ';').map(conditionFrom)
  return Array.isArray(read) && read.every(isCondition) ? read : null
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function conditionFrom(text: string): unknown {
  const [, field = '', op = '', values] = /^(\w+):(\w+)(?::(.*)|\s*)$/s.exec(text) ?? []
  if (values === undefined) return { field, op, values: [] }
  return { field, op, values: splitAt(values, ',').map((value) => valueFrom(field, op, value.replace(/\\(.)/g, '$1'))) }
}

/** The type of a value follows from its field. An end that a range leaves open is empty. */
function valueFrom(field: string, op: string, text: string): FilterValue {
  if (isRange(op) && text === '') return null
  const kind = isField(field) ? fields[field].kind : undefined
  if (kind === 'number' || isDays(op)) return Number(text)
  return kind === 'flag' ? text === 'true' : text
}

/** Splits at each separator that has no backslash before it. */
function splitAt(text: string, separator: ',' | ';'): string[] {
  const parts = ['']
  for (const [token] of text.matchAll(/\\.|[^\\]/gs)) {
    if (token === separator) parts.push('')
    else parts.push((parts.pop() ?? '') + token)
  }
  return parts
}

function isCondition(value: unknown): value is FilterCondition {
  if (typeof value !== 'object' || value === null) return false
  if (!('field' in value && 'op' in value && 'values' in value)) return false
  return isField(String(value.field)) && Object.hasOwn(opWords, String(value.op)) && Array.isArray(value.values)
}

/** Canonical text of conditions, independent of the order in which they were written. */
export function canonicalText(conditions: FilterInput): string {
  return JSON.stringify(conditions.map(sortedCondition).toSorted())
}

/** Sorts the values of a choice, whose order is irrelevant; the values of a range keep their positions. */
function sortedCondition({ field, op, values }: FilterCondition): string {
  const isChoice = op === 'any_of' || op === 'none_of'
  const texts = values.map((value) => JSON.stringify(value))
  return JSON.stringify([field, op, isChoice ? [...new Set(texts)].toSorted() : texts])
}
