import { createSocket } from 'node:dgram'
import type { TransportResult } from '@prospect/adapter-contract/adapter'
import { type DnsAnswer, type DnsQuery, dnsAnswerSchema } from '@prospect/adapter-contract/dns'
import {
  type DnsReply,
  type DnsServe,
  dnsServer,
  emptyAnswer,
  rcode,
} from '@prospect/adapter-contract/test-kit/dns-server'
import { requestOf } from '@prospect/adapter-contract/test-kit/request-of'
import { LOOPBACK } from '@prospect/adapter-contract/test-kit/servers'
import * as dnsPacket from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dnsAdapter } from './adapter.ts'
import { encodeQuestion, readAnswer } from './message.ts'

const NAME = 'karoo.example'
const TRUNCATED = dnsPacket.TRUNCATED_RESPONSE

/** Sends a query, and afterwards each `next` query, as `askSource` does. Returns all results. */
async function ask(serve: DnsServe, part: Partial<DnsQuery> = {}) {
  const server = await dnsServer(serve)
  const transport = await dnsAdapter({ resolvers: [{ name: 'test', address: LOOPBACK, port: server.port }] }).load()
  const settings = { resolvers: ['test'], forbiddenNames: [] }
  const results = []
  let query: DnsQuery | null = { name: NAME, kind: 'MX', over: 'udp', ...part }
  while (query !== null) {
    const result: TransportResult<DnsQuery> = await requestOf({ transport, query, settings, timeoutMs: 500 })
    results.push(result)
    query = result.outcome === 'answered' ? result.next : null
  }
  return { server, results }
}

/** Returns the DNS answer of the first result. */
async function answerTo(serve: DnsServe, part: Partial<DnsQuery> = {}): Promise<DnsAnswer> {
  const { results } = await ask(serve, part)
  const [first] = results
  if (first?.outcome !== 'answered') throw new Error(`The question ended ${JSON.stringify(first)}.`)
  return dnsAnswerSchema.parse(first.records[0])
}

const mx = (exchange: string, part: object = {}) =>
  ({ name: NAME, type: 'MX', ttl: 300, data: { preference: 10, exchange }, ...part }) as const
const cname = (name: string, data: string, ttl = 300) => ({ name, type: 'CNAME', ttl, data }) as const
const soa = (name: string, ttl: number, minimum: number) =>
  ({
    name,
    type: 'SOA',
    ttl,
    data: { mname: 'ns.example', rname: 'root.example', serial: 1, refresh: 1, retry: 1, expire: 1, minimum },
  }) as const

describe('each status, over UDP and over TCP', () => {
  test.for(['udp', 'tcp'] as const)('%s', async (over, { expect }) => {
    const status = async (reply: DnsReply) => {
      const { status, reason } = await answerTo(() => reply, { over })
      return reason === null ? status : `${status}: ${reason}`
    }
    expect(await status({ answers: [mx('mail.karoo.example')] })).toBe('resolved')
    expect(await status({ authorities: [soa(NAME, 60, 60)] })).toBe('no_data')
    expect(await status({ answers: [{ ...mx('mail.karoo.example'), type: 'NS', data: 'ns.karoo.example' }] })).toBe(
      'no_data',
    )
    expect(await status({ flags: rcode.nxdomain })).toBe('nxdomain')
    expect(await status({ flags: rcode.servfail })).toBe('servfail')
    expect(await status({ flags: rcode.refused })).toBe('blocked: refused')
    expect(await status({ flags: rcode.notimp })).toBe('error: response_code')
  })
})

test('an extended response code is not taken for success', async () => {
  const badVersion: dnsPacket.OptAnswer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 512,
    extendedRcode: 1,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  }
  const answer = await answerTo(() => ({ answers: [mx('mail.karoo.example')], additionals: [badVersion] }))
  expect(answer).toMatchObject({ status: 'error', reason: 'response_code', responseCode: 16 })
})

