import { expect, test } from 'vitest'
import type { IdentifierList } from './prospect-form.ts'
import { severalIn } from './split-values.ts'

test.each<[IdentifierList, string, string[]]>([
  ['phones', '082 555 0199 / 011 555 0123', ['082 555 0199', '011 555 0123']],
  ['phones', '0825550199;+27 (0)11 555-0123; 021 555 0101', ['0825550199', '+27 (0)11 555-0123', '021 555 0101']],
  ['phones', '082 555 0199 of 011 555 0123', ['082 555 0199', '011 555 0123']],
  ['phones', '+27 82 555 0199 +27 11 555 0123', ['+27 82 555 0199', '+27 11 555 0123']],
  ['phones', '082 555 0199 011 555 0123', ['082 555 0199', '011 555 0123']],
  ['phones', '082 555 0199011 555 0123 021-555-0101', ['082 555 0199', '011 555 0123', '021-555-0101']],
  ['emails', 'a@x.co.za; b@x.co.za', ['a@x.co.za', 'b@x.co.za']],
  ['emails', 'a@x.co.za b@x.co.za', ['a@x.co.za', 'b@x.co.za']],
  ['emails', 'a@x.co.za,b@x.co.za,', ['a@x.co.za', 'b@x.co.za']],
  ['emails', 'Jan Smit <a@x.co.za>, Thandi <b@x.co.za>', ['Jan Smit <a@x.co.za>', 'Thandi <b@x.co.za>']],
  ['domains', 'x.co.za, https://www.y.co.za/contact', ['x.co.za', 'https://www.y.co.za/contact']],
])('%s in “%s” are told apart', (list, typed, parts) => {
  expect(severalIn(list, typed)).toEqual(parts)
})

test.each<[IdentifierList, string]>([
  ['phones', ''],
  ['phones', '082 555 0199'],
  ['phones', '+27 (0) 82 555 0199'],
  ['phones', '082 555 0199 0'],
  ['phones', '00 27 82 555 0199'],
  ['phones', '011 555 0123/4'],
  ['phones', '011 555 0123 / ext 12'],
  ['phones', '082 555 0199, ask for Jan'],
  ['emails', 'a@x.co.za;'],
  ['emails', 'Jan Smit <a@x.co.za>'],
  ['emails', 'a@x.co.za, the owner'],
  ['emails', '"Smit, Jan" <a@x.co.za>'],
  ['domains', 'https://x.co.za/a/b'],
  ['domains', 'x.co.za and so on'],
])('%s: “%s” is left alone', (list, typed) => {
  expect(severalIn(list, typed)).toBeNull()
})
