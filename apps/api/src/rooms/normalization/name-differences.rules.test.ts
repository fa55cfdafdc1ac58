import { expect, test } from 'vitest'
import { wordDifferences } from './name-differences.rules.ts'

test.for([
  ['Karoo Loodgieters', 'Karoo Plumbing (Pty) Ltd', ['loodgieters = plumbing, translated']],
  ['Karoo Plumbers CC', 'Karoo Plumbing', ['plumbers = plumbing']],
  ['Brigade Forty-Four', 'Brigade 44', ['forty four = 44']],
  ['Good Will Farms', 'Goodwill Farms', ['good will = goodwill']],
  [
    'Kaap Dienste & Vervoer',
    'Kaap Services and Transport',
    ['dienste = services, translated', 'vervoer = transport, translated'],
  ],
  ['KAROO PLUMBING', 'Karoo Plumbing (Pty) Ltd', []],
  ['The Karoo', 'Karoo', []],
  ['!!!', '!!!', []],
] as const)('%s and %s are the same but for %j', ([one, other, expected]) => {
  const texts = wordDifferences(one, other).map(
    (words) => `${words.one} = ${words.other}${words.isTranslation ? ', translated' : ''}`,
  )
  expect(texts).toEqual(expected)
})
