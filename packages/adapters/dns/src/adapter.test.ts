import type { UnavailableCause } from '@prospect/adapter-contract/adapter'
import { type DnsQuery, dnsAnswerSchema, dnsTraceSchema } from '@prospect/adapter-contract/dns'
import { type DnsReply, dnsServer, emptyAnswer, withLength } from '@prospect/adapter-contract/test-kit/dns-server'
import { requestOf } from '@prospect/adapter-contract/test-kit/request-of'
import { closedPort, drip, LOOPBACK, rawServer } from '@prospect/adapter-contract/test-kit/servers'
import { type Expected, type Scene, testAdapter, unavailable } from '@prospect/adapter-contract/test-kit/test-adapter'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { dnsAdapter } from './adapter.ts'
import type { DnsSettings } from './rules.ts'

const query: DnsQuery = { name: 'karoo.example', kind: 'MX', over: 'udp' }
const settings: DnsSettings = { resolvers: ['office'], forbiddenNames: ['internal.example'] }
const adapter = dnsAdapter({ resolvers: [{ name: 'office', address: LOOPBACK, port: 53 }] })

const mx: DnsReply = {
  answers: [{ name: 'karoo.example', type: 'MX', ttl: 300, data: { preference: 10, exchange: 'mail.karoo.example' } }],
}

async function at(port: number, expected: Expected<DnsQuery>): Promise<Scene<DnsQuery, DnsSettings>> {
  const transport = await dnsAdapter({ resolvers: [{ name: 'office', address: LOOPBACK, port }] }).load()
  return { transport, query, settings, received: () => 0, expected }
}

async function overUdp(reply: (question: Buffer) => DnsReply, expected: Expected<DnsQuery>) {
  const server = await dnsServer(reply)
  return { ...(await at(server.port, expected)), received: () => server.questions.length }
}

async function overTcp(port: number, expected: Expected<DnsQuery>) {
  return { ...(await at(port, expected)), query: { ...query, over: 'tcp' as const } }
}

const failed = (cause: UnavailableCause) => unavailable(cause, 'transport')

testAdapter({
  version: manifest.version,
  adapter,
  query,
  settings,
  badQueries: {
    'an address instead of a name': { ...query, name: '127.0.0.1' },
    'a single label': { ...query, name: 'localhost' },
    'a final dot': { ...query, name: 'karoo.example.' },
    'an empty label': { ...query, name: 'karoo..example' },
    'capital letters': { ...query, name: 'Karoo.example' },
    'letters beyond ASCII': { ...query, name: 'bücher.example' },
    'a label of 64 characters': { ...query, name: `${'a'.repeat(64)}.example` },
    'a name of 254 characters': { ...query, name: `${'a23456789.'.repeat(25)}exam` },
    'an address record': { ...query, kind: 'A' },
    'a resolver of its own': { ...query, resolver: '192.0.2.1' },
  },
  badSettings: {
    'a resolver that the operator did not configure': { ...settings, resolvers: ['home'] },
    'an address': { ...settings, resolvers: [LOOPBACK] },
    'no resolver': { ...settings, resolvers: [] },
    'a resolver twice': { ...settings, resolvers: ['office', 'office'] },
    'a forbidden name that is none': { ...settings, forbiddenNames: ['*'] },
  },
  recordSchema: dnsAnswerSchema,
  traceSchema: dnsTraceSchema,
  scenes: {
    answers: () => overUdp(() => mx, { outcome: 'answered', isComplete: true, next: null }),
    silent: async () => ({ ...(await overUdp(() => undefined, failed('timeout'))), call: { timeoutMs: 200 } }),
    dripping: async () => {
      const server = await rawServer((socket) => drip(socket, `\u0001\u0000${'x'.repeat(256)}`))
      return {
        ...(await overTcp(server.port, failed('timeout'))),
        received: server.connections,
        open: server.open,
        call: { timeoutMs: 200 },
      }
    },
    absent: async () => at(await closedPort(), failed('connection_failed')),
    malformed: () =>
      overUdp((question) => emptyAnswer(question).subarray(0, 20), {
        ...failed('answer_invalid'),
        trace: { resolver: 'office', over: 'udp', reason: 'malformed' },
      }),
    oversized: () =>
      overUdp((question) => Buffer.concat([emptyAnswer(question), Buffer.alloc(1_300)]), failed('answer_too_large')),
  },
  more: {
    'is absent over TCP': async () => overTcp(await closedPort(), failed('connection_failed')),
    'closes a TCP connection halfway': async () => {
      const server = await rawServer((socket) => socket.end('\u0000\u0040half'))
      return {
        ...(await overTcp(server.port, failed('answer_invalid'))),
        received: server.connections,
        open: server.open,
      }
    },
    'announces more over TCP than the source allows': async () => {
      const server = await rawServer((socket) => socket.write(withLength(Buffer.alloc(0), 60_000)))
      return {
        ...(await overTcp(server.port, failed('answer_too_large'))),
        call: { maxBytes: 10_000 },
        received: server.connections,
        open: server.open,
      }
    },
  },
})

