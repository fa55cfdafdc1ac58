import { describe, expect, test } from 'vitest'
import { readDig } from './dig.rules.ts'

/* Forms in which programs print an answer, from their manuals and from bug reports about parsers of them. Names and addresses are examples. */

const head = (answers: number, { status = 'NOERROR', flags = 'qr rd ra', authorities = 0 } = {}) => `
; <<>> DiG 9.18.33 <<>> karoo.co.za MX
;; global options: +cmd
;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 4711
;; flags: ${flags}; QUERY: 1, ANSWER: ${answers}, AUTHORITY: ${authorities}, ADDITIONAL: 1

;; OPT PSEUDOSECTION:
; EDNS: version: 0, flags:; udp: 1232
;; QUESTION SECTION:
;karoo.co.za.			IN	MX
`
const stats = `
;; Query time: 20 msec
;; SERVER: 10.0.0.53#53(10.0.0.53) (UDP)
;; WHEN: Wed Nov 25 10:00:00 SAST 2026
;; MSG SIZE  rcvd: 83
`
const answers = (...lines: string[]) => `${head(lines.length)}\n;; ANSWER SECTION:\n${lines.join('\n')}\n${stats}`
const soa = 'karoo.co.za.		3600	IN	SOA	ns1.karoo.co.za. admin.karoo.co.za. 2026112501 1800 900 604800 600'

function read(text: string) {
  const { cards, doubts } = readDig(text)
  return {
    doubts: doubts.map(({ code }) => code),
    cards: cards.map(
      ({ observation: { name, kind, status, records, isPartial, errorReason, ttl, source }, doubts }) => ({
        answer: [name, kind, status, errorReason, isPartial ? 'partial' : 'whole', records.length, ttl],
        source,
        codes: doubts.map(({ code }) => code),
      }),
    ),
  }
}

const oneMx = (...codes: string[]) => [['karoo.co.za', 'MX', 'resolved', null, 'whole', 1, 3_600], codes]
const partialMx = (...codes: string[]) => [['karoo.co.za', 'MX', 'resolved', null, 'partial', 1, 3_600], codes]
const failed = (reason: string, ...codes: string[]) => [['karoo.co.za', 'MX', 'error', reason, 'whole', 0, null], codes]

