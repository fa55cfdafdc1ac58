import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mailAddressesIn, numbersIn } from '../../contact-gate/contact-gate.ts'
import { maskContactValues } from './mask-values.rules.ts'

test.each([
  ['Karoo Windpumps', 'Karoo Windpumps'],
  ['Contact us | info@karoo.co.za', 'Contact us | •••'],
  ['info [at] karoo.co.za', '•••'],
  ['info at karoo dot co dot za', '•••'],
  ['Call +27 (21) 555-0105 now', 'Call ••• now'],
  ['Reg. 2015/123456/07', 'Reg. •••'],
  ['Founded 1998', 'Founded 1998'],
  ['karoo.co.za – Home', 'karoo.co.za – Home'],
  ['www.karoo.co.za', 'www.karoo.co.za'],
  ['Hosted by other.co.za', 'Hosted by •••'],
  ['index.html', 'index.html'],
])('%s', (title, masked) => expect(maskContactValues(title, ['karoo.co.za'])).toBe(masked))

test('no address and no number is left in a title', () => {
  const part = fc.constantFrom(
    'info@karoo.co.za',
    '021 555 0105',
    '+27215550105',
    'jan at karoo dot co dot za',
    ' ',
    '-',
    'Fences',
    '(',
    '.',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const masked = maskContactValues(parts.join(''), [])
      expect([mailAddressesIn(masked), numbersIn(masked, null)]).toEqual([[], []])
    }),
  )
})
