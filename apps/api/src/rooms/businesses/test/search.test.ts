import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { createProspect, type ListPage, walk } from '../../../../test/prospects.ts'
import { searchForms } from '../../normalization/normalization.ts'

type Row = { id: string; name: string }

async function found(client: TestClient, q: string): Promise<string[]> {
  const rows = await walk<Row>(client, `/businesses?sort=name&q=${encodeURIComponent(q)}`, 200)
  return rows.map(({ name }) => name)
}

async function setUp(...prospects: Record<string, unknown>[]) {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  for (const prospect of prospects) await createProspect(operator, prospect)
  return { t, operator }
}

test.for([
  ['the beginning of a name', 'karoo'],
  ['the middle of a name', 'oo wind'],
  ['the end of a name', 'umps'],
  ['capitals instead of small letters', 'KAROO WINDPUMPS'],
  ['accents that the name lacks', 'kärôó'],
  ['extra spaces', '  karoo   windpumps '],
  ['words in another order', 'windpumps karoo'],
  ['words of several of its values', 'kus karoo 082 owner@'],
  ['a word and part of another', 'café windp'],
  ['a trading name', 'melkbos'],
  ['a trading name without its accents', 'cafe de kus'],
  ['the first email', 'sales@karoo'],
  ['a later email', 'owner@'],
  ['the domain of an email', 'karoo.co.za'],
  ['a phone as typed', '082 123 4567'],
  ['a phone without spaces', '0821234567'],
  ['a phone with dashes', '082-123-4567'],
  ['part of a phone', '123 45'],
  ['a local phone in its international form', '+27 82 123 4567'],
  ['a local phone with 00', '0027821234567'],
  ['a local phone with (0)', '+27 (0)82 123 4567'],
  ['an international phone as typed', '+27 49 892 0000'],
  ['an international phone in its national form', '049 892 0000'],
  ['a local phone without its country, by the international form', '+27 11 555 0199'],
  ['a foreign phone', '+44 20 7946 0958'],
  ['a foreign phone without its plus', '442079460958'],
  ['a web domain', 'windpumps.example'],
  ['a web domain as it was typed', 'https://www.windpumps'],
  ['a domain in its own script', 'münchen'],
  ['a domain in ASCII', 'xn--mnchen'],
  ['a registration number', '2015/123456'],
  ['part of a registration number', '123456/07'],
] as const)('a prospect is found by %s', async ([, q]) => {
  const { operator } = await setUp(
    {
      name: 'Karoo Windpumps',
      tradingName: 'Melkbos Café de Kus',
      registrationNumber: '2015/123456/07',
      emails: [{ value: 'Sales@karoo.co.za' }, { value: 'owner@example.org' }],
      phones: [
        { value: '082 123 4567', region: 'ZA' },
        { value: '+27 49 892 0000' },
        { value: '011 555 0199' },
        { value: '+44 20 7946 0958' },
      ],
      domains: [{ value: 'https://www.windpumps.example/' }, { value: 'münchen.example' }],
    },
    { name: 'Somebody else', phones: [{ value: '082 999 8888', region: 'ZA' }] },
  )
  expect(await found(operator, q)).toEqual(['Karoo Windpumps'])
})

test('a name of digits and signs is found by them, although it looks like a phone', async () => {
  const { operator } = await setUp({ name: '24/7 Locksmiths' }, { name: '100-200 Fencing' }, { name: 'Other' })
  expect(await found(operator, '24/7')).toEqual(['24/7 Locksmiths'])
  expect(await found(operator, '100-2')).toEqual(['100-200 Fencing'])
})

