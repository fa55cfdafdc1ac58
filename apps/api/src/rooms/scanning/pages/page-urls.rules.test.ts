import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { storedBounds } from '../bounds.ts'
import { isSameSite, readPageUrl, storedUrl } from './page-urls.rules.ts'

describe('addresses of pages', () => {
  test.each([
    'ftp://karoo.co.za/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://karoo.co.za:8443/',
    'http://karoo.co.za:443/',
    'https://localhost/',
    'https://intranet/',
    'https://karoo.co.za./',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http:127.0.0.1',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fe80::1%25eth0]/',
    'karoo.co.za',
    'http://ka\troo.co.za/',
    'http://karoo.co.za/a\nhttp://karoo.co.za/b',
    '',
  ])('%s is none', (text) => expect(readPageUrl(text)).toBeUndefined())

  test.each([
    ['HTTPS://User:pw@Karoo.co.za:443/a#b', 'https://karoo.co.za/a'],
    ['http://bücher.co.za/', 'http://xn--bcher-kva.co.za/'],
  ])('%s is read as %s', (text, href) => expect(readPageUrl(text)?.href).toBe(href))
})

test.each([
  ['karoo.co.za', 'www.karoo.co.za', true],
  ['karoo.co.za', 'shop.karoo.co.za', false],
  ['www.karoo.co.za', 'www2.karoo.co.za', false],
])('%s and %s are the same site: %s', (one, other, isSame) => expect(isSameSite(one, other)).toBe(isSame))

describe('stored addresses', () => {
  const stored = (text: string) => storedUrl(new URL(text))

  test.each([
    ['https://a.co.za/people/jan@karoo.co.za', 'https://a.co.za/people/***'],
    ['https://a.co.za/people/jan%40karoo.co.za', 'https://a.co.za/people/***'],
    ['https://a.co.za/people/jan%2540karoo.co.za', 'https://a.co.za/people/***'],
    ['https://a.co.za/call/021-555-0105', 'https://a.co.za/call/***'],
    ['https://a.co.za/2026/11/25/news', 'https://a.co.za/2026/11/25/news'],
    ['https://a.co.za/?mail=jan%40karoo.co.za&page=2', 'https://a.co.za/?mail=***&page=2'],
    ['https://a.co.za/?tel=0215550105', 'https://a.co.za/?tel=***'],
    ['https://a.co.za/?jan@karoo.co.za', 'https://a.co.za/?***'],
    [
      'https://a.co.za/?token=abc&a_key=x&signature=y&password=z&session=1&lang=en',
      'https://a.co.za/?token=***&a_key=***&signature=***&password=***&session=***&lang=en',
    ],
    ['https://a.co.za/x;jsessionid=12AB?y=1', 'https://a.co.za/x;jsessionid=***?y=1'],
    ['https://a.co.za/?keyword=fence&author=jan', 'https://a.co.za/?keyword=fence&author=jan'],
    ['https://u:p@a.co.za/x#y', 'https://a.co.za/x'],
  ])('%s', (from, to) => expect(stored(from)).toBe(to))

  test('no address keeps an @, seven digits in one part, or more than its bound', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.webPath(), (url, path) => {
        const text = stored(`${url.split('?')[0]}${path}?${url.split('?')[1] ?? ''}`)
        const parts = text.replace(/^https?:\/\/[^/]*/, '').split(/[/?&=;]/)
        expect(text.length).toBeLessThanOrEqual(storedBounds.urlLength)
        for (const part of parts) {
          expect(decodeURIComponent(part.replace(/%(?![\da-f]{2})|%[89a-f][\da-f]/gi, ''))).not.toMatch(/@/)
          expect(part.replace(/%[\da-f]{2}/gi, '').replace(/\D/g, '').length).toBeLessThan(8)
        }
      }),
    )
  })
})
