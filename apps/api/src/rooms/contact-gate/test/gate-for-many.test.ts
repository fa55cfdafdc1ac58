import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { findKeys } from '../../../store/files/keys.ts'
import type { Business } from '../../businesses/businesses.schema.ts'
import { normalizeIdentifier } from '../../normalization/normalization.ts'
import { gate } from '../gate/gate.ts'
import { gateForMany } from '../gate/gate-for-many.ts'
import type { ContactValue } from '../keys/contact-keys.rules.ts'

const entries = [
  { kind: 'email', value: 'boss@karoo.co.za' },
  { kind: 'email', value: 'jan.smit@gmail.com' },
  { kind: 'domain', value: 'shut.co.za', scope: 'with_subdomains' },
  { kind: 'domain', value: 'only.co.za' },
  { kind: 'phone', value: '+27 82 123 4567' },
  { kind: 'phone', value: '(847) 488-9988', region: 'US' },
  { kind: 'email', value: 'smit@fastmail.com' },
]

const typed = fc.oneof(
  fc.constantFrom(
    'boss@karoo.co.za',
    'Boss+x@KAROO.co.za',
    'j.ansmit+a@googlemail.com',
    'a@b.shut.co.za',
    'x@only.co.za',
  ),
  fc.constantFrom(
    'www.shut.co.za/about',
    'deep.only.co.za',
    'only.co.za',
    '0821234567',
    '27821234567',
    'tel: +27 (0)82 123-4567',
  ),
  fc.constantFrom(
    'jan.smit@fastmail.com',
    'x@smit.fastmail.com',
    'info@www.karoo.co.za',
    'boss@KAROO.co.za,x',
    'CO.ZA',
    'za',
  ),
  fc.constantFrom(
    'https://example.com/?u=only.co.za',
    'https://wa.me/27821234567',
    'https://example.com/?to=boss%40karoo.co.za',
    '0927821234567',
    'boss@@karoo.co.za',
  ),
  fc.constantFrom('(847) 488-9988', '847.488.9988', '+1 847 488 9988', '847-488-9988/9', '(626) 204-2266'),
  fc.emailAddress(),
  fc.domain(),
  fc.string(),
)
const values = fc.array(
  fc.record({
    kind: fc.constantFrom<ContactValue['kind']>('email', 'phone', 'domain'),
    value: typed,
    region: fc.constantFrom(null, 'ZA', 'US', 'GB'),
  }),
  { maxLength: 12 },
)

type Matches = Awaited<ReturnType<typeof gate>>

/** Checks values as the CSV reader does: only values that `mayMatch` accepts are looked up. */
function asAFileAsks(t: TestApp) {
  const keys = findKeys(t.store.dataDir)
  if (keys === undefined) throw new Error('The store has keys.')
  const asker = { db: t.store.reader, keys }
  const { prepare, mayMatch, ask } = gateForMany(asker, t.tenants.home.id)
  return {
    alone: (asked: readonly ContactValue[]) => gate(asker, t.tenants.home.id, asked),
    async many(asked: readonly ContactValue[]): Promise<Matches> {
      await prepare()
      const places = asked.flatMap((value, place) => {
        const { normalized } = normalizeIdentifier(value.kind, value.value, value.region)
        return mayMatch({ ...value, normalized }) ? [place] : []
      })
      const matches = await ask(places.flatMap((place) => asked[place] ?? []))
      return matches.map((match) => ({ ...match, index: places[match.index] ?? -1 }))
    },
  }
}

async function expectTheSame({ many, alone }: ReturnType<typeof asAFileAsks>, numRuns: number): Promise<void> {
  const inOrder = (matches: Matches) =>
    matches.map(({ index, suppressionId, text, read }) => `${index} ${suppressionId} ${text} ${read}`).sort()
  await fc.assert(
    fc.asyncProperty(values, async (asked) => {
      expect(inOrder(await many(asked))).toEqual(inOrder(await alone(asked)))
    }),
    { numRuns },
  )
}

const asked = { reason: 'They asked.', channel: 'letter' }

test('many values are decided as one by one, and an entry counts from its commit', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const add = (entry: object) => operator.post('/suppressions', { ...entry, ...asked }).then(({ status }) => status)
  const file = asAFileAsks(t)
  const late: ContactValue[] = [{ kind: 'domain', value: 'late.co.za' }]
  expect(await file.many(late)).toEqual([])
  for (const entry of [...entries, { kind: 'domain', value: 'late.co.za' }]) expect(await add(entry)).toBe(201)
  expect(await file.many(late)).toEqual(await file.alone(late))
  expect(await file.many(late)).toHaveLength(1)
  await expectTheSame(file, 300)
})

test('a value with a tombstone is found among many as by the gate itself, and so is every other', async () => {
  const { t, operator, suppress, edit, remove } = await suppressionWorld()
  const file = asAFileAsks(t)
  const { body } = await suppress('shut.co.za', { kind: 'domain', scope: 'with_subdomains' })
  const gone: ContactValue[] = [
    { kind: 'email', value: 'jan.smit@gmail.com' },
    { kind: 'email', value: 'Boss+x@KAROO.co.za' },
    { kind: 'phone', value: '082 123 4567', region: 'ZA' },
    { kind: 'phone', value: '(626) 204-2266', region: 'US' },
    { kind: 'domain', value: 'only.co.za' },
    { kind: 'domain', value: 'karoo dot coza' },
  ]
  expect(await file.many(gone)).toEqual([])
  const held = (kind: ContactValue['kind']) =>
    gone.filter((one) => one.kind === kind).map(({ value, region }) => ({ value, ...(region ? { region } : {}) }))
  const { body: business } = await operator.post<Business>('/businesses', {
    name: 'Gone',
    emails: held('email'),
    phones: held('phone'),
    domains: held('domain'),
  })
  await operator.post(`/businesses/${business.id}/do-not-contact`, { reason: 'By hand.' })
  await edit(business.id, { emails: [], phones: [], domains: [] })
  const matches = await file.many(gone)
  expect(matches.map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4, 5])
  await expectTheSame(file, 300)
  await remove(matches.find(({ index }) => index === 0)?.suppressionId ?? '')
  await remove(body.suppression.id)
  expect((await file.many(gone)).map(({ index }) => index).sort()).toEqual([1, 2, 3, 4, 5])
  await expectTheSame(file, 100)
})

test('a value that is asked before the entries were read may match', async () => {
  const t = await buildTestApp()
  const keys = findKeys(t.store.dataDir)
  if (keys === undefined) throw new Error('The store has keys.')
  const { mayMatch } = gateForMany({ db: t.store.reader, keys }, t.tenants.home.id)
  expect(mayMatch({ kind: 'email', value: 'a@example.co.za', normalized: 'a@example.co.za' })).toBe(true)
})