describe('an answer that was not read whole is partial or an error, never the absence of records:', () => {
  test.for<[what: string, text: string, expected: unknown[]]>([
    ['the answer section is empty', head(3) + stats, failed('incomplete', 'incomplete')],
    [
      'the answer section is omitted (+noanswer)',
      `${head(3, { authorities: 1 })};; AUTHORITY SECTION:\n${soa}\n${stats}`,
      failed('incomplete', 'incomplete'),
    ],
    [
      'the domain does not exist, but answers are missing',
      head(1, { status: 'NXDOMAIN' }) + stats,
      failed('incomplete', 'incomplete'),
    ],
    [
      'one of two lines was copied',
      answers('karoo.co.za. 3600 IN MX 10 a.example.').replace('ANSWER: 1', 'ANSWER: 2'),
      partialMx('incomplete'),
    ],
    [
      'a line was elided',
      answers('karoo.co.za. 3600 IN MX 10 a.example.', '[...]'),
      partialMx('incomplete', 'unread_line'),
    ],
    [
      'a line was wrapped',
      answers('karoo.co.za. 3600 IN MX 10', 'a.example.').replace('ANSWER: 2', 'ANSWER: 1'),
      failed('incomplete', 'incomplete', 'unread_line'),
    ],
    [
      'a wrapped line has lost its end',
      answers('karoo.co.za. 3600 IN MX 10 a.example.', 'karoo.co.za. 3600 IN TXT "v=spf1', '-all"'),
      partialMx('incomplete', 'unread_line', 'unread_line'),
    ],
    [
      'parentheses stay open',
      answers('karoo.co.za. 3600 IN MX 10 a.example.', 'karoo.co.za. 3600 IN SSHFP 4 1 ('),
      partialMx('incomplete', 'unread_line'),
    ],
    [
      'data is printed as bytes (+unknownformat)',
      answers('karoo.co.za. 3600 CLASS1 TYPE15 \\# 4 000A0000'),
      failed('mismatched', 'mismatched'),
    ],
    [
      'the data of a record cannot be read',
      answers('karoo.co.za. 3600 IN MX a.example.'),
      failed('incomplete', 'incomplete'),
    ],
    ['the records are of another type', answers('karoo.co.za. 3600 IN A 10.0.0.1'), failed('mismatched', 'mismatched')],
    [
      'the records are of another name',
      answers('hantam.co.za. 3600 IN MX 10 a.example.'),
      failed('mismatched', 'mismatched'),
    ],
    [
      'the class is another one',
      answers('karoo.co.za. 3600 CH MX 10 a.example.'),
      failed('incomplete', 'incomplete', 'unread_line'),
    ],
    ['the header has no number', head(0).replace(/;; flags.*\n/, '') + stats, failed('incomplete', 'incomplete')],
    [
      'the program reports a malformed message',
      `;; Warning: Message parser reports malformed message packet.\n${head(0)}${stats}`,
      failed('incomplete', 'incomplete'),
    ],
    [
      'the server refers to the servers of the zone',
      `${head(0, { flags: 'qr rd', authorities: 1 })}\n;; AUTHORITY SECTION:\nco.za. 300 IN NS ns1.example.\n${stats}`,
      failed('referral', 'referral'),
    ],
    [
      'the header is that of the query (+qr)',
      head(0, { flags: 'rd ad' }),
      [
        ['karoo.co.za', 'MX', null, null, 'whole', 0, null],
        ['no_header', 'no_resolver', 'no_time'],
      ],
    ],
    [
      'only +comments were left out',
      `; <<>> DiG 9.18.33 <<>> +nocomments karoo.co.za MX\n;; global options: +cmd\n;karoo.co.za.\t\tIN\tMX\nkaroo.co.za. 3600 IN MX 10 a.example.\n${stats}`,
      [['karoo.co.za', 'MX', 'resolved', null, 'partial', 1, null], ['no_header']],
    ],
    [
      'only the answer was printed (+noall +answer)',
      '$ dig +noall +answer karoo.co.za MX\nkaroo.co.za.\t\t3600\tIN\tMX\t10 a.example.',
      [
        ['karoo.co.za', 'MX', 'resolved', null, 'partial', 1, null],
        ['no_header', 'no_resolver', 'no_time'],
      ],
    ],
    [
      'nothing was printed',
      '$ dig +noall +answer karoo.co.za MX\n$',
      [
        ['karoo.co.za', 'MX', null, null, 'whole', 0, null],
        ['no_header', 'no_resolver', 'no_time'],
      ],
    ],
    [
      'another kind was asked',
      answers('karoo.co.za. 3600 IN A 10.0.0.1').replaceAll(/(karoo\.co\.za\.\t\t\tIN\t)MX/g, '$1A'),
      [['karoo.co.za', null, null, null, 'whole', 0, null], ['other_kind']],
    ],
  ])('%s', ([, text, expected], { expect }) => {
    const { cards, doubts } = read(text)
    expect([doubts, cards.map(({ answer, codes }) => [answer, codes.toSorted()])]).toEqual([
      [],
      [expected].map(([answer, codes]) => [answer, [...(codes as string[])].toSorted()]),
    ])
  })
})

