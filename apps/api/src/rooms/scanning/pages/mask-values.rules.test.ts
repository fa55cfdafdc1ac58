import fc from 'fast-check'
import { expect, test } from 'vitest'
import { valuesIn } from '../../normalization/normalization.ts'
import { maskAround, maskContactValues } from './mask-values.rules.ts'

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
  ['082_765_4321·082·765·4321·082,765,4321', '•••·•••·•••'],
  ['Tel 082_765_4321 | 082 • 765 • 4321', 'Tel ••• | •••'],
  ['Since 2024 082 765 4321', 'Since •••'],
  ['Mail—quagga@vlei.co.za—today', 'Mail—•••—today'],
  ['jan@notadomain', '•••'],
])('%s', (title, masked) => expect(maskContactValues(title, ['karoo.co.za'])).toBe(masked))

test('one place stays, and values that touch it are masked', () => {
  const text = '082_765_4321·info@karoo.co.za·082,765,4321'
  const from = text.indexOf('info')
  const around = maskAround(text, { from, to: from + 'info@karoo.co.za'.length }, [])
  expect(around).toEqual({ before: '•••·', behind: '·•••' })
})

test('no address, no number and no digit of a number is left in a title', () => {
  const separator = fc.constantFrom(' ', '_', '·', ',', ' • ', '−', '*', '|', ':', '/')
  fc.assert(
    fc.property(fc.array(separator, { minLength: 8, maxLength: 8 }), ([a, b, c, d, e, f, g, h]) => {
      const text = `Call 082${a}765${b}4321${c}${d}082${e}765${f}4321${g}now${h}`
      expect(maskContactValues(text, [])).not.toMatch(/\d/)
    }),
  )
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
      expect(valuesIn(masked)).toEqual([])
    }),
  )
})