test.for([
  ['Qcurl’s Kitchen', ["Qcurl's Kitchen", 'Qcurls Kitchen', 'QCURL`S', 'Qcurl s Kitchen', 'qcu\u200brls']],
  ["Qcurl's Kitchen", ['Qcurl’s Kitchen', 'Qcurls', 'Qcurlʼs']],
  ['Qcurls Kitchen', ['Qcurl’s Kitchen', "Qcurl's"]],
  ['A.B.C. Motors', ['ABC', 'abc motors', 'A B C Motors', 'A.B.C.']],
  ['ABC Motors', ['A.B.C.', 'A B C Motors', 'a.b.c motors']],
  ['Jan & Seuns', ['Jan en Seuns', 'jan and seuns', 'Jan&Seuns', "Jan 'n Seuns", 'Jan + Seuns']],
  ["Rock 'n Roll Rentals", ['rock and roll', 'Rock ’n’ Roll', 'rock & roll rentals', 'rock n roll']],
  ['Coca-Cola Bottling', ['coca cola', 'CocaCola', 'Coca‑Cola', 'coca–cola bottling']],
  ['Karoo Bulk', ['Karoo Bulk (Pty) Ltd', 'KAROO BULK PTY LTD', 'Karoo Bulk CC', 'karoo bulk (edms) bpk']],
  ['Karoo Bulk (Pty) Ltd', ['Karoo Bulk', 'karoo bulk pty ltd', 'Karoo Bulk Limited', '"Karoo Bulk"']],
  ['Smørbrød Łódź Đồng', ['smorbrod', 'lodz', 'dong smorbrod']],
  ['Straße Werke', ['strasse']],
  ['Bakkery (Paarl)', ['bakkery paarl', '(paarl)', 'Bakkery, Paarl']],
])('the name %s is found in its other spellings', async ([name = '', spellings = []]) => {
  const { operator } = await setUp({ name }, { name: 'Somebody else' })
  for (const q of spellings) expect([q, await found(operator, q)]).toEqual([q, [name]])
})

test.for([
  'http://www.zoekmail.co.za/',
  'https://zoekmail.co.za/contact?from=card#top',
  'www.zoekmail.co.za',
  'Website: zoekmail.co.za',
  'mailto:jan@zoekmail.co.za?subject=Hello',
  'Jan Smuts <jan@zoekmail.co.za>',
  '"Smuts, Jan" <jan@zoekmail.co.za>;',
  'tel:+27825558834',
  'tel:0825558834',
  '082 555 8834 ext 4',
  '+27 82 555 8834 ext. 4',
  'WhatsApp: 082 555 8834',
  '082-555-8834 (Jan)',
  'Switchboard',
  'Jan’s desk',
  'jans desk',
  'Online shop',
])('a pasted value or a label finds its record: %s', async (q) => {
  const { operator } = await setUp(
    {
      name: 'Karoo Mail',
      emails: [{ value: 'jan@zoekmail.co.za', label: "Jan's desk" }],
      phones: [{ value: '082 555 8834', region: 'ZA', label: 'Switchboard' }],
      domains: [{ value: 'zoekmail.co.za', label: 'Online shop' }],
    },
    { name: 'Somebody else', phones: [{ value: '082 999 8888', region: 'ZA', label: 'Desk' }] },
  )
  expect(await found(operator, q)).toEqual(['Karoo Mail'])
})

test('viewers find a record that is do not contact by any spelling of its name, and by no other of its values', async () => {
  const { t, operator } = await setUp()
  const viewer = await t.as('viewer')
  const emails = [{ value: 'jan@zoekmail.co.za', label: 'Switchboard' }]
  const { id } = await createProspect(operator, { name: 'Qcurl’s Kitchen', tradingName: 'Melkbos', emails })
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  for (const q of ['Qcurls', "qcurl's kitchen", 'Qcurl’s', 'qc'])
    expect([q, await found(viewer, q)]).toEqual([q, ['Qcurl’s Kitchen']])
  for (const q of ['melkbos', 'mailto:jan@zoekmail.co.za', 'switchboard']) {
    expect([q, await found(viewer, q)]).toEqual([q, []])
    expect([q, await found(operator, q)]).toEqual([q, ['Qcurl’s Kitchen']])
  }
})

test('one or two characters find the beginning of the name and nothing else; characters, not UTF-16 units', async () => {
  const { operator } = await setUp(
    { name: 'Elan', tradingName: 'Zebra', emails: [{ value: 'zz@karoo.co.za' }] },
    { name: 'Élan Vital' },
    { name: 'Model' },
    { name: '🙂🙂 Smile' },
    { name: 'Grin 🙂🙂' },
    { name: '4x4 Spares' },
  )
  expect(await found(operator, 'e')).toEqual(['Elan', 'Élan Vital'])
  expect(await found(operator, 'ÉL')).toEqual(['Elan', 'Élan Vital'])
  expect(await found(operator, 'zz')).toEqual([])
  expect(await found(operator, '🙂🙂')).toEqual(['🙂🙂 Smile'])
  expect(await found(operator, '4')).toEqual(['4x4 Spares'])
})

