import type { JobKinds } from '@prospect/api-client'
import { formatNumber } from '../../ui/text/format.ts'

export type JobField = JobKinds['items'][number]['fields'][number]
/** Typed values by field name. */
export type TypedInput = Readonly<Record<string, string>>

export function initialInput(fields: readonly JobField[]): TypedInput {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial === null ? '' : String(initial)]))
}

/** Validation errors by field, found without the server. */
export function mistakesIn(fields: readonly JobField[], typed: TypedInput): Record<string, string> {
  const found = fields.map((field) => [field.name, mistakeIn(field, (typed[field.name] ?? '').trim())] as const)
  return Object.fromEntries(
    found.filter(([, mistake]) => mistake !== null).map(([name, mistake]) => [name, mistake ?? '']),
  )
}

function mistakeIn({ type, minimum, maximum, isRequired, label }: JobField, typed: string): string | null {
  if (typed === '') return isRequired ? `Enter ${label.toLowerCase()}.` : null
  if (type === 'text') {
    return maximum !== null && typed.length > maximum ? `At most ${formatNumber(maximum)} characters.` : null
  }
  if (!/^-?\d+$/.test(typed) || !Number.isSafeInteger(Number(typed))) return 'Enter a whole number, in digits.'
  const value = Number(typed)
  if (minimum !== null && maximum !== null && (value < minimum || value > maximum)) {
    return `Enter a number from ${formatNumber(minimum)} to ${formatNumber(maximum)}.`
  }
  if (minimum !== null && value < minimum) return `Enter ${formatNumber(minimum)} or more.`
  if (maximum !== null && value > maximum) return `Enter ${formatNumber(maximum)} or less.`
  return null
}

/** Input that is sent. Blank fields are omitted, so that the job kind uses its default. */
export function inputOf(fields: readonly JobField[], typed: TypedInput): Record<string, string | number> {
  const filled = fields.filter(({ name }) => (typed[name] ?? '').trim() !== '')
  return Object.fromEntries(
    filled.map(({ name, type }) => {
      const text = (typed[name] ?? '').trim()
      return [name, type === 'integer' ? Number(text) : text]
    }),
  )
}
