import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameSite, pageUrlSchema } from './web-page.ts'

test.each([
  'http://karoo.example/',
  'https://www.karoo.example/a/b?c=d&e',
  'https://xn--bcher-kva.example/',
  'http://karoo.example/%C3%A9',
])('%s is the URL of a page', (url) => {
  expect(pageUrlSchema.safeParse(url).success).toBe(true)
})

test.each([
  '',
  'karoo.example',
  'http://karoo.example',
  'HTTP://karoo.example/',
  'http://karoo.example:80/',
  'http://karoo.example:8080/',
  'http://karoo.example/#',
  'http://karoo.example/#a',
  'http://a@karoo.example/',
  'http://:b@karoo.example/',
  'http://karoo.example./',
  'http://localhost/',
  'http://karoo/',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://[::1]/',
  'http://bücher.example/',
  'http://karoo.example/é',
  'ftp://karoo.example/',
  'javascript:alert(1)',
  'http://karoo.example/a b',
  'http://karoo.example/\n',
  `http://karoo.example/${'a'.repeat(2_000)}`,
])('%j is not', (url) => {
  expect(pageUrlSchema.safeParse(url).success).toBe(false)
})

test.each([
  ['karoo.example', 'karoo.example', true],
  ['www.karoo.example', 'karoo.example', true],
  ['karoo.example', 'www.karoo.example', true],
  ['shop.karoo.example', 'karoo.example', false],
  ['www.shop.karoo.example', 'karoo.example', false],
  ['wwwkaroo.example', 'karoo.example', false],
  ['www2.karoo.example', 'karoo.example', false],
  ['karoo.example.evil.example', 'karoo.example', false],
])('%s and %s are the same site: %s', (one, other, isSame) => {
  expect(isSameSite(one, other)).toBe(isSame)
})

test('the same site is the same both ways', () => {
  const host = fc.constantFrom('a.example', 'www.a.example', 'www.www.a.example', 'b.example')
  fc.assert(fc.property(host, host, (one, other) => isSameSite(one, other) === isSameSite(other, one)))
})
