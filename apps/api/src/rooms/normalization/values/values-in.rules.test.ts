import { expect, test } from 'vitest'
import { valuesIn } from './values-in.rules.ts'

const written = (text: string, region: string | null = null) =>
  valuesIn(text, { region }).map(({ normalized, from, to, read }) =>
    [normalized, text.slice(from, to), read === 'plain' ? '' : read].filter((part) => part !== '').join(' | '),
  )

test.for([
  // other numbers beside a number
  ['082 765 4321 8-17', ['+27827654321 | 082 765 4321']],
  ['1. 082 765 4321', ['+27827654321 | 082 765 4321']],
  ['Since 2024 082 765 4321', ['+27827654321 | 082 765 4321']],
  ['24/7 082 765 4321', ['+27827654321 | 082 765 4321']],
  ['082 765 4321 (8-17)', ['+27827654321 | 082 765 4321']],
  ['082 765 4321, 8001', ['+27827654321 | 082 765 4321']],
  ['Erf 12 082 765 4321', ['+27827654321 | 082 765 4321']],
  ['R100 082 765 4321', ['+27827654321 | 082 765 4321']],
  ['28/11/2026 08:30 082 765 4321', ['+27827654321 | 082 765 4321']],
  // separators
  ['082_765_4321', ['+27827654321 | 082_765_4321']],
  ['082−765−4321', ['+27827654321 | 082−765−4321']],
  ['082*765|4321', ['+27827654321 | 082*765|4321']],
  ['[082] 765, 4321', ['+27827654321 | 082] 765, 4321']],
  ['0827654321', ['+27827654321 | 0827654321']],
  ['٠٨٢٧٦٥٤٣٢١', ['+27827654321 | ٠٨٢٧٦٥٤٣٢١']],
  // prefixes
  ['+27 (0)82 765 4321', ['+27827654321 | +27 (0)82 765 4321']],
  ['0927 82 765 4321', ['+27827654321 | 0927 82 765 4321']],
  ['82 765 4321', ['+27827654321 | 82 765 4321']],
  ['no. 7 82 765 4321 8-17', ['+27827654321 | 82 765 4321']],
  ['+44 20 7946 0958 (9-5)', ['+442079460958 | +44 20 7946 0958']],
  ['+44 (0)20 7946 0958', ['+442079460958 | +44 (0)20 7946 0958']],
  // extensions and series
  ['021 765 4321 ext. 4', ['+27217654321 | 021 765 4321']],
  ['021 765 4321x4', ['+27217654321 | 021 765 4321']],
  ['011 555 0122/3', ['+27115550123 | 011 555 0122/3', '+27115550122 | 011 555 0122']],
  ['011 555 0100/0101', ['+27115550101 | 011 555 0100/0101', '+27115550100 | 011 555 0100']],
  // no separator between numbers
  ['083 123 4567082 765 4321', ['+27831234567 | 083 123 4567', '+27827654321 | 082 765 4321']],
  // spreadsheets
  ['2.7827654321E+10', ['+27827654321 | 2.7827654321E+10']],
  ['2.78276543210E+10', ['+27827654321 | 2.78276543210E+10 | decoded']],
  ['2.78E+10', ['+27800000000 | 2.78E+10 | decoded']],
  ['27827654321.0', ['+27827654321 | 27827654321']],
  // cells and lines
  ['082\t765\t4321', []],
  ['082 765\v4321', []],
  ['082 765\n4321', ['+27827654321 | 082 765\n4321 | joined']],
  ['082 765 4321\n8 to 17', ['+27827654321 | 082 765 4321']],
  // no numbers
  ['2026-11-28 08:30:15 01/02/2026 08:30', []],
  ['10821234567890', []],
  ['12.50 R1 234.00 20%', []],
] as const)('the numbers in %j are %j', ([text, found]) => {
  expect(written(text)).toEqual(found)
})

test.for([
  ['Tel. 3 (847) 488-9988', 'US', ['+18474889988 | (847) 488-9988']],
  ['06 12 34 56 78', 'FR', ['+33612345678 | 06 12 34 56 78']],
  ['082 765 4321', 'GB', ['+44827654321 | 082 765 4321', '+27827654321 | 082 765 4321']],
] as const)('the numbers in %j with the country %s are %j', ([text, region, found]) => {
  expect(written(text, region)).toEqual(found)
})

