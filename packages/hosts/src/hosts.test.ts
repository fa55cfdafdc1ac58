import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectedHosts, hostName, MAX_REPORTED_HOSTS, originName, readPublicHosts, singleHost } from './hosts.ts'

function watched(publicHosts: string[] = []) {
  const lines: string[] = []
  return { hosts: expectedHosts(publicHosts, (_details, sentence) => lines.push(sentence)), lines }
}

/** Returns a request in Fastify's form. `host` is the forwarded host if a trusted proxy sent one. */
function asked(sent: string[], { host = sent[0] ?? '', url = '/' } = {}) {
  return { raw: { rawHeaders: ['Accept', '*/*', ...sent.flatMap((value) => ['Host', value])], url }, host }
}

describe('the name of a host', () => {
  test.each([
    ['localhost', 'localhost'],
    ['Prospects.Example:8443', 'prospects.example'],
    ['127.0.0.1:', '127.0.0.1'],
    ['my_service:80', 'my_service'],
    ['[::1]:8080', '[::1]'],
    ['[FD00::1]', '[fd00::1]'],
  ])('%s is read as %s', (host, name) => {
    expect(hostName(host)).toBe(name)
  })

  test.each([
    '',
    ':',
    ':80',
    'a b',
    'a,b',
    'a/b',
    'a@b',
    'a:b',
    'a:65536',
    'a:1:2',
    '[::1',
    '::1',
    '[]',
    '[::1]x',
    '[12345::]',
    'käroo.example',
    'a\nb',
    `${'x'.repeat(254)}`,
  ])('%j names no host', (host) => {
    expect(hostName(host)).toBeUndefined()
  })

  test('any text is read as a name without a port, or as none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webAuthority({ withPort: true })), (text) => {
        expect(hostName(text) ?? 'none').toMatch(/^(?:[a-z0-9._-]{1,253}|\[[\da-f:.]+\])$/)
      }),
    )
  })
})

describe('the name of an origin', () => {
  test.each([
    ['http://localhost:8080', 'localhost'],
    ['https://prospects.example', 'prospects.example'],
    ['http://[::1]:8080', '[::1]'],
  ])('%s is read as %s', (origin, name) => {
    expect(originName(origin)).toBe(name)
  })

  test.each([
    'null',
    '',
    'localhost',
    'ftp://localhost',
    'https://a.example/',
    'https://u@a.example',
    'file://',
    'x:y',
  ])('%j names none', (origin) => {
    expect(originName(origin)).toBeUndefined()
  })
})

describe('PUBLIC_HOSTS', () => {
  test('is a list of names as browsers send them; ports and empty entries do not count', () => {
    expect(readPublicHosts('api,web,')).toEqual(['api', 'web'])
    expect(readPublicHosts(' Prospects.Example:8443 , münchen.example, [FD00:0::1],10.0.0.2 ')).toEqual([
      'prospects.example',
      'xn--mnchen-3ya.example',
      '[fd00::1]',
      '10.0.0.2',
    ])
    expect(readPublicHosts('')).toEqual([])
  })

  test.each(['https://a.example', 'a.example/x', '*.a.example', 'a b', 'u@a.example', 'a.example?x', 'fd00::1'])(
    '%s is refused',
    (list) => {
      expect(readPublicHosts(`good.example,${list}`)).toBeUndefined()
    },
  )
})

describe('a request', () => {
  test.each([
    ['localhost'],
    ['localhost:9090'],
    ['LOCALHOST:8080'],
    ['127.0.0.1:8000'],
    ['127.8.9.10'],
    ['[::1]:8080'],
    ['prospects.example'],
    ['Prospects.Example:1'],
  ])('for %s is answered', (host) => {
    const { hosts, lines } = watched(['prospects.example'])
    expect(hosts.refusalOf(asked([host]))).toBeUndefined()
    expect(lines).toEqual([])
  })

  test.each([
    'evil.example',
    'prospects.example.evil.example',
    'xlocalhost',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.999',
    '128.0.0.1',
    '[::2]',
  ])('for %s is refused', (host) => {
    expect(watched(['prospects.example']).hosts.refusalOf(asked([host]))).toBe('unexpected_host')
  })

  test('without a Host, with two of them, or with one that names no host is refused under any name', () => {
    const { hosts, lines } = watched()
    for (const sent of [[], ['localhost', 'localhost'], ['localhost', 'evil.example'], ['a b'], ['']]) {
      expect(hosts.refusalOf(asked(sent))).toBe('no_single_host')
      expect(hosts.refusalOf(asked(sent), { anyHost: true })).toBe('no_single_host')
      expect(singleHost(asked(sent).raw.rawHeaders)).toBeUndefined()
    }
    expect(hosts.refusalOf(asked(['localhost'], { host: 'a b' }))).toBe('no_single_host')
    expect(lines).toEqual([])
  })

  test('is judged by its Host and by what a trusted proxy forwards', () => {
    const { hosts } = watched(['prospects.example'])
    expect(hosts.refusalOf(asked(['127.0.0.1'], { host: 'prospects.example' }))).toBeUndefined()
    expect(hosts.refusalOf(asked(['127.0.0.1'], { host: 'evil.example' }))).toBe('unexpected_host')
    expect(hosts.refusalOf(asked(['evil.example'], { host: 'prospects.example' }))).toBe('unexpected_host')
  })

  test('is judged by its target too, where that is a whole URL', () => {
    const { hosts } = watched()
    expect(hosts.refusalOf(asked(['localhost'], { url: 'http://localhost:8080/x' }))).toBeUndefined()
    expect(hosts.refusalOf(asked(['localhost'], { url: '*' }))).toBeUndefined()
    expect(hosts.refusalOf(asked(['localhost'], { url: 'http://evil.example/x' }))).toBe('unexpected_host')
    expect(hosts.refusalOf(asked(['localhost'], { url: 'x' }))).toBe('no_single_host')
  })

  test('is answered under each valid name where any host will do, and none is reported', () => {
    const { hosts, lines } = watched()
    for (const host of ['evil.example', '10.0.0.1:8000', 'my_probe'])
      expect(hosts.refusalOf(asked([host]), { anyHost: true })).toBeUndefined()
    expect(lines).toEqual([])
  })
})

describe('a name that is missing from the list', () => {
  test('is logged once, with the setting that adds it to those that are there', () => {
    const { hosts, lines } = watched(['api', 'localhost', 'web'])
    for (const host of ['Prospects.Example:8443', 'prospects.example', 'other.example', 'prospects.example'])
      hosts.refusalOf(asked([host]))
    expect(lines).toEqual([
      'prospects.example is no expected host. To answer under this name, set PUBLIC_HOSTS=api,web,prospects.example',
      'other.example is no expected host. To answer under this name, set PUBLIC_HOSTS=api,web,other.example',
    ])
  })

  test('is refused without a line once a hundred others were logged', () => {
    const { hosts, lines } = watched()
    for (let at = 0; at < 2 * MAX_REPORTED_HOSTS; at++)
      expect(hosts.refusalOf(asked([`h${at}.example`]))).toBe('unexpected_host')
    expect([MAX_REPORTED_HOSTS, lines.length]).toEqual([100, 100])
  })
})
