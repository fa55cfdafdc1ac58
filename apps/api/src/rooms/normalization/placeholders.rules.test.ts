import { expect, test } from 'vitest'
import { isFakeAddress, saysNone } from './placeholders.rules.ts'

test.for([
  'n/a',
  'N/A',
  'n.a.',
  ' na ',
  'Ｎ／Ａ',
  'None',
  'none.',
  '(none)',
  'NVT',
  'n.v.t.',
  'geen',
  'Geen e-pos',
  'no email',
  'Not available',
  'nie beskikbaar',
  'unknown',
  'TBC',
  '-',
  '--',
  '—',
  '.',
  '?',
  '@',
  '+',
  '0',
  '000 000 0000',
  'xxx',
  'null',
  '\u200bn/a',
])('“%s” says that there is no value', (text, { expect }) => {
  expect(saysNone(text)).toBe(true)
})

test.for([
  'none@none.com',
  'na.co.za',
  'nil.example',
  '082 555 0199',
  '0800 000 000',
  '00 27 82 555 0199',
  'n/a until Monday: 082 555 0199',
  'Nana',
  'no-reply@karoo.co.za',
  'geen.co.za',
  '😀',
  'x.com',
])('“%s” does not', (text, { expect }) => {
  expect(saysNone(text)).toBe(false)
})

test('an address whose name and domain are such words belongs to nobody', () => {
  for (const address of ['none@none.com', 'test@test.com', 'test@test.co.za', 'no@email.com', 'noemail@noemail.co.za'])
    expect([address, isFakeAddress(address)]).toEqual([address, true])
  for (const address of ['test@karoo.co.za', 'info@test.com', 'jan@mail.com', 'mail@karoo.co.za', 'none', ''])
    expect([address, isFakeAddress(address)]).toEqual([address, false])
})
