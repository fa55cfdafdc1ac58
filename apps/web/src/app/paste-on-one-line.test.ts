import { expect, test } from 'vitest'
import { onOneLine } from './paste-on-one-line.ts'

test.for([
  ['Karoo Pumps\t', 'Karoo Pumps'],
  ['021 555 0101\r\n', '021 555 0101'],
  ['\tKaroo\t\r\n Pumps', 'Karoo Pumps'],
  ['Karoo  Pumps', 'Karoo  Pumps'],
  [' Pumps\r\n', ' Pumps'],
] as const)('%j is pasted as %j', ([pasted, line]) => {
  expect(onOneLine(pasted)).toBe(line)
})
