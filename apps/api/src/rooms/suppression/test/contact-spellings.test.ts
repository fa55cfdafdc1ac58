import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { createProspect, type Refusal } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import { contactWorld } from '../../contacts/test/contact-world.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import type { Export } from '../../exports/exports.schema.ts'

/*
 * Spellings of suppressed values that people write every day (Global rule 5, Phase 12 §5), through the public API: records, checks, exports, texts and
 * recipients of drafts, entries, and pages of websites. Each spelling must be found by each of them.
 */

const entries = [
  { kind: 'phone', value: '+27827654321' },
  { kind: 'email', value: 'quagga@zonkeyfarm.co.za' },
  { kind: 'domain', value: 'springbok.co.za', scope: 'with_subdomains' },
] as const
type Kind = (typeof entries)[number]['kind']

/** Words, signs and short numbers that stand beside a number. */
const besideNumbers = [
  '1.',
  '(1)',
  '24/7',
  '8-17',
  '(8-17)',
  '2024',
  '8001',
  'Erf 12',
  'Cell 2',
  'R100',
  'Since 2024',
  '•',
  '3 x',
]
/** Signs and words that touch an address or a host. */
const besideAddresses = ['•', '–', '—', '→', '=', '/', '#', '~', '_', 'email=', 'Mail—', '¦', '»', '(', '“', '*']

const numbers = ['082 765 4321', '0827654321', '+27 82 765 4321', '(082) 765-4321']
const numberForms = [
  '082_765_4321',
  '082*765*4321',
  '082|765|4321',
  '082−765−4321',
  '082 • 765 • 4321',
  '082,765,4321',
  '082:765:4321',
  '082·765·4321',
  '27827654321.0',
  '2.7827654321E+10',
]

const spellings: Record<Kind, readonly string[]> = {
  phone: [
    ...besideNumbers.flatMap((beside, at) => {
      const number = numbers[at % numbers.length] ?? ''
      return [`${beside} ${number}`, `${number} ${beside}`]
    }),
    ...numberForms,
  ],
  email: [
    ...besideAddresses.map((beside) => `${beside}quagga@zonkeyfarm.co.za`),
    ...['—', '=', '/', '~', '*', '…'].map((beside) => `quagga@zonkeyfarm.co.za${beside}today`),
    'Mail—quagga@zonkeyfarm.co.za—today',
    'https://quagga%40zonkeyfarm.co.za@karoo.co.za/',
    'https://karoo.co.za/m/quagga(at)zonkeyfarm.co.za',
  ],
  domain: [
    'Site=springbok.co.za',
    'https://example.com/?u=springbok.co.za',
    'https://karoo.co.za/go?u=springbok.co.za',
    'https://karoo.co.za/sites/springbok.co.za/x',
    'See https://example.com/?u=springbok.co.za',
    'https://karoo.co.za/go?u=https%3A%2F%2Fwww.springbok.co.za%2F',
  ],
}
/** Numbers in URLs: they are written in the field for domains. */
const inUrls = [
  'https://example.com/x/082-765-4321',
  'https://wa.me/27-82-765-4321',
  'https://example.com/?tel=082%20765%204321',
]

/** All spellings with the field in which a person writes them. */
const written = [
  ...entries.flatMap(({ kind }) => spellings[kind].map((value) => ({ kind, value }))),
  ...inUrls.map((value) => ({ kind: 'domain' as const, value })),
]
const fields = { phone: 'phones', email: 'emails', domain: 'domains' } as const
const key = () => ({ 'idempotency-key': newId() })

async function suppressAll(operator: TestClient): Promise<void> {
  for (const entry of entries) {
    const { status } = await operator.post('/suppressions', { ...entry, reason: 'They asked.', channel: 'letter' })
    expect(status).toBe(201)
  }
}

async function setUp() {
  const world = await jobWorld([exportJob])
  await suppressAll(world.operator)
  return world
}

const inField = ({ kind, value }: { kind: Kind; value: string }) => ({
  [fields[kind]]: [{ value, ...(kind === 'phone' ? { region: 'ZA' } : {}) }],
})

test('a record with a spelling of a suppressed value is marked, and an export leaves it out', async () => {
  const { t, operator, work, ended } = await setUp()
  work()
  const free: string[] = []
  for (const [at, one] of written.entries()) {
    const { doNotContact } = await createProspect(operator, { name: `Spelling ${at}`, ...inField(one) })
    if (doNotContact === null) free.push(one.value)
  }
  expect(free).toEqual([])
  await createProspect(operator, { name: 'A free record', phones: [{ value: '082 765 4322 8-17', region: 'ZA' }] })
  const manager = await t.as('manager')
  const asked = await manager.post<Export>(
    '/exports',
    { source: 'prospects', format: 'csv', suppressed: 'leave_out' },
    key(),
  )
  expect((await ended(asked.body.jobId)).status).toBe('succeeded')
  const { body: file } = await manager.get<string>(`/exports/${asked.body.id}/content`)
  expect(file).toContain('A free record')
  expect(file).not.toContain('Spelling')
})

