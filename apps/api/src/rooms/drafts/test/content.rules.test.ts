import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExactQuote, markersIn } from '../content/citations.rules.ts'
import { type FieldValues, mergeFieldNames, readMergeFields, renderText } from '../content/merge-fields.rules.ts'

const values = (value: string | null): FieldValues =>
  Object.fromEntries(mergeFieldNames.map((name) => [name, value])) as FieldValues

test('a substituted value is never read as a template, nor as a marker', () => {
  const hostile = '{{sender.name}} [^1] {{nothing}}'
  expect(renderText('Dear {{ business.name }} [^2]!', values(hostile))).toEqual({ text: `Dear ${hostile}!`, empty: [] })
})

test('a rendered text contains each value exactly as it is, for any value', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...mergeFieldNames), (value, field) => {
      expect(renderText(`<{{${field}}}>`, values(value)).text).toBe(`<${value}>`)
    }),
  )
})

test('an empty field takes its fallback, and is reported without one', () => {
  const rendered = renderText('{{business.city|your town}}, {{business.city}}', values(null))
  expect(rendered).toEqual({ text: 'your town, ', empty: ['business.city'] })
})

test.each([
  ['{{business.nmae}}', 'business.nmae', 0],
  ['Hi {{}}', '', 3],
  ['a {{ b', '{{', 2],
  ['a }} b', '}}', 2],
  ['{[^1]{business.name}}', '{[^1]{', 0],
])('%s has no merge field at its place', (text, name, at) => {
  expect(readMergeFields(text).unknown[0]).toEqual({ name, at })
})

test('known fields are read with their places', () => {
  expect(readMergeFields('{{sender.name|us}} {{business.city}}')).toEqual({
    used: [
      { field: 'sender.name', fallback: 'us', from: 0, to: 18 },
      { field: 'business.city', fallback: null, from: 19, to: 36 },
    ],
    unknown: [],
  })
})

test('markers are read once each, and a quote matches exactly in either Unicode form', () => {
  expect(markersIn('a [^2] b [^1] c [^2] [^0] [1]')).toEqual([2, 1])
  expect(isExactQuote('Cafe\u0301', [null, 'Caf\u00e9 Karoo'])).toBe(true)
  expect(isExactQuote('cafe', ['Caf\u00e9 Karoo'])).toBe(false)
})
