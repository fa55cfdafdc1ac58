import type { Adapter } from '@prospect/adapter-contract/adapter'
import { type DnsServe, dnsServer, emptyAnswer } from '@prospect/adapter-contract/test-kit/dns-server'
import { LOOPBACK } from '@prospect/adapter-contract/test-kit/servers'
import * as dnsPacket from 'dns-packet'
import { expect, test } from 'vitest'
import { type DnsWorld, dnsWorldOf } from '../../../../apps/api/test/dns-world.ts'
import { walk } from '../../../../apps/api/test/prospects.ts'
import { dnsAdapter } from '../src/adapter.ts'

/* Tests DNS checks of the API with the real adapter against a name server on loopback. The requests are sent through the source registry. */

const NAME = 'karoo.co.za'

async function checksWith(serve: DnsServe, changes: Record<string, unknown> = {}) {
  const server = await dnsServer(serve)
  const adapter = dnsAdapter({ resolvers: [{ name: 'office', address: LOOPBACK, port: server.port }] })
  const world = await dnsWorldOf(adapter as Adapter, {
    scope: { fields: ['status', 'records', 'ttl', 'aliases'], provinces: [], maxRecords: 2 },
    ...changes,
  })
  return { ...world, server }
}

const healthOf = async ({ author, sourceId }: DnsWorld) =>
  (await author.get<{ items: object[] }>(`/sources/${sourceId}/health?interval=day`)).body.items

test('a silent resolver is a timeout: retried by the contract, counted, and it opens the circuit', async () => {
  const world = await checksWith(() => undefined, {
    timeoutMs: 1_000,
    retry: { maxAttempts: 2 },
    circuit: { failureRatio: 1, consecutiveFailures: 3, latencyMs: 100_000, closeAfterSuccesses: 1 },
  })
  expect(await world.checked(NAME)).toMatchObject([{ status: 'timeout', errorReason: null, resolver: 'office' }])
  expect(world.server.questions).toHaveLength(2)
  expect(await world.checked('other.co.za')).toMatchObject([{ status: 'timeout', errorReason: null }])
  expect(world.server.questions).toHaveLength(3)
  expect(await world.read(world.sourceId)).toMatchObject({
    circuit: { state: 'open', cause: 'consecutive_failures' },
  })
  expect(await healthOf(world)).toMatchObject([{ requests: 3, timeouts: 3, errors: 0 }])
  expect((await world.check('third.co.za')).body).toMatchObject({ outcome: 'unavailable', reason: 'circuit_open' })
})

const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: NAME,
    type: 'TXT' as const,
    ttl: 300,
    data: [`v=verification${index} ${'a'.repeat(200)}`, 'b'.repeat(255), 'c'],
  }))

/** Returns a truncated answer that contains these records. */
const truncated = (answers: dnsPacket.Answer[]) => ({ flags: dnsPacket.TRUNCATED_RESPONSE, answers })

test.each([
  ['without records', [], 1],
  ['with one of the records', texts(1), 3],
  ['of a set of 9,000 bytes', texts(2), 20],
])('after a truncated answer %s the complete one over TCP is stored', async (_what, partial, count) => {
  const all = texts(count)
  const world = await checksWith((_question, over) => (over === 'udp' ? truncated(partial) : { answers: all }))
  const [observation] = await world.checked(NAME, ['TXT'])
  expect(world.server.questions).toEqual([`UDP TXT ${NAME}`, `TCP TXT ${NAME}`])
  expect(observation).toMatchObject({ status: 'resolved', errorReason: null, isTruncated: false, isPartial: false })
  // Each record is the joined text of its strings.
  const wanted = all.map(({ data }) => ({ kind: 'TXT', text: data.join('') }))
  expect(observation?.records).toMatchObject(wanted)
  expect(await healthOf(world)).toMatchObject([{ requests: 2, answers: 2, errors: 0 }])
  const events = await walk<{ after: object }>(world.administrator, '/audit-events?action=source.answer', 10)
  expect(events[0]?.after).toMatchObject({ outcome: 'answered', isComplete: true, records: 2 })
})

test('a set that fills the size limit of the contract exactly is stored', async () => {
  const all = texts(4)
  const bytes = dnsPacket.encode({
    type: 'response',
    questions: [{ name: NAME, type: 'TXT' }],
    answers: all,
  }).length
  const serve: DnsServe = (question, over) =>
    over === 'udp' ? emptyAnswer(question, dnsPacket.TRUNCATED_RESPONSE) : { answers: all }
  const statusWith = async (maxBytes: number) =>
    (await (await checksWith(serve, { maxBytes })).checked(NAME, ['TXT']))[0]
  // Over TCP two bytes for the length precede the message.
  expect(await statusWith(bytes + 2)).toMatchObject({ status: 'resolved', records: [{}, {}, {}, {}] })
  expect(await statusWith(bytes + 1)).toMatchObject({ status: 'error', errorReason: 'truncated' })
})

test('the truncated answer stays, as partial, if there is none over TCP', async () => {
  const world = await checksWith((_question, over) => (over === 'udp' ? truncated(texts(1)) : undefined))
  const [observation] = await world.checked(NAME, ['TXT'])
  expect(observation).toMatchObject({ status: 'resolved', isTruncated: true, isPartial: true, records: [{}] })
  expect(await healthOf(world)).toMatchObject([{ requests: 2, answers: 1, timeouts: 1 }])
})