describe('the options of dig are read:', () => {
  test.for<[what: string, text: string, expected: unknown[]]>([
    ['tabs', answers('karoo.co.za.\t\t3600\tIN\tMX\t10 a.example.'), oneMx()],
    ['line ends of Windows', answers('karoo.co.za. 3600 IN MX 10 a.example.').replaceAll('\n', '\r\n'), oneMx()],
    ['non-breaking spaces', answers('karoo.co.za. 3600 IN MX 10 a.example.').replaceAll(' ', '\u00a0'), oneMx()],
    [
      'a quotation in a message',
      answers('karoo.co.za. 3600 IN MX 10 a.example.').replaceAll(/^(?=.)/gm, '> '),
      oneMx(),
    ],
    ['an indented block', answers('karoo.co.za. 3600 IN MX 10 a.example.').replaceAll(/^(?=.)/gm, '    '), oneMx()],
    [
      'a block of code with its prompt',
      `\`\`\`console\n$ dig karoo.co.za MX\n${answers('karoo.co.za. 3600 IN MX 10 a.example.')}\`\`\`\n$ `,
      oneMx(),
    ],
    ['+ttlunits', answers('karoo.co.za. 1h IN MX 10 a.example.'), oneMx()],
    [
      '+ttlunits with several units',
      answers('karoo.co.za. 1w2d3h4m5s IN MX 10 a.example.'),
      [['karoo.co.za', 'MX', 'resolved', null, 'whole', 1, 788_645], []],
    ],
    ['+noclass', answers('karoo.co.za. 3600 MX 10 a.example.').replace('.\t\t\tIN\tMX', '.\t\t\tMX'), oneMx()],
    [
      '+nottlid',
      answers('karoo.co.za. IN MX 10 a.example.'),
      [['karoo.co.za', 'MX', 'resolved', null, 'whole', 1, 0], ['no_ttl']],
    ],
    [
      '+nottlid +noclass',
      answers('karoo.co.za. MX 10 a.example.'),
      [['karoo.co.za', 'MX', 'resolved', null, 'whole', 1, 0], ['no_ttl']],
    ],
    [
      '+dnssec, with a signature',
      answers(
        'karoo.co.za. 3600 IN MX 10 a.example.',
        'karoo.co.za. 3600 IN RRSIG MX 8 3 3600 20261220 20261120 1 karoo.co.za. AbC= dEf=',
      ),
      oneMx(),
    ],
    [
      '+multiline with comments',
      answers(
        'karoo.co.za. 3600 IN MX 10 a.example.',
        'karoo.co.za.\t\t3600 IN DNSKEY 257 3 13 (\n\t\t\tmdsswUyr3DPW132mOi8V9xESWE8jTo0d\n\t\t\t) ; KSK; alg = ECDSAP256SHA256 ; key id = 2371',
      ),
      oneMx(),
    ],
    [
      '+multiline of a negative answer',
      `${head(0, { authorities: 1 })}\n;; AUTHORITY SECTION:\nkaroo.co.za.\t\t3600 IN SOA ns1.karoo.co.za. admin.karoo.co.za. (\n\t\t\t\t2026112501 ; serial\n\t\t\t\t1800       ; refresh (30 minutes)\n\t\t\t\t900        ; retry (15 minutes)\n\t\t\t\t604800     ; expire (1 week)\n\t\t\t\t600        ; minimum (10 minutes)\n\t\t\t\t)\n${stats}`,
      [['karoo.co.za', 'MX', 'no_data', null, 'whole', 0, 600], []],
    ],
    [
      '+qr: the query, then its response',
      `${head(0, { flags: 'rd ad' })}\n;; QUERY SIZE: 51\n\n${answers('karoo.co.za. 3600 IN MX 10 a.example.').replace(/^\n.*\n.*\n/, '')}`,
      oneMx(),
    ],
    [
      'an answer over TCP',
      `;; Truncated, retrying in TCP mode.\n${answers('karoo.co.za. 3600 IN MX 10 a.example.')}`,
      oneMx(),
    ],
    [
      'an answer after a timeout',
      `;; communications error to 10.0.0.53#53: timed out\n${answers('karoo.co.za. 3600 IN MX 10 a.example.')}`,
      oneMx(),
    ],
    [
      'a timeout',
      ';; communications error to 10.0.0.53#53: timed out\n\n; <<>> DiG 9.18.33 <<>> @10.0.0.53 karoo.co.za MX\n; (1 server found)\n;; global options: +cmd\n;; no servers could be reached\n',
      [
        ['karoo.co.za', 'MX', 'timeout', null, 'whole', 0, null],
        ['no_resolver', 'no_time'],
      ],
    ],
    [
      'a timeout of an older version',
      '; <<>> DiG 9.11.36 <<>> -t MX karoo.co.za\n;; global options: +cmd\n;; connection timed out; no servers could be reached\n',
      [
        ['karoo.co.za', 'MX', 'timeout', null, 'whole', 0, null],
        ['no_resolver', 'no_time'],
      ],
    ],
    [
      'a refused connection',
      ';; communications error to 127.0.0.1#53: connection refused\n; <<>> DiG 9.18.33 <<>> karoo.co.za MX\n;; no servers could be reached\n',
      failed('connection_failed', 'no_resolver', 'no_time'),
    ],
    [
      'an unreadable message',
      '; <<>> DiG 9.10.6 <<>> karoo.co.za MX\n;; Got bad packet: FORMERR\n67 bytes\n93 de 81 20 00 01 00 01   .............tra\n',
      failed('malformed', 'incomplete', 'no_resolver', 'no_time'),
    ],
    [
      'a chain of aliases without records at its end',
      `${head(2, { authorities: 1 })}\n;; ANSWER SECTION:\nkaroo.co.za. 60 IN CNAME b.example.\nb.example. 60 IN CNAME c.example.\n\n;; AUTHORITY SECTION:\nexample. 3600 IN SOA a. b. 1 2 3 4 600\n${stats}`,
      [['karoo.co.za', 'MX', 'no_data', null, 'whole', 0, 60], []],
    ],
  ])('%s', ([, text, [answer, codes]], { expect }) => {
    const { cards, doubts } = read(text)
    expect([doubts, cards.map((card) => [card.answer, card.codes.toSorted()])]).toEqual([
      [],
      [[answer, [...(codes as string[])].toSorted()]],
    ])
  })
})

