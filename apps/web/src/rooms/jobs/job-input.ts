import type { JobKinds } from '@prospect/api-client'
import { countWords } from '../../ui/text/count-words.ts'
import { type NumberValue, numberOf, numberProblem } from '../../ui/text/typed-number.ts'

export type JobField = JobKinds['items'][number]['fields'][number]
/** Typed values by field name. */
export type TypedInput = Readonly<Record<string, NumberValue>>

export function initialInput(fields: readonly JobField[]): TypedInput {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? '']))
}

/** Validation errors by field, found without the server. */
export function mistakesIn(fields: readonly JobField[], typed: TypedInput): Record<string, string> {
  const found = fields.map((field) => [field.name, mistakeIn(field, typed[field.name] ?? '')] as const)
  return Object.fromEntries(
    found.filter(([, mistake]) => mistake !== null).map(([name, mistake]) => [name, mistake ?? '']),
  )
}

export const rangeOf = ({ minimum, maximum }: JobField) => ({ min: minimum ?? undefined, max: maximum ?? undefined })

const textOf = (typed: NumberValue | undefined): string => String(typed ?? '').trim()

function mistakeIn(field: JobField, typed: NumberValue): string | null {
  const { type, maximum, isRequired, label } = field
  const text = textOf(typed)
  if (text === '') return isRequired ? `Enter ${label.toLowerCase()}.` : null
  if (type === 'integer') return numberProblem(typed, rangeOf(field))
  return maximum !== null && text.length > maximum ? `At most ${countWords(maximum, 'character', 'characters')}.` : null
}

/** Input that is sent. Blank fields are omitted, so that the job kind uses its default. */
export function inputOf(fields: readonly JobField[], typed: TypedInput): Record<string, string | number> {
  const filled = fields.filter(({ name }) => textOf(typed[name]) !== '')
  return Object.fromEntries(
    filled.map(({ name, type }) => [
      name,
      type === 'integer' ? (numberOf(typed[name] ?? '') ?? 0) : textOf(typed[name]),
    ]),
  )
}
