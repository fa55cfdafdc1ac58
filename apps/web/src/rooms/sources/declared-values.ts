/** Values of the inputs that an adapter declares: those of a query in a dry run, and of the settings in a contract. */
import type { AdapterField } from '@prospect/api-client'
import { unlistedProblem } from '../../ui/fields/multi-select.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { provinces } from '../../ui/text/provinces.ts'
import { isNumberValue, type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'

/** Text of a text, a choice or a prospect, values of a list, or the value of a number field. */
export type DeclaredValue = string[] | NumberValue
export type DeclaredValues = Record<string, DeclaredValue>

export const provinceOptions = provinces.map(({ code, name }) => ({ value: code as string, label: name }))
export const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Type guard for drafts. */
export const areDeclaredValues = (stored: unknown): stored is DeclaredValues =>
  typeof stored === 'object' &&
  stored !== null &&
  !Array.isArray(stored) &&
  Object.values(stored).every((value) => isNumberValue(value) || isTextList(value))

const isList = ({ kind }: AdapterField) => kind === 'list' || kind === 'answer_fields' || kind === 'provinces'

/** Returns the value of a field as its input shows it; blank if it has none or one of another kind. */
export const asText = (value: DeclaredValue = ''): string => (Array.isArray(value) ? '' : String(value))
export const asList = (value: DeclaredValue = []): string[] => (Array.isArray(value) ? value : [])
export const asNumber = (value: DeclaredValue = ''): NumberValue => (Array.isArray(value) ? '' : value)

/** Converts stored values to those of a form. Null if the fields cannot represent them completely. */
export function declaredValues(
  fields: readonly AdapterField[],
  stored: Readonly<Record<string, unknown>>,
): DeclaredValues | null {
  if (Object.keys(stored).some((name) => !fields.some((field) => field.name === name))) return null
  const values: DeclaredValues = {}
  for (const field of fields) {
    const value = stored[field.name]
    if (value === undefined) continue
    const fits = isList(field) ? isTextList(value) : typeof value === (field.kind === 'number' ? 'number' : 'string')
    if (!fits) return null
    values[field.name] = value as DeclaredValue
  }
  return values
}

/** Converts the values of a form to those of the API. A blank text or number is omitted; an empty list is sent, because it has a meaning. */
export function declaredBody(fields: readonly AdapterField[], values: DeclaredValues): Record<string, unknown> {
  const entries = fields.flatMap((field): [string, unknown][] => {
    if (isList(field)) return [[field.name, asList(values[field.name])]]
    const value = field.kind === 'number' ? numberOf(asNumber(values[field.name])) : asText(values[field.name]).trim()
    return value === null || value === '' ? [] : [[field.name, value]]
  })
  return Object.fromEntries(entries)
}

/** True if no field has a value. */
export const isDeclaredBlank = (fields: readonly AdapterField[], values: DeclaredValues): boolean =>
  fields.every((field) =>
    isList(field) ? asList(values[field.name]).length === 0 : asText(values[field.name]).trim() === '',
  )

/** Errors of the fields by the path `<at>.<name>`. */
export function declaredProblems(
  at: string,
  fields: readonly AdapterField[],
  values: DeclaredValues,
  answerFields: readonly string[],
): FieldErrors {
  const problems: FieldErrors = {}
  for (const field of fields) {
    const problem = problemOf(field, values, answerFields)
    if (problem !== null) problems[`${at}.${field.name}`] = problem
  }
  return problems
}

function problemOf(field: AdapterField, values: DeclaredValues, answerFields: readonly string[]): string | null {
  const chosen = asList(values[field.name])
  switch (field.kind) {
    case 'number': {
      const { name, min, max } = field
      return numberProblems({ [name]: asNumber(values[name]) }, { [name]: { min, max } })[name] ?? null
    }
    case 'list':
      if (chosen.length === 0) return field.empty === 'refused' ? 'Choose at least one.' : null
      return field.options === null ? null : unlistedProblem(chosen, optionsOf(field.options))
    case 'answer_fields':
      if (chosen.length === 0) return 'Choose at least one.'
      return answerFields.length === 0 ? null : unlistedProblem(chosen, optionsOf(answerFields))
    case 'provinces':
      return unlistedProblem(chosen, provinceOptions)
    case 'business':
      return asText(values[field.name]) === '' ? 'Choose a prospect.' : null
    case 'choice':
      return asText(values[field.name]) === '' ? 'Choose a value.' : null
    case 'text':
      return asText(values[field.name]).trim() === '' ? 'Enter a value.' : null
  }
}