test('a match never spans two values', async () => {
  const { operator } = await setUp({ name: 'North', tradingName: 'West', emails: [{ value: 'a@b.co.za' }] })
  for (const q of ['northwest', 'northa@b', 'hwest', 'h we', 't a@b'])
    expect([q, await found(operator, q)]).toEqual([q, []])
})

test('a prospect is found only if it has all the words', async () => {
  const { operator } = await setUp({ name: 'Kagiso Precision Plumbing' }, { name: 'Kagiso Farms', tags: ['plumbing'] })
  expect(await found(operator, 'plumbing kagiso')).toEqual(['Kagiso Precision Plumbing'])
  expect(await found(operator, 'precision kagiso plumb')).toEqual(['Kagiso Precision Plumbing'])
  expect(await found(operator, 'kagiso')).toEqual(['Kagiso Farms', 'Kagiso Precision Plumbing'])
  expect(await found(operator, 'plumbing kagiso farms')).toEqual([])
})

test('each of several words must be contiguous, although all of its trigrams occur', async () => {
  const { operator } = await setUp(
    { name: 'Kagiso Plumbing' },
    { name: 'Kagiso Mbing Plu' },
    { name: 'Sokag Gisoka Plumbing' },
  )
  expect(await found(operator, 'plumbing kagiso')).toEqual(['Kagiso Plumbing'])
  expect(await found(operator, 'plumb sokag')).toEqual(['Sokag Gisoka Plumbing'])
})

const nasty = [
  '"quoted"',
  `O'Reilly & Sons`,
  '100% Wool',
  'under_score',
  'star*light',
  'A OR B',
  'NEAR(far bee)',
  'NOT this',
  'tenant : x',
  'text:karoo',
  '(bracketed',
  'col^umn',
  'a AND b',
  '-minus',
  '+plus',
  'back\\slash',
  '🙂 smile',
  '; DROP TABLE businesses; --',
  '{curly}',
  '\u{e000}\u{e000}\u{e001} private',
  'ﬁne ligature',
  'Straße',
  'İstanbul',
  'ΟΔΟΣ',
  'قهوة',
  '株式会社',
]

test('quotes, wildcards, emoji and operators of the index are plain text, and found only literally', async () => {
  const { operator } = await setUp(...nasty.map((name) => ({ name })), { name: 'Plain' })
  for (const name of nasty) expect([name, await found(operator, name)]).toEqual([name, [name]])
  for (const q of ['%%%', '___', '***', '"""', '" OR "', "' OR 1=1", 'a* OR b*', '\\\\\\', 'NEAR(x', ') OR ('])
    expect([q, await found(operator, q)]).toEqual([q, []])
})

test('no search finds a prospect of another tenant, with equal values and any query', async () => {
  const alike = { name: 'Karoo Windpumps', emails: [{ value: 'a@karoo.co.za' }], phones: [{ value: '+27821234567' }] }
  const { t, operator } = await setUp(alike)
  const other = await t.as('operator', 'other')
  const { id: own } = (await operator.get<ListPage<Row>>('/businesses')).body.items[0] ?? { id: '' }
  for (let index = 0; index < 3; index++) await createProspect(other, { ...alike, tags: ['Farm'] })
  const numbers = await t.store.reader.selectFrom('tenants').select('number').execute()
  const tokens = numbers.map(({ number }) => `\u{e000}\u{e000}${String.fromCharCode(0xe000 + number)}`)
  const asked = ['karoo', 'a@karoo', '0821234567', 'ka', 'k', ...tokens, `" OR tenant : "${tokens[1]}`]
  for (const q of asked) {
    for (const more of ['', '&state=new', '&sort=-name', '&hasEvidence=false']) {
      const { body } = await operator.get<ListPage<Row>>(`/businesses?q=${encodeURIComponent(q)}${more}`)
      expect([q, more, body.items.filter(({ id }) => id !== own)]).toEqual([q, more, []])
      expect([q, more, body.page.total?.value]).toEqual([q, more, body.items.length])
    }
  }
})

