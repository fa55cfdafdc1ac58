import { afterEach, expect, test } from 'vitest'
import { localSentence } from './api-sentence.ts'
import { formatDay, formatNumberIn } from './format.ts'
import { adoptLocale } from './locale.ts'
import { knownLocales } from './locales.ts'

afterEach(() => adoptLocale('en-ZA'))

test.each([
  ['en-ZA', 'At most 1\u00a0830 days; these are 2\u00a0000.'],
  ['en-US', 'At most 1,830 days; these are 2,000.'],
  ['en-DE', 'At most 1.830 days; these are 2.000.'],
] as const)('numbers in %s', (locale, sentence) => {
  adoptLocale(locale)
  expect(localSentence('At most 1,830 days; these are 2,000.')).toBe(sentence)
})

test.each(knownLocales)('every figure follows %s', (locale) => {
  adoptLocale(locale, 'Africa/Johannesburg')
  const shown = localSentence('Since 2026-11-21, 1,234,567 records; 20.5 points until 2026-11-20T22:30:00.000Z.')
  const number = (value: number) => formatNumberIn(locale, value, 6)
  expect(shown).toContain(
    `Since ${formatDay('2026-11-21')}, ${number(1_234_567)} records; ${number(20.5)} points until `,
  )
  // The next day in Johannesburg.
  expect(shown).toContain(`until ${formatDay('2026-11-21')}, `)
})

test.each([
  'The name “Since 2026-11-21, 1,500 farms” exists.',
  'The field "2026-11-21" is unknown.',
  'Version 1.500 of the adapter, rules 2026-11-21-a, file a/2026-11-21.',
  'Call 082,123,456a or see https://karoo.example/2026-11-21/1,500',
  'The day 2026-02-30 does not exist.',
  'Use 0821234567, 1830 or 12,34.',
])('%j stays', (sentence) => expect(localSentence(sentence)).toBe(sentence))
