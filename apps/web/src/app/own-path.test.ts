import { describe, expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

const origin = 'https://prospects.example.co.za'

describe('the page to open after a sign-in', () => {
  test.for([
    ['/prospects/1?tab=notes#n2', '/prospects/1?tab=notes#n2'],
    ['/duplicates?band=strong', '/duplicates?band=strong'],
    ['jobs', '/jobs'],
    [`${origin}/jobs`, '/jobs'],
    // Without slashes, a URL with the scheme of the page is relative to the page.
    ['https:evil.example', '/evil.example'],
    ['/jobs/../audit', '/audit'],
    ['/search?q=https://evil.example', '/search?q=https://evil.example'],
  ] as const)('is a path of this app: %s', ([next, path]) => {
    expect(ownPath(next, origin)).toBe(path)
  })

  test.for([
    'https://evil.example/x',
    'http://prospects.example.co.za/x',
    'https://prospects.example.co.za:8443/x',
    'https://prospects.example.co.za@evil.example/',
    '//evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example/x',
    '\t//evil.example/x',
    '/\t/evil.example/x',
    '/.//evil.example/x',
    '/jobs/..//evil.example/x',
    `${origin}//evil.example/x`,
    'http:evil.example',
    'javascript:alert(1)',
    'data:text/html,evil',
    'blob:https://prospects.example.co.za/1',
    'https://',
    '/sign-in',
    '/sign-in?next=/jobs',
    '/jobs/../sign-in',
    ['/jobs'],
    7,
    null,
    undefined,
  ])('is not %j', (next) => {
    expect(ownPath(next, origin)).toBeUndefined()
  })
})