test('names with underscores are read', () => {
  for (const name of ['_dmarc.karoo.co.za', 'sel._domainkey.karoo.co.za', '_sip._tcp.karoo.co.za']) {
    const text = answers(`${name}. 3600 IN TXT "v=DMARC1\\; p=none"`).replaceAll(
      /^;?karoo\.co\.za\.\t\t\tIN\tMX/gm,
      `;${name}. IN TXT`,
    )
    expect(read(text).cards).toEqual([
      { answer: [name, 'TXT', 'resolved', null, 'whole', 1, 3_600], source: '10.0.0.53', codes: [] },
    ])
  }
})

const kdig = `;; ->>HEADER<<- opcode: QUERY; status: NOERROR; id: 13471
;; Flags: qr rd ra; QUERY: 1; ANSWER: 1; AUTHORITY: 0; ADDITIONAL: 1

;; EDNS PSEUDOSECTION:
;; Version: 0; flags: ; UDP size: 1232 B; ext-rcode: NOERROR

;; QUESTION SECTION:
;; karoo.co.za.        		IN	MX

;; ANSWER SECTION:
karoo.co.za.        	3600	IN	MX	10 a.example.

;; Received 57 B
;; Time 2026-11-25 10:00:00 SAST
;; From 10.0.0.53@53(UDP) in 20.5 ms
`

const drill = `;; ->>HEADER<<- opcode: QUERY, rcode: NOERROR, id: 31251
;; flags: qr rd ra ; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 0 
;; QUESTION SECTION:
;; karoo.co.za.	IN	MX

;; ANSWER SECTION:
karoo.co.za.	3600	IN	MX	10 a.example.

;; AUTHORITY SECTION:

;; ADDITIONAL SECTION:

;; Query time: 64 msec
;; SERVER: 10.0.0.53
;; WHEN: Wed Nov 25 10:00:00 2026
;; MSG SIZE  rcvd: 44
`

/** `drill -V 5` prints the query before its response. */
const drillQuery = drill
  .replace('qr rd ra ;', 'rd ;')
  .replace('ANSWER: 1', 'ANSWER: 0')
  .replace(/^karoo.*\n/m, '')