/* Compares the search with an oracle that uses no index and compares every value of every prospect. */

const letters = [...'aeiouéöñknrstz', ' ', '-', '/', '.', '"', '%', '_', '*', "'", '&', '🙂', 'Å', 'ß', 'Z', '4', '7']
const word = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 10 }).map((parts) => parts.join(''))
const written = word.filter((text) => text.trim() !== '')
const digitsOf = (length: number) =>
  fc.array(fc.nat(9), { minLength: length, maxLength: length }).map((digits) => digits.join(''))
/** Mobile numbers of existing networks, because other numbers have no normalized form and are found only as typed. */
const mobile = fc.tuple(fc.constantFrom('81', '82', '83', '84'), digitsOf(7))
const phone = fc.oneof(
  mobile.map(([network, rest]) => ({ value: `0${network}${rest}`, region: 'ZA' })),
  mobile.map(([network, rest]) => ({ value: `+27 ${network} ${rest.slice(0, 3)} ${rest.slice(3)}` })),
)
const anyProspect = fc.record({
  name: written,
  tradingName: fc.option(written),
  emails: fc.array(
    written.map((text) => ({ value: `${text.trim()}@karoo.co.za` })),
    { maxLength: 2 },
  ),
  phones: fc.array(phone, { maxLength: 2 }),
})
type Prospect = typeof anyProspect extends fc.Arbitrary<infer P> ? P : never

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Splits a text at each space that has three or more characters before it and a word of three or more characters after it. */
function partsOf(asked: string): string[] {
  const cut = asked.search(/(?<=^.{3,}) (?=[^ ]{3,}( |$))/u)
  return cut === -1 ? [asked] : [asked.slice(0, cut), ...partsOf(asked.slice(cut + 1))]
}

function isFound(q: string, { name, tradingName, emails, phones }: Prospect): boolean {
  const asked = plain(q)
  const texts = [name, tradingName ?? '', ...emails.map(({ value }) => value)].map(plain)
  const compact = q
    .replace(/\(0\)/g, '')
    .replace(/[\s().\-/]/g, '')
    .replace(/^00/, '+')
  const isPhone = /^[+\d][\d\s().\-/]*$/.test(q.trim()) && !/^\d{4}\/\d/.test(q.trim())
  const dialled = /^\+27\d{3}/.test(compact) ? compact.slice(3) : compact.replace('+', '')
  const international = phones.map(({ value }) => value.replace(/\D/g, '').replace(/^0/, '27'))
  const dials = (part: string) =>
    part.length >= 3 &&
    international.some((digits) => digits.includes(part) || digits.replace(/^27/, '0').includes(part))
  // A text of digits is also searched literally, because `000` can be a part of a number and not only the prefix of a foreign one.
  const byPhone = (isPhone && dials(dialled)) || (/^\d+$/.test(asked) && dials(asked))
  const parts = isPhone ? [asked] : partsOf(asked)
  const byText = [...asked].length >= 3 && parts.every((part) => texts.some((text) => text.includes(part)))
  return (
    byPhone || ([...asked].length < 3 && !(isPhone && dialled.length >= 3) ? plain(name).startsWith(asked) : byText)
  )
}

/** True if all words of a form of the query occur in forms of the names, or an address contains the query without characters before an address. */
function isFoundFolded(q: string, { name, tradingName, emails }: Prospect): boolean {
  const [before = ''] = /^.*(?=.@)/su.exec(plain(q)) ?? []
  const pasted = Array.from({ length: before.length }, (_, at) => plain(q).slice(at + 1))
  if (emails.some(({ value }) => pasted.some((part) => plain(value).includes(part)))) return true
  const texts = [name, tradingName ?? ''].flatMap((text) => [plain(text), ...searchForms(text)])
  texts.push(...emails.map(({ value }) => plain(value)))
  return searchForms(q).some((form) => partsOf(form).every((part) => texts.some((text) => text.includes(part))))
}

