import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDig } from './dig.rules.ts'
import { readWhen } from './when.rules.ts'

type Parts = {
  question?: string
  status?: string
  flags?: string
  answers?: string[]
  authorities?: string[]
  tail?: string[]
}

const tail = [
  ';; Query time: 20 msec',
  ';; SERVER: 10.0.0.53#53(10.0.0.53) (UDP)',
  ';; WHEN: Wed Nov 25 10:00:00 SAST 2026',
]

export function dig({ question = 'karoo.co.za. IN MX', status = 'NOERROR', flags = 'qr rd ra', ...rest }: Parts = {}) {
  const { answers = [], authorities = [] } = rest
  return [
    `; <<>> DiG 9.18.33 <<>> ${question.replace('. IN', '')}`,
    ';; global options: +cmd',
    ';; Got answer:',
    `;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 4711`,
    `;; flags: ${flags}; QUERY: 1, ANSWER: ${answers.length}, AUTHORITY: ${authorities.length}, ADDITIONAL: 1`,
    '',
    ';; OPT PSEUDOSECTION:',
    '; EDNS: version: 0, flags:; udp: 1232',
    ';; QUESTION SECTION:',
    `;${question}`,
    '',
    ...(answers.length > 0 ? [';; ANSWER SECTION:', ...answers, ''] : []),
    ...(authorities.length > 0 ? [';; AUTHORITY SECTION:', ...authorities, ''] : []),
    ...(rest.tail ?? tail),
    '',
  ].join('\n')
}

function only(text: string) {
  const { cards, doubts } = readDig(text)
  expect([cards.length, doubts]).toEqual([1, []])
  const [card] = cards
  if (card === undefined) throw new Error('There is a card.')
  return { ...card, codes: card.doubts.map(({ code }) => code) }
}

const mx = 'karoo.co.za. 3600 IN MX 10 Mail.karoo.co.za.'
const soa = 'karoo.co.za. 7200 IN SOA ns1.karoo.co.za. admin.karoo.co.za. 1 2 3 4 600'

describe('a question for addresses or an alias is read, and never recordable', () => {
  const alias = 'www.karoo.co.za. 60 IN CNAME Shop.Example.'
  const whole = { status: 'resolved', isPartial: false, errorReason: null, aliases: [] }
  test.for<[string, string[], object]>([
    [
      'karoo.co.za. IN A',
      ['karoo.co.za. 300 IN A 196.10.100.1', 'karoo.co.za. 300 IN A 196.10.100.2'],
      {
        ...whole,
        kind: 'A',
        records: [
          { value: '196.10.100.1', ttl: 300 },
          { value: '196.10.100.2', ttl: 300 },
        ],
      },
    ],
    [
      'karoo.co.za. IN AAAA',
      ['karoo.co.za. 300 IN AAAA 2001:db8::1'],
      { ...whole, kind: 'AAAA', records: [{ value: '2001:db8::1', ttl: 300 }] },
    ],
    ['www.karoo.co.za. IN CNAME', [alias], { ...whole, kind: 'CNAME', records: [{ value: 'shop.example', ttl: 60 }] }],
    [
      'www.karoo.co.za. IN A',
      [alias, 'shop.example. 300 IN A 196.10.100.1'],
      { ...whole, kind: 'A', aliases: ['shop.example'], records: [{ value: '196.10.100.1', ttl: 300 }] },
    ],
    ['www.karoo.co.za. IN AAAA', [alias], { kind: 'AAAA', status: 'no_data', aliases: ['shop.example'], records: [] }],
    [
      'karoo.co.za. IN A',
      ['karoo.co.za. 300 IN A 196.10.100.1', 'karoo.co.za. 300 IN A 196.10.100.999'],
      { kind: 'A', status: 'resolved', isPartial: true, records: [{ value: '196.10.100.1', ttl: 300 }] },
    ],
  ])('%s with the answers %j', ([question, answers, expected]) => {
    const { observation, readOnly, doubts } = only(dig({ question, answers, authorities: [soa] }))
    expect(readOnly).toMatchObject(expected)
    expect(observation).toMatchObject({ kind: null, status: null, records: [] })
    expect(doubts.map(({ message }) => message).join(' ')).toContain('is read here and not recorded')
  })

  test('a name that does not exist, and a server that fails', () => {
    const question = 'karoo.co.za. IN A'
    const statusOf = (status: string) => only(dig({ question, status, authorities: [soa] })).readOnly?.status
    expect(['NXDOMAIN', 'SERVFAIL', 'REFUSED'].map(statusOf)).toEqual(['nxdomain', 'servfail', 'blocked'])
  })

  test('a recorded kind has no such answer, also behind an alias', () => {
    expect(only(dig({ answers: [mx] })).readOnly).toBeNull()
  })
})