describe('the settings', () => {
  test('forbid a name and everything below it, in the plan and again in the transport', async () => {
    const forbidden = { ...query, name: 'mail.internal.example' }
    expect(adapter.plan({ query: forbidden, settings })).toEqual({
      kind: 'refused',
      reason: 'name_forbidden',
      message: 'The source forbids questions about mail.internal.example.',
    })
    const scene = await overUdp(() => mx, {})
    const result = await requestOf({ ...scene, query: forbidden })
    expect(result).toMatchObject({ outcome: 'unavailable', cause: 'destination_denied', trace: { resolver: null } })
    expect(scene.received()).toBe(0)
    expect(adapter.plan({ query: { ...query, name: 'notinternal.example' }, settings })).toMatchObject({
      kind: 'planned',
    })
  })

  test('send further attempts to the next resolver', async () => {
    const [first, second] = [await dnsServer(() => mx), await dnsServer(() => mx)]
    const both = dnsAdapter({
      resolvers: [
        { name: 'first', address: LOOPBACK, port: first.port },
        { name: 'second', address: LOOPBACK, port: second.port },
      ],
    })
    const transport = await both.load()
    for (const attempt of [1, 2, 3]) {
      const selected = { resolvers: ['second', 'first'], forbiddenNames: [] }
      const result = await requestOf({ transport, query, settings: selected, attempt })
      expect(result.trace).toMatchObject({ resolver: attempt === 2 ? 'first' : 'second' })
    }
    expect([first.questions.length, second.questions.length]).toEqual([1, 2])
  })
})

describe('a wrong configuration is refused by a sentence', () => {
  test.each([
    ['no resolver', [], 'resolvers must name a resolver.'],
    ['a host name', [{ name: 'office', address: 'dns.example' }], 'resolvers.0.address must be an IP address.'],
    [
      'a name twice',
      [
        { name: 'office', address: '10.0.0.1' },
        { name: 'office', address: '10.0.0.2' },
      ],
      'resolvers must not use a name twice.',
    ],
    ['a name with capitals', [{ name: 'Office', address: '10.0.0.1' }], 'resolvers.0.name must be lower-case letters'],
  ])('%s', (_what, resolvers, sentence) => {
    expect(() => dnsAdapter({ resolvers })).toThrow(`The dns adapter is configured wrongly: ${sentence}`)
  })
})

test('a plan over UDP leaves room for the whole answer over TCP beside the truncated one', () => {
  expect(adapter.plan({ query, settings })).toMatchObject({ kind: 'planned', maxRequests: 2, maxRecords: 2 })
  expect(adapter.plan({ query: { ...query, over: 'tcp' }, settings })).toMatchObject({ maxRequests: 1, maxRecords: 1 })
})