test('any part of any value, in any case, finds its prospect; and any query finds what the oracle finds, and beyond it only folded names and pasted addresses', async () => {
  const prospects = fc.sample(anyProspect, { numRuns: 60, seed: 11 })
  const { operator } = await setUp(...prospects)
  const part = fc
    .tuple(fc.constantFrom(...prospects), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 12 }), fc.boolean())
    .map(([{ name, tradingName, emails, phones }, which, from, length, shout]) => {
      const values = [name, tradingName ?? name, ...[...emails, ...phones].map(({ value }) => value)]
      const characters = [...(values[which % values.length] ?? '')]
      const text = characters
        .slice(from % characters.length)
        .slice(0, length)
        .join('')
      return shout ? text.toUpperCase() : text
    })
  const question = fc
    .oneof({ weight: 4, arbitrary: part }, { weight: 1, arbitrary: word })
    .filter((q) => plain(q) !== '')
  await fc.assert(
    fc.asyncProperty(question, async (q) => {
      const listed = (await found(operator, q)).toSorted()
      const namesOf = (of: (prospect: Prospect) => boolean) => prospects.filter(of).map(({ name }) => name)
      const literal = namesOf((prospect) => isFound(q, prospect))
      expect([q, literal.filter((name) => !listed.includes(name))]).toEqual([q, []])
      const folded = namesOf((prospect) => isFound(q, prospect) || isFoundFolded(q, prospect))
      expect([q, listed.filter((name) => !folded.includes(name))]).toEqual([q, []])
      expect(listed.length).toBeLessThanOrEqual(folded.length)
    }),
    { numRuns: 200 },
  )
})

test('any typed text gets a response, never an internal error', async () => {
  const { operator } = await setUp({ name: 'Karoo' })
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), async (q) => {
      const { status } = await operator.get(`/businesses?q=${encodeURIComponent(q.toWellFormed())}`)
      expect([q, status]).toEqual([q, expect.toSatisfy((code) => code === 200 || code === 400)])
    }),
    { numRuns: 200 },
  )
})

test('a text is found alike while it is pending, when the index has it, and after another change', async () => {
  const { t, operator } = await setUp()
  const foreign = await t.as('operator', 'other')
  const waiting = async () =>
    (await t.store.reader.selectFrom('business_search_pending').select('docid').execute()).length
  const { id } = await createProspect(operator, { name: 'Karoo Windpumps' })
  expect(await waiting()).toBe(1)
  expect(await found(operator, 'windpumps')).toEqual(['Karoo Windpumps'])
  expect(await found(foreign, 'windpumps')).toEqual([])

  let most = 0
  for (let number = 0; number < 70; number++) {
    await createProspect(operator, { name: `Filler ${number}` })
    most = Math.max(most, await waiting())
  }
  expect(most).toBeLessThan(64)
  expect(await waiting()).toBeLessThan(10)
  expect(await found(operator, 'windpumps')).toEqual(['Karoo Windpumps'])
  expect(await found(foreign, 'windpumps')).toEqual([])

  await operator.patch(`/businesses/${id}`, { name: 'Karoo Solar' }, { 'if-match': '"1"' })
  expect(await found(operator, 'windpumps')).toEqual([])
  expect(await found(operator, 'karoo')).toEqual(['Karoo Solar'])
  await operator.patch(`/businesses/${id}`, { name: 'Karoo Windpumps' }, { 'if-match': '"2"' })
  expect(await found(operator, 'solar')).toEqual([])
  expect(await found(operator, 'windpumps')).toEqual(['Karoo Windpumps'])
})

test('rewriting a text in the index replaces its own entry there, and no other', async () => {
  const { t, operator } = await setUp({ name: 'Karoo Windpumps' }, { name: 'Boland Bakery' })
  const administrator = await t.as('administrator')
  // An erasure writes the index immediately.
  const writeIndex = async () => {
    const { id } = await createProspect(operator, { name: 'Somebody else' })
    expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
  }
  await writeIndex()
  const [{ id } = { id: '' }] = await walk<Row>(operator, '/businesses?q=windpumps')
  await operator.patch(`/businesses/${id}`, { name: 'Karoo Solar' }, { 'if-match': '"1"' })
  await writeIndex()
  expect(await t.store.reader.selectFrom('business_search_pending').selectAll().execute()).toEqual([])
  // A search for several words also reads the texts.
  expect(await found(operator, 'solar karoo')).toEqual(['Karoo Solar'])
  expect(await found(operator, 'bakery boland')).toEqual(['Boland Bakery'])
})