describe('a truncated answer', () => {
  const partial: DnsReply = { flags: TRUNCATED, answers: [mx('one.karoo.example')] }
  const whole: DnsReply = { answers: [mx('one.karoo.example'), mx('two.karoo.example')] }

  test('names the same question over TCP, and sends no second request', async () => {
    const { server, results } = await ask((_question, over) => (over === 'udp' ? partial : whole))
    expect(server.questions).toEqual([`UDP MX ${NAME}`, `TCP MX ${NAME}`])
    expect(results).toMatchObject([
      {
        isComplete: false,
        next: { name: NAME, kind: 'MX', over: 'tcp' },
        records: [{ status: 'resolved', isPartial: true }],
      },
      { isComplete: true, next: null, records: [{ status: 'resolved', isPartial: false, records: [{}, {}] }] },
    ])
  })

  test('without a record of the kind is an error', async () => {
    expect(await answerTo(() => ({ flags: TRUNCATED }))).toMatchObject({
      status: 'error',
      reason: 'truncated',
      isTruncated: true,
    })
  })

  test('that is cut within a record gives the records before it', async () => {
    const cut = (question: Buffer) =>
      dnsPacket
        .encode({
          type: 'response',
          id: question.readUInt16BE(0),
          flags: TRUNCATED,
          questions: [{ name: NAME, type: 'MX' }],
          answers: [mx('one.karoo.example'), mx('two.karoo.example')],
        })
        .subarray(0, -5)
    const { records, isPartial } = await answerTo(cut)
    expect(records).toMatchObject([{ exchange: 'one.karoo.example' }])
    expect(isPartial).toBe(true)
  })

  test('over TCP too has no further question', async () => {
    const { results } = await ask(() => partial, { over: 'tcp' })
    expect(results).toMatchObject([{ isComplete: false, next: null, records: [{ isPartial: true }] }])
  })
})

describe('the TTL', () => {
  test.each([
    [
      'is the lowest of chain and records',
      [cname(NAME, 'a.example', 200), mx('m.example', { name: 'a.example', ttl: 900 })],
      [],
      200,
    ],
    ['is at most a day', [mx('m.example', { ttl: 200_000 })], [], 86_400],
    ['from 2³¹ on is 0', [mx('m.example', { ttl: 2 ** 32 - 1 })], [], 0],
    ['of nothing is the lower one of the SOA record', [], [soa('example', 900, 600)], 600],
    ['of nothing is at most three hours', [], [soa(NAME, 90_000, 90_000)], 10_800],
    ['of nothing is absent without a SOA record', [], [], null],
    ['of nothing is absent where the SOA record belongs to another zone', [], [soa('elsewhere.example', 60, 60)], null],
  ])('%s', async (_what, answers, authorities, ttl) => {
    expect((await answerTo(() => ({ answers, authorities }))).ttl).toBe(ttl)
  })

  test('of a failure is absent', async () => {
    const failed: DnsReply = { flags: rcode.servfail, authorities: [soa(NAME, 60, 60)] }
    expect((await answerTo(() => failed)).ttl).toBeNull()
  })
})

describe('aliases', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, index) => cname(index === 0 ? NAME : `a${index}.example`, `a${index + 1}.example`))

  test('are followed in any order of the answer, whatever their letter case', async () => {
    const answers = [
      mx('m.example', { name: 'A2.example' }),
      cname('A1.example', 'a2.EXAMPLE'),
      cname('KAROO.example', 'a1.example'),
    ]
    expect(await answerTo(() => ({ answers }))).toMatchObject({
      status: 'resolved',
      aliases: ['a1.example', 'a2.example'],
      records: [{ exchange: 'm.example' }],
    })
  })

  test('are at most 8', async () => {
    expect(await answerTo(() => ({ answers: chain(8) }))).toMatchObject({ status: 'no_data', aliases: { length: 8 } })
    expect(await answerTo(() => ({ answers: chain(9) }))).toMatchObject({ status: 'error', reason: 'too_many_aliases' })
  })

  test('that lead back are an error', async () => {
    for (const answers of [
      [cname(NAME, NAME)],
      [cname(NAME, 'a.example'), cname('a.example', NAME)],
      [cname(NAME, 'a.example'), cname('a.example', 'b.example'), cname('b.example', 'a.example')],
    ])
      expect(await answerTo(() => ({ answers }))).toMatchObject({ status: 'error', reason: 'alias_loop' })
  })

  test('of another name, and their records, are ignored', async () => {
    const answers = [mx('m.example', { name: 'other.example' }), cname('other.example', NAME)]
    expect(await answerTo(() => ({ answers }))).toMatchObject({ status: 'no_data', aliases: [], records: [] })
  })
})