describe('one question', () => {
  test('with records is resolved, with resolver, time and lowest TTL', () => {
    const { observation, codes, lines } = only(dig({ answers: [mx, 'karoo.co.za. 300 IN MX 20 b.example.'] }))
    expect(codes).toEqual([])
    expect(lines.from).toBe(1)
    expect(observation).toEqual({
      name: 'karoo.co.za',
      kind: 'MX',
      status: 'resolved',
      records: [
        { kind: 'MX', preference: 10, exchange: 'mail.karoo.co.za', ttl: 3600 },
        { kind: 'MX', preference: 20, exchange: 'b.example', ttl: 300 },
      ],
      source: '10.0.0.53',
      observedAt: '2026-11-25T08:00:00.000Z',
      ttl: 300,
      aliases: [],
      isTruncated: false,
      isPartial: false,
      errorReason: null,
    })
  })

  test.for([
    [dig({ authorities: [soa] }), 'no_data', 600],
    [dig({}), 'no_data', null],
    [dig({ status: 'NXDOMAIN', authorities: [soa] }), 'nxdomain', 600],
    [dig({ status: 'NXDOMAIN', authorities: ['other.example. 9 IN SOA a. b. 1 2 3 4 5'] }), 'nxdomain', null],
    [dig({ status: 'SERVFAIL' }), 'servfail', null],
    [dig({ answers: ['karoo.co.za. 4294967295 IN MX 10 mail.karoo.co.za.'] }), 'resolved', 0],
  ] as const)('has its status and TTL, number %#', ([text, status, ttl]) => {
    const { observation } = only(text)
    expect([observation.status, observation.ttl, observation.errorReason]).toEqual([status, ttl, null])
  })

  test.for([
    [dig({ status: 'REFUSED' }), 'blocked', 'refused'],
    [dig({ status: 'NOTIMP' }), 'error', 'response_code'],
    [dig({ flags: 'qr tc rd' }), 'error', 'truncated'],
    [
      dig({ answers: ['karoo.co.za. 1 IN CNAME b.example.', 'b.example. 1 IN CNAME karoo.co.za.'] }),
      'error',
      'alias_loop',
    ],
    [
      dig({
        answers: Array.from(
          { length: 10 },
          (_, at) => `${at === 0 ? 'karoo.co.za' : `a${at}`}. 1 IN CNAME a${at + 1}.`,
        ),
      }),
      'error',
      'too_many_aliases',
    ],
    [dig({ answers: Array.from({ length: 101 }, () => mx) }), 'error', 'too_many_records'],
  ] as const)('that failed names its reason, number %#', ([text, status, reason]) => {
    const { observation } = only(text)
    expect([observation.status, observation.errorReason, observation.records]).toEqual([status, reason, []])
  })

  test('whose name is an alias has the records at its end', () => {
    const answers = ['karoo.co.za. 60 IN CNAME b.example.', 'b.example. 600 IN MX 5 c.example.', mx]
    const { observation } = only(dig({ answers }))
    expect(observation).toMatchObject({ status: 'resolved', aliases: ['b.example'], ttl: 60 })
    expect(observation.records).toHaveLength(1)
  })

  test('that was truncated keeps what came, and says so', () => {
    const { observation, codes } = only(dig({ flags: 'qr tc rd', answers: [mx] }))
    expect([observation.status, observation.isTruncated, codes]).toEqual(['resolved', true, ['truncated']])
  })

  test('nobody answered timed out', () => {
    const text =
      '; <<>> DiG 9.18.33 <<>> @10.0.0.53 karoo.co.za MX\n;; communications error to 10.0.0.53#53: timed out\n;; no servers could be reached\n'
    const { observation, codes } = only(text)
    expect(observation).toMatchObject({ name: 'karoo.co.za', kind: 'MX', status: 'timeout', records: [] })
    expect(codes).toEqual(['no_resolver', 'no_time'])
  })

  test('about text has it joined, with escapes where it is no text', () => {
    const question = 'karoo.co.za. IN TXT'
    const answers = [
      'karoo.co.za. 60 IN TXT "v=spf1 " "include:\\"a\\" -all"',
      'karoo.co.za. 60 IN TXT "\\195\\188ber"',
      'karoo.co.za. 60 IN TXT "\\255\\000"',
    ]
    const { observation } = only(dig({ question, answers }))
    expect(observation.records).toEqual([
      { kind: 'TXT', text: 'v=spf1 include:"a" -all', isEscaped: false, ttl: 60 },
      { kind: 'TXT', text: 'über', isEscaped: false, ttl: 60 },
      { kind: 'TXT', text: '\\255\\000', isEscaped: true, ttl: 60 },
    ])
  })
})