test('a check of a spelling names the entry', async () => {
  const { operator } = await setUp()
  type Checked = { items: { value: string; suppressed: boolean }[] }
  const values = written.map((one) => ({ ...one, region: one.kind === 'phone' ? 'ZA' : null }))
  const { body } = await operator.post<Checked>('/suppressions/checks', {
    values: [...values, { kind: 'phone', value: '082 765 4322 8-17', region: 'ZA' }],
  })
  expect(body.items.filter(({ suppressed }) => !suppressed).map(({ value }) => value)).toEqual(['082 765 4322 8-17'])
})

const draft = (businessId: string, more: object = {}) => ({
  businessId,
  title: 'A letter',
  jurisdiction: 'za',
  channel: 'call_script',
  purpose: 'introduction',
  language: 'en',
  recipient: { kind: 'email', value: 'desk@karoo.co.za' },
  text: 'Good day.',
  noCitationReason: 'Nothing is claimed.',
  ...more,
})

test('a spelling in the text of a draft fails its check', async () => {
  const { operator } = await setUp()
  const { id } = await createProspect(operator, { emails: [{ value: 'desk@karoo.co.za' }] })
  const brokenAtLines = [
    'Write to quagga\n@zonkeyfarm.co.za today.',
    'Write to quagga@\nzonkeyfarm.co.za today.',
    'Call 082 765\n4321 today.',
  ]
  const texts = [...written.map(({ value }) => `Good day. ${value}`), ...brokenAtLines]
  type Check = { key: string; result: string; message: string }
  const checkOf = async (text: string) => {
    const { body } = await operator.post<{ checks: Check[] }>('/draft-checks', draft(id, { text }))
    return body.checks.find((one) => one.key === 'suppression')
  }
  const passed: string[] = []
  for (const text of texts) if ((await checkOf(text))?.result !== 'fail') passed.push(text)
  expect(passed).toEqual([])
  expect((await checkOf('Good day. Since 2024 082 765 4322, • vlei.co.za'))?.result).toBe('pass')
  expect((await checkOf('Good day.\n\nCall (082) 765-4321 8-17, please.'))?.message).toBe(
    'Line 3 of the text contains an address, number or domain from the do-not-contact list.',
  )
})

test('a spelling as the recipient of a draft or a legal basis is refused', async () => {
  const { operator } = await setUp()
  const { id } = await createProspect(operator, { emails: [{ value: 'desk@karoo.co.za' }] })
  const basis = {
    kind: 'consent',
    form: 'written',
    language: 'en',
    agreedTo: 'Calls about windpumps.',
    channels: ['call_script'],
    purpose: 'introduction',
    jurisdiction: 'za',
    documentReference: 'A file',
  }
  const term = { from: '2026-11-01T00:00:00Z', until: '2027-11-01T00:00:00Z' }
  const stored: unknown[] = []
  for (const { kind, value } of written) {
    const recipient = { kind: kind === 'domain' ? 'address' : kind, value }
    const answers = [
      await operator.post<Refusal>('/drafts', draft(id, { recipient })),
      await operator.post<Refusal>(`/businesses/${id}/legal-bases`, { ...basis, ...term, recipient }),
    ]
    for (const { status, body } of answers)
      if (status !== 422 || body.code !== 'suppressed') stored.push([value, status])
  }
  expect(stored).toEqual([])
})

test('an entry that is no possible value is refused with a sentence, alone and in a batch', async () => {
  const { operator } = await jobWorld([])
  for (const [kind, value] of [
    ['email', '•a@zonkeyfarm.co.za'],
    ['email', '—a@zonkeyfarm.co.za'],
    ['email', '=a@zonkeyfarm.co.za'],
    ['domain', 'springbok.notasuffix'],
  ] as const) {
    const { status, body } = await operator.post<Refusal & { suppression?: { normalized: string } }>('/suppressions', {
      kind,
      value,
      reason: 'They asked.',
      channel: 'letter',
    })
    // Either the sign is read off and the entry blocks the address, or there is no entry.
    if (status === 201) expect([value, body.suppression?.normalized]).toEqual([value, 'a@zonkeyfarm.co.za'])
    else
      expect([value, status, typeof body.detail]).toEqual([
        value,
        expect.toSatisfy((one: number) => one >= 400 && one < 500),
        'string',
      ])
  }
})

test('a page that states a spelling adds no candidate with the value, and no context with a part of it', async () => {
  const { operator, extract, list } = await contactWorld()
  await suppressAll(operator)
  const lines = [...written.map(({ value }) => value), 'Mail—quagga@zonkeyfarm.co.za—today']
  await extract(
    `<title>Contact us</title><h1>Contact us</h1>${lines.map((line) => `<p>Write to desk@karoo.co.za or ${line}</p>`).join('')}`,
  )
  const candidates = await list()
  expect(candidates.map(({ value }) => value)).toContain('desk@karoo.co.za')
  expect(JSON.stringify(candidates)).not.toMatch(/quagga|springbok|zonkeyfarm|765|4321/)
})
