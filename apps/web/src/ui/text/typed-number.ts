/** Parsing of typed numbers with the marks of the workspace's locale: 1 500,25 in South Africa, 1,500.25 in the United States. */
import type { Locale } from '@prospect/api-client'
import { countWords } from './count-words.ts'
import { formatNumber, formatNumberIn, numberPartsIn } from './format.ts'
import { workspaceLocale } from './locale.ts'

/** Value of a number field in a form: the number, or the typed text if the field could not read it; '' if it is blank. */
export type NumberValue = number | string

export type NumberRange = {
  min?: number | undefined
  max?: number | undefined
  /** Maximum number of decimals; by default 0. */
  decimals?: number | undefined
}

type Marks = { group: string; decimal: string; lakhs: boolean }

function marksOf(locale: Locale): Marks {
  const parts = numberPartsIn(locale, 12_345_678.5)
  const markOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const groups = parts.filter(({ type }) => type === 'integer').map(({ value }) => value.length)
  return { group: markOf('group'), decimal: markOf('decimal'), lakhs: groups[1] === 2 }
}

/** Returns the pattern of a mark. Any space is accepted as the no-break space that separates groups. */
const patternOf = (mark: string) => (/^\s$/.test(mark) ? '\\s' : `\\${mark}`)

/** Numbers that JavaScript represents exactly. */
const MAX_DIGITS = 15

/**
 * Parses a typed number. Null if it is not a number in this locale: the decimal mark of another locale, groups of another size and too many decimals
 * are refused, never skipped. '1.500' is 1500 in Germany, and null in the United States if at most two decimals are permitted.
 */
export function readNumberIn(locale: Locale, typed: string, decimals = 0): number | null {
  const { group, decimal, lakhs } = marksOf(locale)
  const mark = patternOf(group)
  const wholes = ['\\d+', `\\d{1,3}(?:${mark}\\d{3})+`, ...(lakhs ? [`\\d{1,2}(?:${mark}\\d{2})+${mark}\\d{3}`] : [])]
  const fraction = decimals === 0 ? '' : `(?:${patternOf(decimal)}(\\d{1,${decimals}}))?`
  const found = new RegExp(`^([-−+]?)(${wholes.join('|')})${fraction}$`).exec(typed.trim())
  if (found === null) return null
  const [, sign = '', whole = '', digits = ''] = found
  const written = whole.replaceAll(/\D/g, '')
  if (written.length + digits.length > MAX_DIGITS) return null
  const size = Number(`${written}.${digits === '' ? '0' : digits}`)
  return sign === '' || sign === '+' || size === 0 ? size : -size
}

/** Returns the number of a field, or null if it is blank or unreadable. */
export function numberOf(value: NumberValue, { decimals }: NumberRange = {}): number | null {
  return typeof value === 'number' ? value : readNumberIn(workspaceLocale(), value, decimals)
}

/** Returns the text that a field shows for a number. Unlike `formatNumber`, it shows all decimals. */
export function numberText(value: NumberValue): string {
  return typeof value === 'number' ? formatNumberIn(workspaceLocale(), value, 6) : value
}

/** Error for the value of a number field: unreadable, with an example in the locale, or out of range. Null if it is blank or valid. */
export function numberProblem(value: NumberValue, range: NumberRange = {}): string | null {
  const { min, max, decimals = 0 } = range
  if (isBlankNumber(value)) return null
  const number = numberOf(value, range)
  if (number === null || (decimals === 0 && !Number.isInteger(number))) return notANumber(range)
  if ((min === undefined || number >= min) && (max === undefined || number <= max)) return null
  if (min === undefined) return `Enter ${formatNumber(max ?? 0)} or less.`
  if (max === undefined) return `Enter ${formatNumber(min)} or more.`
  return `Enter a number from ${formatNumber(min)} to ${formatNumber(max)}.`
}

/** Errors of number fields by field. A blank field has an error too, except the optional ones. */
export function numberProblems<Field extends string>(
  values: Readonly<Record<NoInfer<Field>, NumberValue>>,
  ranges: Readonly<Record<Field, NumberRange & { isOptional?: boolean }>>,
): Partial<Record<Field, string>> {
  const problems: Partial<Record<Field, string>> = {}
  for (const field in ranges) {
    const { isOptional = false, ...range } = ranges[field]
    const isMissing = !isOptional && isBlankNumber(values[field])
    const problem = isMissing ? notANumber(range) : numberProblem(values[field], range)
    if (problem !== null) problems[field] = problem
  }
  return problems
}

const isBlankNumber = (value: NumberValue): boolean => typeof value === 'string' && value.trim() === ''

/** Type guard for drafts: the type of a field changes when a number is typed into a blank field. */
export const isNumberValue = (stored: unknown): stored is NumberValue =>
  typeof stored === 'number' || typeof stored === 'string'

function notANumber({ min = 0, max = Number.MAX_SAFE_INTEGER, decimals = 0 }: NumberRange): string {
  const whole = max >= 1_500 ? Math.max(min, 1_500) : Math.max(min, Math.floor(max / 2))
  if (decimals === 0) return `Enter a whole number, such as ${formatNumber(whole)}.`
  const example = formatNumberIn(workspaceLocale(), whole + (decimals === 1 ? 0.5 : 0.25), decimals)
  return `Enter a number with at most ${countWords(decimals, 'decimal', 'decimals')}, such as ${example}.`
}
