import { expect, test } from 'vitest'
import { initialInput, inputOf, type JobField, mistakesIn } from './job-input.ts'

const field = (name: string, more: Partial<JobField> = {}): JobField => ({
  name,
  label: 'How many',
  hint: null,
  type: 'integer',
  minimum: 1,
  maximum: 5_000,
  initial: 500,
  isRequired: false,
  ...more,
})
const fields = [field('businesses'), field('failAt', { initial: null }), field('note', { type: 'text', maximum: 5 })]

test('a form starts with the defaults of the kind, and blank fields are not sent', () => {
  const typed = initialInput(fields.slice(0, 2))
  expect(typed).toEqual({ businesses: 500, failAt: '' })
  expect(inputOf(fields, { ...typed, note: ' yes ' })).toEqual({ businesses: 500, note: 'yes' })
})

test.for([
  ['businesses', '0', 'Enter a number from 1 to 5,000.'],
  ['businesses', '5001', 'Enter a number from 1 to 5,000.'],
  ['businesses', '1.5', 'Enter a whole number, such as 1,500.'],
  ['businesses', '1.500', 'Enter a whole number, such as 1,500.'],
  ['businesses', 'many', 'Enter a whole number, such as 1,500.'],
  ['businesses', '99999999999999999999', 'Enter a whole number, such as 1,500.'],
  ['note', 'too long', 'At most 5 characters.'],
] as const)('%s with the value %s has an error beside it', ([name, typed, mistake]) => {
  const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ',')
  const mistakes = mistakesIn(fields, { [name]: typed })
  expect(Object.entries(mistakes).map(([at, told]) => [at, spaced(told)])).toEqual([[name, mistake]])
})

test('a missing required field is reported', () => {
  const asked = [field('seed', { isRequired: true, minimum: null, maximum: 3 })]
  expect(mistakesIn(asked, {})).toEqual({ seed: 'Enter how many.' })
  expect(mistakesIn(asked, { seed: '4' })).toEqual({ seed: 'Enter 3 or less.' })
})
