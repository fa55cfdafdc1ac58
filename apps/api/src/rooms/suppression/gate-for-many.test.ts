import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import { findKeys } from '../../store/keys.ts'
import { normalizeIdentifier } from '../normalization/normalization.ts'
import { gate } from './gate.ts'
import { gateForMany } from './gate-for-many.ts'
import type { ContactValue } from './match-keys.rules.ts'

const entries = [
  { kind: 'email', value: 'boss@karoo.co.za' },
  { kind: 'email', value: 'jan.smit@gmail.com' },
  { kind: 'domain', value: 'shut.co.za', scope: 'with_subdomains' },
  { kind: 'domain', value: 'only.co.za' },
  { kind: 'phone', value: '+27 82 123 4567' },
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
  fc.emailAddress(),
  fc.domain(),
  fc.string(),
)
const values = fc.array(
  fc.record({
    kind: fc.constantFrom<ContactValue['kind']>('email', 'phone', 'domain'),
    value: typed,
    region: fc.constantFrom(null, 'ZA'),
  }),
  { maxLength: 12 },
)

test('many values are decided as one by one, and an entry counts from the moment it is there', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const add = (entry: object) =>
    operator.post('/suppressions', { ...entry, reason: 'They asked.', channel: 'letter' }).then(({ status }) => status)
  const keys = findKeys(t.store.dataDir)
  if (keys === undefined) throw new Error('The store has keys.')
  const asker = { db: t.store.reader, keys }
  const { prepare, mayMatch, ask } = gateForMany(asker, t.tenants.home.id)
  /** As a file is asked about: what cannot match is not asked. */
  async function many(asked: readonly ContactValue[]) {
    await prepare()
    const places = asked.flatMap((value, place) => {
      const { normalized } = normalizeIdentifier(value.kind, value.value, value.region)
      return mayMatch({ ...value, normalized }) ? [place] : []
    })
    const matches = await ask(places.flatMap((place) => asked[place] ?? []))
    return matches.map(({ index, suppressionId }) => ({ index: places[index] ?? -1, suppressionId }))
  }
  const late: ContactValue[] = [{ kind: 'domain', value: 'late.co.za' }]
  expect(await many(late)).toEqual([])
  for (const entry of [...entries, { kind: 'domain', value: 'late.co.za' }]) expect(await add(entry)).toBe(201)
  expect(await many(late)).toEqual(await gate(asker, t.tenants.home.id, late))
  expect(await many(late)).toHaveLength(1)
  const inOrder = (matches: Awaited<ReturnType<typeof gate>>) =>
    matches.map(({ index, suppressionId }) => `${index} ${suppressionId}`).sort()
  await fc.assert(
    fc.asyncProperty(values, async (asked) => {
      expect(inOrder(await many(asked))).toEqual(inOrder(await gate(asker, t.tenants.home.id, asked)))
    }),
    { numRuns: 300 },
  )
})
