import { expect, test } from 'vitest'
import { agree } from './agree/agree.ts'
import { readWholeNumber } from './whole-numbers.rules.ts'

test.for([
  ['0', 0],
  ['50', 50],
  [' 120 ', 120],
  ['007', 7],
  ['1 200', 1200],
  ['1\u00a0200', 1200],
  ['1,200', 1200],
  ['1,000', 1000],
  ['1.250', 1250],
  ["12'000", 12_000],
  ['1,200,000', 1_200_000],
  ['50.0', 50],
  ['50,00', 50],
] as const)('reads %s as %i', ([text, number]) => {
  expect(readWholeNumber(text)).toBe(number)
})

test.for([
  '',
  '-',
  'n/a',
  '50+',
  '> 50',
  '11-50',
  '11 – 50',
  '~20',
  '±20',
  'about 20',
  '20 people',
  '-5',
  '1.5',
  '1.000',
  '1,20',
  '12,00,000',
  '1 200,000',
  '1e3',
  '9'.repeat(20),
])('does not guess a number from “%s”', (text) => {
  expect(readWholeNumber(text)).toBeNull()
})

test('two texts agree if they state the same whole number, and nothing is said about other texts', () => {
  expect(agree('wholeNumber', '1,200', '1200').answer).toBe('same')
  expect(agree('wholeNumber', '1200', '1300').answer).toBe('different')
  expect(agree('wholeNumber', '50', '50+')).toEqual({ answer: 'unknown', reason: 'unreadable' })
  expect(agree('wholeNumber', '50', 'n/a')).toEqual({ answer: 'unknown', reason: 'no_value' })
})
