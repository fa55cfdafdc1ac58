import { Stopped } from '@prospect/http-exchange/stopped'
import { expect, test } from 'vitest'
import { redirectOf } from './redirect.ts'

const from = new URL('https://karoo.example/shop/start')

test.each([
  ['/contact', 'https://karoo.example/contact', 'same_site'],
  ['about', 'https://karoo.example/shop/about', 'same_site'],
  ['//www.karoo.example/', 'https://www.karoo.example/', 'same_site'],
  ['HTTPS://KAROO.example/#part', 'https://karoo.example/', 'same_site'],
  ['https://karoo.example:443/', 'https://karoo.example/', 'same_site'],
  ['http://karoo.example/', 'http://karoo.example/', 'downgrade'],
  ['https://shop.karoo.example/', 'https://shop.karoo.example/', 'off_site'],
  ['https://karoo.example.evil.example/', 'https://karoo.example.evil.example/', 'off_site'],
  ['https://wwwkaroo.example/', 'https://wwwkaroo.example/', 'off_site'],
  ['http://elsewhere.example/', 'http://elsewhere.example/', 'off_site'],
  ['https://karoo.example:8443/', 'https://karoo.example:8443/', 'off_site'],
  ['https://user:secret@karoo.example/', 'https://karoo.example/', 'off_site'],
  ['https://127.0.0.1/', 'https://127.0.0.1/', 'off_site'],
  ['javascript:alert(1)', 'javascript:alert(1)', 'off_site'],
])('%s leads to %s: %s', (location, target, scope) => {
  expect(redirectOf(from, [location])).toEqual({ target, scope })
})

test('from http to https on the same site is no downgrade', () => {
  expect(redirectOf(new URL('http://karoo.example/'), ['https://www.karoo.example/'])).toMatchObject({
    scope: 'same_site',
  })
})

test.each([[[]], [['/a', '/b']], [['https://[/']]])('%j is an error', (locations) => {
  expect(() => redirectOf(from, locations)).toThrow(Stopped)
})
