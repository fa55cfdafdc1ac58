import { expect, test } from 'vitest'
import { causeSentence, jurisdictionOf } from './draft-words.ts'

test.each([
  ['ZA', 'za'],
  ['South Africa', 'za'],
  ['DE', 'eu'],
  ['US', 'us'],
  ['Atlantis', ''],
  [null, ''],
])('the country %s suggests the jurisdiction "%s"', (country, jurisdiction) => {
  expect(jurisdictionOf(country)).toBe(jurisdiction)
})

test('a cause is a sentence with the field but without ids', () => {
  expect(causeSentence({ code: 'evidence', subject: 'name' })).toBe('The evidence changed: name.')
  expect(causeSentence({ code: 'evidence', subject: '01a21576-6ebb-7653-a808-b0c52c451018' })).toBe(
    'The evidence changed.',
  )
})