const hostVerbose = `Trying "karoo.co.za"
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 33434
;; flags: qr rd ra; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 0

;; QUESTION SECTION:
;karoo.co.za.			IN	MX

;; ANSWER SECTION:
karoo.co.za.		3600	IN	MX	10 a.example.

Received 45 bytes from 10.0.0.53#53 in 20 ms
`

test.for<[what: string, text: string, codes: string[], outside?: string[]]>([
  ['kdig', kdig, []],
  ['drill', drill, ['unknown_zone']],
  ['drill -V 5', drillQuery + drill, ['unknown_zone']],
  ['host -v', hostVerbose, ['no_time'], ['no_header']],
])('the output of %s is read', ([, text, codes, outside = []], { expect }) => {
  const [answer] = oneMx()
  expect(read(text)).toEqual({ doubts: outside, cards: [{ answer, source: '10.0.0.53', codes }] })
})

test('several answers in one text are a card each, also of different programs', () => {
  const dig = answers('karoo.co.za. 3600 IN MX 10 a.example.')
  for (const text of [dig + kdig + drill, kdig + dig + hostVerbose, drill + kdig + dig, dig + head(0) + stats])
    expect(read(text).cards.map(({ answer: [name, kind] }) => [name, kind])).toHaveLength(
      text.match(/HEADER/g)?.length ?? 0,
    )
  expect(read(dig + head(3) + stats).cards.map(({ answer }) => answer[2])).toEqual(['resolved', 'error'])
})

test.for([
  [
    'nslookup',
    'Server:\t\t10.0.0.53\nAddress:\t10.0.0.53#53\n\nNon-authoritative answer:\nkaroo.co.za\tmail exchanger = 10 a.example.\n',
    'nslookup',
  ],
  [
    'nslookup without records',
    "Server:\t\t10.0.0.53\nAddress:\t10.0.0.53#53\n\n*** Can't find karoo.co.za: No answer\n",
    'nslookup',
  ],
  ['host', 'karoo.co.za mail is handled by 10 a.example.\n', 'host'],
  ['host without records', 'karoo.co.za has no MX record\n', 'host'],
  ['host of a missing name', 'Host karoo.co.za not found: 3(NXDOMAIN)\n', 'host'],
  ['+short', '10 a.example.\n20 b.example.\n', '+short'],
  ['+short of texts', '"v=spf1 -all"\n', '+short'],
  ['+short of name servers', 'ns1.example.\nns2.example.\n', '+short'],
  [
    '+yaml',
    "-\n  type: MESSAGE\n  message:\n    response_message_data:\n      opcode: QUERY\n      status: NOERROR\n      ANSWER: 1\n      ANSWER_SECTION:\n        - 'karoo.co.za. 3600 IN MX 10 a.example.'\n",
    '+yaml',
  ],
  ['kdig +json', '{\n  "dateString": "2026-11-25T10:00:00+0200",\n  "msgLength": 57,\n  "ANCOUNT": 1\n}\n', 'JSON'],
] as const)('the output of %s is no answer, and the sentence says what to paste', ([, text, named], { expect }) => {
  const { cards, doubts } = readDig(text)
  expect([cards, doubts.map(({ code }) => code)]).toEqual([[], ['other_form']])
  expect(doubts[0]?.message).toContain(named)
})

test('the output of +trace is no answer of one server', () => {
  const text = `; <<>> DiG 9.20.26 <<>> +trace karoo.co.za MX
; (1 server found)
;; global options: +cmd
.			518400	IN	NS	a.root-servers.net.
;; Received 811 bytes from 1.1.1.1#53(1.1.1.1) in 3 ms

karoo.co.za.		3600	IN	MX	10 a.example.
;; Received 51 bytes from 10.0.0.53#53(ns1) in 0 ms
`
  const { cards } = read(text)
  expect(cards).toMatchObject([{ answer: ['karoo.co.za', 'MX', null, null, 'whole', 0, null] }])
  expect(cards[0]?.codes).toContain('other_form')
})