test('several questions become a card each, of their own lines', () => {
  const { cards } = readDig(dig({ answers: [mx] }) + dig({ question: 'karoo.co.za. IN NS', status: 'SERVFAIL' }))
  expect(cards.map(({ observation }) => [observation.kind, observation.status])).toEqual([
    ['MX', 'resolved'],
    ['NS', 'servfail'],
  ])
  expect(cards[1]?.lines.from).toBeGreaterThan(cards[0]?.lines.to ?? Number.POSITIVE_INFINITY)
})

test('what is missing is a doubt beside its line, and nothing is guessed', () => {
  const { cards } = readDig('karoo.co.za. 60 IN MX 10 a.example.')
  expect(cards[0]?.doubts.map(({ code, line }) => [code, line])).toEqual([
    ['no_header', 1],
    ['no_question', 1],
    ['no_resolver', 1],
    ['no_time', 1],
  ])
  expect(cards[0]?.observation).toMatchObject({ name: '', kind: null, status: null, observedAt: null })
  expect(only(dig({ tail: [';; WHEN: Wed Nov 25 10:00:00 IST 2026'] })).codes).toEqual(['no_resolver', 'unknown_zone'])
  expect(only(dig({ question: 'karoo.co.za. IN SOA' }))).toMatchObject({ codes: ['other_kind'], readOnly: null })
  expect(only(dig({ question: 'localhost. IN MX' })).codes).toEqual(['unresolved_name'])
  expect(only(dig({ answers: ['not a record'] })).codes).toEqual(['incomplete', 'unread_line'])
  expect(readDig('10 mail.karoo.co.za.\n').doubts.map(({ code }) => code)).toEqual(['other_form'])
  expect(readDig('').doubts.map(({ code }) => code)).toEqual(['no_header'])
})

test('any text is read within its bounds, and the same text in the same way', () => {
  const words = fc.constantFrom(
    ';; ->>HEADER<<- opcode: QUERY, status: ',
    'NOERROR',
    mx,
    soa,
    '\n',
    '; <<>> DiG 9 <<>> a MX',
    ' ',
  )
  const text = fc.array(fc.oneof(fc.string(), words), { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (pasted) => {
      const reading = readDig(pasted)
      expect(readDig(pasted)).toEqual(reading)
      for (const { observation } of reading.cards) expect(observation.records.length).toBeLessThanOrEqual(100)
    }),
    { numRuns: 1_000 },
  )
})

test.for([
  ['Wed Nov 25 10:00:00 SAST 2026', '2026-11-25T08:00:00.000Z'],
  ['Wed Nov  4 10:00:00 UTC 2026', '2026-11-04T10:00:00.000Z'],
  ['Wed Nov 25 10:00:00 +0530 2026', '2026-11-25T04:30:00.000Z'],
  ['Wed Nov 25 10:00:00 -03 2026', '2026-11-25T13:00:00.000Z'],
  ['Wed Nov 25 23:30:00 PST 2026', '2026-11-26T07:30:00.000Z'],
  ['Wed Nov 25 10:00:00 CST 2026', null],
  ['Wed Nov 31 10:00:00 UTC 2026', null],
  ['yesterday', null],
] as const)('the time %s is read as %s', ([text, at]) => {
  expect(readWhen(text)).toBe(at)
})