test.for([
  ['•quagga@z.co.za', ['quagga@z.co.za | quagga@z.co.za']],
  [
    'quagga@z.co.za . tel 021',
    ['quagga@z.co.za.tel | quagga@z.co.za . tel | obfuscated', 'quagga@z.co.za | quagga@z.co.za | obfuscated'],
  ],
  ['quagga [at] z [dot] co [dot] za', ['quagga@z.co.za | quagga [at] z [dot] co [dot] za | obfuscated']],
  ['quagga *at* z *dot* co *dot* za', ['quagga@z.co.za | quagga *at* z *dot* co *dot* za | obfuscated']],
  ['quagga -at- z -dot- co -dot- za', ['quagga@z.co.za | quagga -at- z -dot- co -dot- za | obfuscated']],
  ['quagga|at|z.co.za', ['quagga@z.co.za | quagga|at|z.co.za | obfuscated']],
  ['quagga "at" z "dot" co.za', ['quagga@z.co.za | quagga "at" z "dot" co.za | obfuscated']],
  ['email=quagga@z.co.za', ['quagga@z.co.za | quagga@z.co.za']],
  ['Mail—quagga@z.co.za—today', ['quagga@z.co.za | quagga@z.co.za']],
  ['~quagga@z.co.za~', ['quagga@z.co.za | quagga@z.co.za']],
  ['_quagga@z.co.za_', ['_quagga@z.co.za | _quagga@z.co.za', 'quagga@z.co.za | quagga@z.co.za']],
  ['quagga@z.co.za_today', ['quagga@z.co.za-today | quagga@z.co.za_today', 'quagga@z.co.za | quagga@z.co.za']],
  ['quagga@z.co.za.Please', ['quagga@z.co.za.please | quagga@z.co.za.Please', 'quagga@z.co.za | quagga@z.co.za']],
  ["o'brien@z.co.za", ["o'brien@z.co.za | o'brien@z.co.za", 'brien@z.co.za | brien@z.co.za']],
  ['“quagga＠z．co．za”', ['quagga@z.co.za | quagga＠z．co．za']],
  ['quagga @ z.co.za', ['quagga@z.co.za | quagga @ z.co.za']],
  ['name(a)[z.co.za]', ['name@z.co.za | name(a)[z.co.za | obfuscated']],
  ['jan [at] z [dot] co [dot] za', ['jan@z.co.za | jan [at] z [dot] co [dot] za | obfuscated']],
  [
    'jan at z punt co punt za',
    ['jan@z.co.za | jan at z punt co punt za | obfuscated', 'z.co.za | z punt co punt za | obfuscated'],
  ],
  ['quagga%40z.co.za', ['quagga@z.co.za | quagga%40z.co.za | decoded']],
  ['quagga%2540z%252Eco.za', ['quagga@z.co.za | quagga%2540z%252Eco.za | decoded']],
  ['quagga&#64;z.co.za', ['quagga@z.co.za | quagga&#64;z.co.za | decoded', 'z.co.za | z.co.za']],
  ['quagga\n@z.co.za', ['quagga@z.co.za | quagga\n@z.co.za | joined']],
  ['quagga@zon\nkey.co.za', ['quagga@zonkey.co.za | quagga@zon\nkey.co.za | joined', 'key.co.za | key.co.za']],
  ['jan@x.co.za\npiet@y.co.za', ['jan@x.co.za | jan@x.co.za', 'piet@y.co.za | piet@y.co.za']],
  ['quagga@z.co\t.za', ['quagga@z.co | quagga@z.co']],
  ['quagga\t@z.co.za', ['z.co.za | z.co.za']],
] as const)('the addresses in %j are %j', ([text, found]) => {
  expect(written(text)).toEqual(found)
})

test.for([
  ['springbok[.]co[.]za', ['springbok.co.za | springbok[.]co[.]za | obfuscated']],
  ['springbok dot co dot za', ['springbok.co.za | springbok dot co dot za | obfuscated']],
  ['springbok。co。za', ['springbok.co.za | springbok。co。za']],
  ['Site=springbok.co.za', ['springbok.co.za | springbok.co.za']],
  ['https://x.com/?u=springbok.co.za', ['x.com | x.com', 'springbok.co.za | springbok.co.za']],
  ['see https://host.com/x/082-765-4321 now', ['host.com | host.com', '+27827654321 | 082-765-4321']],
  ['https://wa.me/27-82-765-4321', ['wa.me | wa.me', '+27827654321 | 27-82-765-4321']],
  [
    'https://h.com/l?u=https%3A%2F%2Fvlei.co.za%2F&p=%2B27827654321',
    ['h.com | h.com', 'vlei.co.za | vlei.co.za | decoded', '+27827654321 | %2B27827654321 | decoded'],
  ],
  ['https://vlei.co.za/index.html', ['vlei.co.za | vlei.co.za']],
  ['n.a. e.g. 1.5 etc.', []],
] as const)('the hosts in %j are %j', ([text, found]) => {
  expect(written(text)).toEqual(found)
})

test('the user, the path and the query of a URL are read', () => {
  const found = valuesIn('https://quagga%40z.co.za@host.com/m/jan(at)vlei.co.za?u=piet%40karoo.co.za')
  expect(found.map(({ normalized }) => normalized)).toEqual(
    expect.arrayContaining(['quagga@z.co.za', 'host.com', 'jan@vlei.co.za', 'piet@karoo.co.za']),
  )
})

test('a host with a suffix that is not in the list is read on request', () => {
  expect(valuesIn('see intranet.karoo.lan today')).toEqual([])
  expect(valuesIn('see intranet.karoo.lan today', { anySuffix: true })).toEqual([
    { kind: 'domain', normalized: 'intranet.karoo.lan', from: 4, to: 22, read: 'plain' },
  ])
})

test('a text of any length is read in linear time, also where Unicode normalization makes it 18 times longer', () => {
  const parts = [
    '㌖',
    'ﷺ',
    '…',
    '⁗',
    '㏂',
    'a',
    '@',
    'a@',
    'a@b.c ',
    'a.',
    ' at ',
    'a at b dot ',
    '1',
    '1 ',
    '082 ',
    '+1 ',
    '00 ',
  ]
  const others = [
    '%40',
    '%2540',
    '=40',
    'a\n',
    'a.\n',
    '[',
    ' ',
    '_',
    '1.',
    '1-1/1 ',
    '12:30 ',
    '&#64;',
    '0827654321',
    '\u0301',
  ]
  const startedAt = performance.now()
  for (const part of [...parts, ...others]) valuesIn(part.repeat(200_000 / part.length))
  // It takes some seconds. A time that grows with the square of the length would take minutes for each text.
  expect(performance.now() - startedAt).toBeLessThan(60_000)
}, 120_000)
