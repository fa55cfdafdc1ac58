import { expect, test } from 'vitest'
import type { IdentifierKind } from '../../normalization/normalization.ts'
import { valuesOfCell } from './cell-values.rules.ts'

test.for<[IdentifierKind, string, string | null, string[]]>([
  ['phone', '021 555 6601; 082 555 8826', 'ZA', ['021 555 6601', '082 555 8826']],
  ['phone', '0825558826 0215556601', 'ZA', ['0825558826', '0215556601']],
  ['phone', '021 555 6601/2', 'ZA', ['+27215556602', '021 555 6601']],
  ['phone', 'WhatsApp: 082 555 8834', 'ZA', ['082 555 8834']],
  ['phone', '082-555-8802 (Jan)', 'ZA', ['082-555-8802']],
  ['phone', '2.7825558826E+10', 'ZA', ['+27825558826']],
  ['phone', '27825558826.0', 'ZA', ['27825558826']],
  ['phone', '+27 82 555 8826 ::: +27 21 555 8826', null, ['+27 82 555 8826', '+27 21 555 8826']],
  ['phone', 'kantoor 020 7946 0958', 'GB', ['020 7946 0958']],
  ['phone', '2.78E+10', 'ZA', []],
  ['phone', 'ask at the gate', 'ZA', []],
  ['phone', 'jan@karoo.co.za', 'ZA', []],
  ['email', 'Jan <jan@karoo.co.za>', null, ['jan@karoo.co.za']],
  ['email', 'jan@karoo.co.za, info@karoo.co.za;jan@karoo.co.za', null, ['jan@karoo.co.za', 'info@karoo.co.za']],
  ['email', 'jan [at] karoo.co.za', null, ['jan@karoo.co.za']],
  ['domain', 'www.karoo.co.za; karoo.com', null, ['www.karoo.co.za', 'karoo.com']],
  ['domain', 'sunrise motors', null, []],
])('a cell of kind %s with %j, read for %s, has the values %j', ([kind, cell, region, texts]) => {
  const { values, isWithoutCountry } = valuesOfCell(kind, cell, region)
  expect([values.map(({ text }) => text), isWithoutCountry]).toEqual([texts, false])
})

test('local numbers beside other text are not read without the country of the file', () => {
  expect(valuesOfCell('phone', '082 555 8826 / 021 555 6601', null)).toEqual({ values: [], isWithoutCountry: true })
  expect(valuesOfCell('phone', 'Jan 082 555 8826 or +27 21 555 6601', null)).toEqual({
    values: [{ text: '+27 21 555 6601', normalized: '+27215556601' }],
    isWithoutCountry: true,
  })
})
