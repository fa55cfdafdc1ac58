import type { NoSettings } from '@prospect/adapter-contract/adapter'
import { dnsServer } from '@prospect/adapter-contract/test-kit/dns-server'
import { requestOf } from '@prospect/adapter-contract/test-kit/request-of'
import { closedPort, drip, httpServer, LOOPBACK, rawServer } from '@prospect/adapter-contract/test-kit/servers'
import { type Expected, type Scene, testAdapter, unavailable } from '@prospect/adapter-contract/test-kit/test-adapter'
import { type WebQuery, webPageSchema, webTraceSchema } from '@prospect/adapter-contract/web-page'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { answerOf, dialTo, nameServer } from '../test/site.ts'
import { webQuery } from '../test/web-query.ts'
import { webFetchAdapter } from './adapter.ts'
import { fetchPage } from './fetch-page.ts'

const adapter = webFetchAdapter()
const limits = webQuery.limits

type Server = { port: number; connections?(): number; open?(): number }

/** Returns a scene that runs the transport, except that its connections go to a server of the test. */
async function at(server: Server, expected: Expected<WebQuery>, part: Partial<Scene<WebQuery, NoSettings>> = {}) {
  const { port } = await nameServer()
  const means = {
    nameServers: [{ address: LOOPBACK, port }],
    userAgent: 'test',
    dial: dialTo(server.port).dial,
    ca: undefined,
  }
  return {
    transport: { request: (input) => fetchPage(input, means) },
    query: webQuery,
    settings: {},
    received: () => server.connections?.() ?? 0,
    open: () => server.open?.() ?? 0,
    expected,
    ...part,
  } satisfies Scene<WebQuery, NoSettings>
}

const raw = (text: string) => rawServer((socket) => socket.end(text))
const status = (code: number) => httpServer((_request, response) => response.writeHead(code).end())

testAdapter({
  version: manifest.version,
  adapter,
  query: webQuery,
  settings: {},
  badQueries: {
    'an address': { ...webQuery, url: 'http://8.8.8.8/' },
    'an address in another spelling': { ...webQuery, url: 'http://0x7f.1/' },
    'another port': { ...webQuery, url: 'https://karoo.example:8443/' },
    'user information': { ...webQuery, url: 'https://me@karoo.example/' },
    'a fragment': { ...webQuery, url: 'https://karoo.example/#top' },
    'another scheme': { ...webQuery, url: 'ftp://karoo.example/' },
    'a URL that is not normalized': { ...webQuery, url: 'https://karoo.example/a/../b' },
    'no business': { ...webQuery, businessId: '' },
    'more time than the ceiling': { ...webQuery, limits: { ...limits, totalMs: 15_001 } },
    'more bytes than the ceiling': { ...webQuery, limits: { ...limits, wireBytes: 2_000_001 } },
    'more decoded bytes than the ceiling': { ...webQuery, limits: { ...limits, decodedBytes: 4_000_001 } },
    'a method': { ...webQuery, method: 'POST' },
  },
  badSettings: {
    'a proxy': { proxy: 'http://127.0.0.1' },
    'a name server': { nameServers: [{ address: LOOPBACK }] },
    'an exception to the address policy': { allow: ['127.0.0.0/8'] },
  },
  recordSchema: webPageSchema,
  traceSchema: webTraceSchema,
  scenes: {
    answers: async () => at(await status(200), { outcome: 'answered', isComplete: true, next: null }),
    silent: async () => at(await rawServer(() => {}), unavailable('timeout'), { call: { timeoutMs: 200 } }),
    dripping: async () =>
      at(await rawServer((socket) => drip(socket, 'HTTP/1.1 200 OK')), unavailable('timeout'), {
        call: { timeoutMs: 200 },
      }),
    absent: async () => at({ port: await closedPort() }, unavailable('connection_failed')),
    malformed: async () => at(await raw('SSH-2.0'), unavailable('answer_invalid')),
    oversized: async () =>
      at(
        await raw(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(9_000)}`),
        { outcome: 'answered', isComplete: false },
        { call: { maxBytes: 5_000 } },
      ),
  },
  more: {
    'defers the request': async () =>
      at(await status(429), { outcome: 'deferred', cause: 'rate_limited', retryAfterMs: null }),
    'does not permit access': async () => at(await status(403), unavailable('access_denied')),
    fails: async () => at(await status(500), { outcome: 'answered', isComplete: true }),
  },
})

describe('the adapter that an operator loads', () => {
  test.each([
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2a00:1450::5efe:7f00:1',
  ])('refuses %s, with every setting that there is', async (address) => {
    const site = await httpServer((_request, response) => response.end('reached'))
    const family = address.includes(':') ? { aaaa: [address] } : { a: [address] }
    const names = await dnsServer((question) => answerOf(question, family))
    const transport = await webFetchAdapter({
      id: 'other',
      nameServers: [{ address: LOOPBACK, port: names.port }],
      contactUrl: 'https://operator.example/',
    }).load()
    for (const url of ['http://karoo.example/', 'https://karoo.example/']) {
      const result = await requestOf({ transport, query: { ...webQuery, url }, settings: {} })
      expect(result).toMatchObject({
        outcome: 'unavailable',
        cause: 'destination_denied',
        trace: { address, verdict: 'denied' },
      })
    }
    expect(site.connections()).toBe(0)
  })

  test.each([
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '0x7f.1',
    '2130706433',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:7f00:1]',
    'localhost',
    'localhost.',
    '0',
  ])('refuses a URL of %s, parsed or not', async (host) => {
    const transport = await adapter.load()
    for (const url of [`http://${host}/`, new URL(`http://${host}/`).href]) {
      expect(adapter.querySchema.safeParse({ ...webQuery, url }).success).toBe(false)
      expect(await requestOf({ transport, query: { ...webQuery, url }, settings: {} })).toMatchObject({
        cause: 'destination_denied',
      })
    }
  })

  test('takes neither a way to connect nor an authority', () => {
    for (const part of [
      { dial: () => {} },
      { ca: 'certificate' },
      { allow: [LOOPBACK] },
      { proxy: 'http://127.0.0.1' },
    ])
      expect(() => webFetchAdapter(part as object)).toThrow('The web-fetch adapter is configured wrongly:')
  })
})

describe('a wrong configuration is refused by a sentence', () => {
  test.each([
    [{ nameServers: [{ address: 'dns.example' }] }, 'nameServers.0.address must be an IP address.'],
    [
      { nameServers: Array.from({ length: 5 }, () => ({ address: LOOPBACK })) },
      'nameServers must name at most 4 servers.',
    ],
    [{ contactUrl: 'operator.example' }, 'contactUrl must be a web address.'],
    [{ contactUrl: 'https://operator.example/ä' }, 'contactUrl must be printable ASCII.'],
    [{ id: 'Web Fetch' }, 'id must be lower-case letters'],
  ])('%j', (config, sentence) => {
    expect(() => webFetchAdapter(config)).toThrow(`The web-fetch adapter is configured wrongly: ${sentence}`)
  })
})
