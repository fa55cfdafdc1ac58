import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { findKeys } from '../../../store/files/keys.ts'
import { type ContactValue, entryKeysFor, recordKeysOf } from '../contact-gate.ts'
import { gate } from '../gate/gate.ts'

/* A suppressed value is found in every text in which a person could read it, whatever stands beside it. */

const entries = [
  { kind: 'phone', value: '+27827654321', key: 'p:+27827654321' },
  { kind: 'email', value: 'quagga@zonkeyfarm.co.za', key: 'h:za.co.zonkeyfarm.@quagga' },
  { kind: 'domain', value: 'springbok.co.za', key: 'h:za.co.springbok.' },
] as const

const numbers = [
  ...['0827654321', '082 765 4321', '082-765-4321', '(082) 765-4321', '082.765.4321', '082/765/4321', '08 27 65 43 21'],
  ...[
    '082_765_4321',
    '082−765−4321',
    '082*765|4321',
    '082,765,4321',
    '082:765:4321',
    '[082] 765 4321',
    '082 – 765 – 4321',
  ],
  ...['+27827654321', '+27 82 765 4321', '+27 (0)82 765 4321', '+27-82-765-4321', '0027 82 765 4321', '27 82 765 4321'],
  ...[
    '(+27) 82 765 4321',
    '(27) 082 765 4321',
    '0927 82 765 4321',
    '82 765 4321',
    '０８２７６５４３２１',
    '٠٨٢ ٧٦٥ ٤٣٢١',
  ],
  ...[
    '082\u00a0765\u00a04321',
    '082\u200b7654321',
    'tel:0827654321',
    'wa.me/27-82-765-4321',
    '%2B27827654321',
    '2.7827654321E+10',
  ],
  ...[
    'https://host.com/x/082-765-4321',
    'https://host.com/?tel=082+765+4321',
    '27827654321.0',
    '082 765\n4321',
    '082 765 4321x4',
  ],
]
const addresses = [
  ...[
    'quagga@zonkeyfarm.co.za',
    'QUAGGA@Zonkeyfarm.co.za',
    'quagga＠zonkeyfarm．co．za',
    'ｑｕａｇｇａ@zonkeyfarm.co.za',
  ],
  ...[
    'quagga [at] zonkeyfarm.co.za',
    'quagga(at)zonkeyfarm.co.za',
    'quagga(a)[zonkeyfarm.co.za]',
    'quagga(@)zonkeyfarm[.]co[.]za',
  ],
  ...[
    'quagga at zonkeyfarm dot co dot za',
    'quagga at zonkeyfarm punt co punt za',
    'quagga @ zonkeyfarm.co.za',
    'quagga@zonkeyfarm。co。za',
  ],
  ...[
    'quagga%40zonkeyfarm.co.za',
    'quagga%2540zonkeyfarm.co.za',
    'quagga&#64;zonkeyfarm.co.za',
    'quagga=40zonkeyfarm.co.za',
  ],
  ...['mailto:quagga@zonkeyfarm.co.za', 'email=quagga@zonkeyfarm.co.za', 'https://quagga%40zonkeyfarm.co.za@host.com/'],
  ...[
    'https://host.com/m/quagga(at)zonkeyfarm.co.za',
    'https://host.com/?to=quagga@zonkeyfarm.co.za',
    'quagga\n@zonkeyfarm.co.za',
  ],
  ...[
    'quagga@\nzonkeyfarm.co.za',
    'quagga@zonkey\nfarm.co.za',
    'qua\u00adgga@zonkeyfarm.co.za',
    '"quagga"@zonkeyfarm.co.za',
  ],
]
const hosts = [
  ...[
    'springbok.co.za',
    'www.springbok.co.za',
    'https://springbok.co.za/contact',
    'SPRINGBOK.co.za',
    'springbok．co．za',
  ],
  ...[
    'springbok[.]co[.]za',
    'springbok (dot) co (dot) za',
    'springbok dot co dot za',
    'springbok。co。za',
    'site=springbok.co.za',
  ],
  ...[
    'https://x.com/?u=springbok.co.za',
    'https://x.com/go?u=https%3A%2F%2Fspringbok.co.za%2F',
    'https://host.com/springbok.co.za/x',
  ],
]
const readings: Record<(typeof entries)[number]['kind'], readonly string[]> = {
  phone: numbers,
  email: addresses,
  domain: hosts,
}

const signs = ['', ' ', ...'•–—→|,;!()[]{}<>"“”„«»…~#*', ' / ', ' = ', ' : ', ' _ ', '. ', '✉', '📧', '\t', '\n']
const words = [
  'Call ',
  'or ',
  'Erf 12 ',
  'Cell 2 ',
  'R100 ',
  'Jan Botha, ',
  '1. ',
  '1) ',
  '(1) ',
  '24/7 ',
  '8-17 ',
  '2024 ',
  '8001 ',
]
const others = ['since 2019, ', '28/11/2026 08:30 ', 'Unit 7: ']
const before = [...signs, ...words, ...others]
const after = [
  ...signs,
  ...[...words, ...others].map((word) => ` ${word.trim()}`),
  ' ext. 4',
  ' (8-17)',
  '. Please call',
  '.',
]

/** Returns the texts that are read although the sign belongs to the value beside it: a plus of another number, or the rest of a host. */
function* texts(values: readonly string[]): Generator<string> {
  for (const value of values) for (const a of before) for (const b of after) yield `${a}${value}${b}`
}

test.for(entries)('the keys of a text with $value between any neighbours include its key', ({ kind, key }) => {
  const missed = [...texts(readings[kind])].filter(
    (value) => !recordKeysOf({ kind: 'domain', value }).flatMap(entryKeysFor).includes(key),
  )
  expect(missed).toEqual([])
})

test('the gate names the text that matches and how it was read', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const asked = { reason: 'They asked.', channel: 'letter' }
  for (const { kind, value } of entries)
    expect((await operator.post('/suppressions', { kind, value, ...asked })).status).toBe(201)
  const keys = findKeys(t.store.dataDir)
  if (keys === undefined) throw new Error('The store has keys.')
  const ask = async (value: string) => {
    const values: ContactValue[] = [{ kind: 'domain', value }]
    const matches = await gate({ db: t.store.reader, keys }, t.tenants.home.id, values)
    return matches.map(({ text, read }) => `${read}: ${text}`)
  }
  expect(await ask('Erf 12, 082 765 4321 (8-17)')).toEqual(['plain: 082 765 4321'])
  expect(await ask('see https://host.com/?to=quagga%40zonkeyfarm.co.za today')).toEqual([
    'decoded: quagga%40zonkeyfarm.co.za',
  ])
  expect(await ask('springbok dot co dot za')).toEqual(['obfuscated: springbok dot co dot za'])
  expect(await ask('write to quagga@zonkey\nfarm.co.za')).toEqual(['joined: quagga@zonkey\nfarm.co.za'])
  expect(await ask('082 765 4322')).toEqual([])
})
