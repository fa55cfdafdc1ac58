import { expect, test } from 'vitest'
import { recordLines, scriptOf } from './domain-words.ts'

test.each([
  ['a', null],
  ['7', null],
  ['-', null],
  ['é', null],
  ['а', 'Cyrillic'],
  ['ο', 'Greek'],
  ['中', 'Han'],
  ['ཀ', 'another script'],
])('the script of %s is %s', (letter, script) => {
  expect(scriptOf(letter)).toBe(script)
})

test('a null MX is described in words', () => {
  expect(recordLines([{ kind: 'MX', preference: 0, exchange: '.', ttl: 60 }])).toEqual([
    { line: 'Accepts no mail', words: null },
  ])
})

test('withheld records of one kind have one line', () => {
  const hidden = { kind: 'NS', host: '•••', ttl: 60 } as const
  expect(recordLines([hidden, { ...hidden, host: 'ns1.karoo.co.za' }, hidden])).toEqual([
    { line: '•••', words: null },
    { line: 'ns1.karoo.co.za', words: null },
  ])
})