describe('records', () => {
  test('contain preference, host and text; a null MX names the root', async () => {
    expect(
      (await answerTo(() => ({ answers: [mx('.', { data: { preference: 0, exchange: '.' } })] }))).records,
    ).toEqual([{ kind: 'MX', preference: 0, exchange: '.', ttl: 300 }])
    const ns = { name: NAME, type: 'NS', ttl: 5, data: 'NS1.Karoo.example' } as const
    expect((await answerTo(() => ({ answers: [ns] }), { kind: 'NS' })).records).toEqual([
      { kind: 'NS', host: 'ns1.karoo.example', ttl: 5 },
    ])
    const txt = { name: NAME, type: 'TXT', ttl: 5, data: ['v=spf1 ', 'include:karoo.example ~all é'] }
    expect((await answerTo(() => ({ answers: [txt as dnsPacket.TxtAnswer] }), { kind: 'TXT' })).records).toEqual([
      { kind: 'TXT', text: 'v=spf1 include:karoo.example ~all é', isEscaped: false, ttl: 5 },
    ])
  })

  test('that are no text are escaped', async () => {
    const data = [Buffer.from([0xff, 0x20, 0x41, 0x07, 0x5c])]
    const answer = await answerTo(() => ({ answers: [{ name: NAME, type: 'TXT', ttl: 5, data }] }), { kind: 'TXT' })
    expect(answer.records).toEqual([{ kind: 'TXT', text: '\\255 A\\007\\092', isEscaped: true, ttl: 5 }])
  })

  test('are at most 100, whether they are many or only announced', async () => {
    // Without compression 101 records exceed a datagram of 1,232 bytes.
    const many = Array.from({ length: 101 }, (_, index) => mx(`m${index}.example`))
    expect(await answerTo(() => ({ answers: many }), { over: 'tcp' })).toMatchObject({
      status: 'error',
      reason: 'too_many_records',
    })
    expect((await answerTo(() => ({ answers: many.slice(1) }), { over: 'tcp' })).records).toHaveLength(100)
    const announced = (question: Buffer) => {
      const answer = emptyAnswer(question)
      answer.writeUInt16BE(65_535, 6)
      return answer
    }
    expect(await answerTo(announced)).toMatchObject({ status: 'error', reason: 'too_many_records' })
  })

  test('of another class are not read', async () => {
    expect(
      await answerTo(() => ({ answers: [mx('m.example', { class: 'CH' }), mx('n.example', { flush: true })] })),
    ).toMatchObject({ status: 'no_data' })
  })
})

describe('an answer that is not ours', () => {
  const right: DnsReply = { answers: [mx('right.karoo.example')] }
  const forged = (question: Buffer, change: (answer: Buffer) => void) => {
    const answer = dnsPacket.encode({
      type: 'response',
      id: question.readUInt16BE(0),
      questions: [{ name: NAME, type: 'MX' }],
      answers: [mx('forged.example')],
    })
    change(answer)
    return answer
  }
  const forgeries = {
    'another id': (answer: Buffer) => answer.writeUInt16BE(answer.readUInt16BE(0) ^ 1, 0),
    'a question instead of an answer': (answer: Buffer) => answer.writeUInt16BE(0x0100, 2),
    'another operation': (answer: Buffer) => answer.writeUInt16BE(0xa180, 2),
    'no question': (answer: Buffer) => answer.writeUInt16BE(0, 4),
    'another name': (answer: Buffer) => answer.write('l', 13),
    'another kind': (answer: Buffer) => answer.writeUInt16BE(2, 12 + NAME.length + 2),
    'another class': (answer: Buffer) => answer.writeUInt16BE(3, 12 + NAME.length + 4),
  }

  test.each(Object.entries(forgeries))('%s is passed over until the right one arrives', async (_what, change) => {
    const { results } = await ask((question) => [forged(question, change), right])
    expect(results).toMatchObject([
      { outcome: 'answered', records: [{ records: [{ exchange: 'right.karoo.example' }] }] },
    ])
  })

  test('ends as mismatched where no right one arrives, and at once over TCP', async () => {
    const mismatched = { outcome: 'unavailable', cause: 'answer_invalid', trace: { reason: 'mismatched' } }
    const other = (question: Buffer) => forged(question, forgeries['another id'])
    expect((await ask(other)).results).toMatchObject([mismatched])
    expect((await ask(other, { over: 'tcp' })).results).toMatchObject([mismatched])
  })

  test('is passed over 99 times', async () => {
    const flood = (count: number) => (question: Buffer) => [
      ...Array.from({ length: count }, () => forged(question, forgeries['another id'])),
      right,
    ]
    expect((await ask(flood(99))).results).toMatchObject([{ outcome: 'answered' }])
    expect((await ask(flood(100))).results).toMatchObject([{ outcome: 'unavailable', cause: 'answer_invalid' }])
  })

  test('is never taken from another port', async () => {
    const { results } = await ask((question, _over, sender) => {
      const reply = forged(question, () => {})
      const stranger = createSocket('udp4')
      stranger.send(reply, sender, LOOPBACK, () => stranger.close())
      return undefined
    })
    expect(results).toMatchObject([{ outcome: 'unavailable', cause: 'timeout' }])
  })
})

