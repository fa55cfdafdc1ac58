import { expect, test } from 'vitest'
import type { IdentifierKind } from '../../normalization/normalization.ts'
import { onlyValueIn, severalIn } from '../record/values-in-field.ts'

test.each<[IdentifierKind, string, [value: string, words?: string][]]>([
  ['phone', '082 555 0199 / 011 555 0123', [['082 555 0199'], ['011 555 0123']]],
  ['phone', '0825550199;+27 (0)11 555-0123; 021 555 0101', [['0825550199'], ['+27 (0)11 555-0123'], ['021 555 0101']]],
  ['phone', '082 555 0199 of 011 555 0123', [['082 555 0199'], ['011 555 0123']]],
  ['phone', '+27 82 555 0199 +27 11 555 0123', [['+27 82 555 0199'], ['+27 11 555 0123']]],
  ['phone', '+27825550199+27115550123', [['+27825550199'], ['+27115550123']]],
  ['phone', '082 555 0199 011 555 0123', [['082 555 0199'], ['011 555 0123']]],
  ['phone', '082 555 0199011 555 0123 021-555-0101', [['082 555 0199'], ['011 555 0123'], ['021-555-0101']]],
  ['phone', '0215550101\t0825550199', [['0215550101'], ['0825550199']]],
  [
    'phone',
    '082-555-8802 (Jan), 011 555 0123 (Piet)',
    [
      ['082-555-8802', 'Jan'],
      ['011 555 0123', 'Piet'],
    ],
  ],
  [
    'phone',
    'Office: 021 555 0101 Cell: 082 555 0199',
    [
      ['021 555 0101', 'Office'],
      ['082 555 0199', 'Cell'],
    ],
  ],
  ['phone', '021 555 0101 x4 or 082 555 0199', [['021 555 0101', 'x4'], ['082 555 0199']]],
  ['email', 'a@x.co.za; b@x.co.za', [['a@x.co.za'], ['b@x.co.za']]],
  ['email', 'a@x.co.za b@x.co.za', [['a@x.co.za'], ['b@x.co.za']]],
  ['email', 'a@x.co.za,b@x.co.za,', [['a@x.co.za'], ['b@x.co.za']]],
  [
    'email',
    'Jan Smit <a@x.co.za>, Thandi <b@x.co.za>',
    [
      ['a@x.co.za', 'Jan Smit'],
      ['b@x.co.za', 'Thandi'],
    ],
  ],
  [
    'email',
    '"Smit, Jan" <a@x.co.za>; "Botha, Piet" <b@x.co.za>',
    [
      ['a@x.co.za', 'Smit, Jan'],
      ['b@x.co.za', 'Botha, Piet'],
    ],
  ],
  ['domain', 'x.co.za, https://www.y.co.za/contact', [['x.co.za'], ['https://www.y.co.za/contact']]],
  ['domain', 'x.co.za en y.co.za', [['x.co.za'], ['y.co.za']]],
])('splits %s values of “%s”', (kind, typed, parts) => {
  expect(severalIn(kind, typed, 'ZA')).toEqual(parts.map(([value, words = '']) => ({ value, words })))
})

test.each<[IdentifierKind, string, string | null]>([
  ['phone', '', null],
  ['phone', '082 555 0199', null],
  ['phone', '+27 (0) 82 555 0199', null],
  ['phone', '082 555 0199 0', '082 555 0199'],
  ['phone', '00 27 82 555 0199', null],
  ['phone', '011 555 0123/4', null],
  ['phone', '011 555 0123 / ext 12', '011 555 0123'],
  ['phone', '082 555 0199, ask for Jan', '082 555 0199'],
  ['email', 'a@x.co.za;', 'a@x.co.za'],
  ['email', 'Jan Smit <a@x.co.za>', 'a@x.co.za'],
  ['email', 'a@x.co.za, the owner', 'a@x.co.za'],
  ['email', 'x.co.za 082 555 0199', null],
  ['domain', 'https://x.co.za/a/b', null],
  ['domain', 'https://x.co.za/?from=https://y.co.za', null],
  ['domain', 'x.co.za and so on', 'x.co.za'],
])('%s: “%s” has one value at most', (kind, typed, only) => {
  expect([severalIn(kind, typed, 'ZA'), onlyValueIn(kind, typed, 'ZA')]).toEqual([[], only])
})

test('a local number without a country is no value, and is not divided', () => {
  expect(severalIn('phone', '082 555 0199 / 011 555 0123', null)).toEqual([])
  expect(onlyValueIn('phone', 'Cell 082 555 0199', null)).toBeNull()
})
