import { expect, test } from 'vitest'
import { isOnOneLine, onOneLine } from './on-one-line.ts'

test.for([
  ['Karoo Pumps\t', 'Karoo Pumps'],
  ['021 555 0101\r\n', '021 555 0101'],
  ['\tKaroo\t\r\n Pumps', 'Karoo Pumps'],
  ['Karoo  Pumps', 'Karoo  Pumps'],
  [' Pumps\r\n', ' Pumps'],
  ['victim@kappertjie.co.za\tunsubscribed', 'victim@kappertjie.co.za unsubscribed'],
  ['victim@kappertjie.co.za\vunsubscribed\0', 'victim@kappertjie.co.za unsubscribed'],
  ['kapp\u2028ertjie.co.za', 'kapp ertjie.co.za'],
] as const)('%j is pasted as %j', ([pasted, line]) => {
  expect(onOneLine(pasted)).toBe(line)
  expect([isOnOneLine(pasted), isOnOneLine(line)]).toEqual([pasted === line, true])
})