test('each question has a socket and an id of its own', async () => {
  const server = await dnsServer(() => ({ flags: rcode.nxdomain }))
  const transport = await dnsAdapter({ resolvers: [{ name: 'test', address: LOOPBACK, port: server.port }] }).load()
  const query = { name: NAME, kind: 'NS', over: 'udp' } as const
  for (let count = 0; count < 8; count++)
    await requestOf({ transport, query, settings: { resolvers: ['test'], forbiddenNames: [] } })
  expect(new Set(server.senders).size).toBe(8)
  expect(new Set(server.ids).size).toBeGreaterThan(6)
})

test('announces 1,232 bytes by EDNS, and requests recursion', () => {
  const question = dnsPacket.decode(encodeQuestion(7, { name: NAME, kind: 'TXT', over: 'udp' }))
  expect(question).toMatchObject({
    id: 7,
    flag_rd: true,
    questions: [{ name: NAME, type: 'TXT', class: 'IN' }],
    additionals: [{ type: 'OPT', udpPayloadSize: 1_232 }],
  })
})

describe('malformed messages', () => {
  const query: DnsQuery = { name: NAME, kind: 'MX', over: 'udp' }
  const whole = dnsPacket.encode({
    type: 'response',
    id: 7,
    questions: [{ name: NAME, type: 'MX' }],
    answers: [cname(NAME, 'a.example'), mx('m.example', { name: 'a.example' })],
    authorities: [soa('example', 1, 1)],
  })

  test('are malformed at every cut, and with trailing bytes', () => {
    expect(readAnswer(whole, 7, query)).toMatchObject({ answers: [{}, {}], authorities: [{}] })
    for (let length = 0; length < whole.length; length++)
      expect(readAnswer(whole.subarray(0, length), 7, query)).toBe('malformed')
    expect(readAnswer(Buffer.concat([whole, Buffer.alloc(1)]), 7, query)).toBe('malformed')
  })

  test('with a name that points at itself or forward are malformed', () => {
    for (const target of [0xc00c, 0xc0ff]) {
      const loop = Buffer.concat([whole.subarray(0, 12), Buffer.from([target >> 8, target & 255]), whole.subarray(27)])
      expect(readAnswer(loop, 7, query)).toBe('malformed')
    }
  })

  test('with record data of another length than announced are malformed', () => {
    const alone = dnsPacket.encode({
      type: 'response',
      id: 7,
      questions: [{ name: NAME, type: 'MX' }],
      answers: [mx('m.example')],
    })
    expect(readAnswer(alone, 7, query)).toMatchObject({ answers: [{}] })
    const longer = Buffer.concat([alone, Buffer.alloc(1)])
    const at = alone.length - 'm.example'.length - 6
    expect(alone.readUInt16BE(at)).toBe(alone.length - at - 2)
    longer.writeUInt16BE(alone.readUInt16BE(at) + 1, at)
    expect(readAnswer(longer, 7, query)).toBe('malformed')
  })

  test('of any kind never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(whole.length - 1), (noise, at) => {
        const spoiled = Buffer.from(whole)
        spoiled.set(noise.subarray(0, spoiled.length - at), at)
        for (const bytes of [Buffer.from(noise), spoiled]) {
          const read = readAnswer(bytes, 7, query)
          if (typeof read !== 'string') expect(read.answers.length).toBeLessThanOrEqual(108)
        }
      }),
    )
  })
})
