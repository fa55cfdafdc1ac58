import { expect, test } from 'vitest'
import { agreementWords } from './agreement-words.ts'

test('an agreement is described with what one of the values lacks', () => {
  expect(agreementWords({ agreement: 'same', agreementReason: null })).toBe('agrees')
  expect(agreementWords({ agreement: 'compatible', agreementReason: 'article_missing' })).toBe(
    'agrees, one of the two without “the”',
  )
  expect(agreementWords({ agreement: 'different', agreementReason: null })).toBe('contradicts')
  expect(agreementWords({ agreement: 'unknown', agreementReason: 'similar_spelling' })).toBe(
    'not comparable: a similar spelling',
  )
})
