import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deskSize, generateSample } from '../generate-sample.ts'
import { type Place, type ProvinceCode, places, provinceNames } from '../places.data.ts'
import type { BusinessBody, EvidenceBody, ReachedState, SamplePlan } from '../sample-plan.ts'

const now = Date.UTC(2026, 10, 20, 9, 30)
const sample = (seed: number, businesses = 500, at: Date | number = now) => [
  ...generateSample({ seed, businesses, now: at }),
]
const plans = sample(1)

/** Permitted transitions, defined independently of the generator: specification, States, Pipeline (CRM). */
const permitted: Record<ReachedState, readonly ReachedState[]> = {
  new: ['contacted'],
  contacted: ['qualified'],
  qualified: ['proposal'],
  proposal: ['negotiation'],
  negotiation: ['won', 'lost'],
  won: ['negotiation'],
  lost: ['negotiation'],
}

/** Ranges of the post office's street codes by province, for the places of the sample. */
const postalRanges: Record<ProvinceCode, readonly (readonly [number, number])[]> = {
  EC: [[4731, 6499]],
  FS: [
    [1947, 1949],
    [9300, 9999],
  ],
  GP: [
    [1, 199],
    [1400, 1946],
    [2000, 2199],
  ],
  KZN: [[2900, 4730]],
  LP: [[480, 999]],
  MP: [
    [1000, 1399],
    [2200, 2499],
  ],
  NC: [
    [7000, 7009],
    [8100, 8999],
  ],
  NW: [
    [200, 479],
    [2500, 2899],
  ],
  WC: [[6500, 8099]],
}

function endState(plan: SamplePlan): ReachedState {
  return plan.moves.at(-1)?.to ?? 'new'
}

function provinceOf(body: BusinessBody): string | undefined {
  const written = body.address?.province
  return Object.entries(provinceNames).find(([code, name]) => written === code || written === name)?.[0]
}

function identifiersOf({ create }: SamplePlan) {
  return [...(create.emails ?? []), ...(create.phones ?? []), ...(create.domains ?? [])]
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

test('the same seed gives the same plans, another seed gives others', () => {
  expect(sample(7)).toEqual(sample(7))
  expect(sample(7, 50, new Date(now))).toEqual(sample(7, 50, now))
  expect(sample(8).map((plan) => plan.create.name)).not.toEqual(sample(7).map((plan) => plan.create.name))
})

test('a longer run begins with the plans of a shorter one', () => {
  expect(sample(3, 120).slice(0, 40)).toEqual(sample(3, 40))
  expect(sample(3, 0)).toEqual([])
})

test('every move is in the canonical table, and closing as lost or reopening has a reason', () => {
  for (const plan of [1, 2, 3, 4].flatMap((seed) => sample(seed))) {
    let from: ReachedState = 'new'
    for (const { to, reason } of plan.moves) {
      expect(permitted[from]).toContain(to)
      if (to === 'lost' || from === 'won' || from === 'lost') expect(reason?.trim()).toBeTruthy()
      from = to
    }
  }
})

test('most prospects are in early states, and some deals were reopened', () => {
  const many = [1, 2, 3, 4].flatMap((seed) => sample(seed))
  const share = (state: ReachedState) => many.filter((plan) => endState(plan) === state).length / many.length
  expect(share('new')).toBeGreaterThan(0.35)
  expect(share('new')).toBeLessThan(0.48)
  expect(share('contacted')).toBeGreaterThan(0.15)
  for (const state of ['qualified', 'proposal', 'negotiation', 'won', 'lost'] as const)
    expect(share(state)).toBeGreaterThan(0.03)
  expect(many.some((plan) => plan.moves.filter((move) => move.to === 'negotiation').length > 1)).toBe(true)
})

test('each place has the codes of its province', () => {
  for (const place of places) {
    for (const { postalCode, streets } of place.suburbs) {
      const inRange = postalRanges[place.province].some(
        ([from, to]) => from <= Number(postalCode) && Number(postalCode) <= to,
      )
      expect.soft(inRange, `${place.names[0]} ${postalCode}`).toBe(true)
      expect(streets.length).toBeGreaterThan(0)
    }
    expect(place.dialCode).toMatch(/^0[1-5]\d$/)
  }
  expect(new Set(places.map((place) => place.province)).size).toBe(9)
})

test('an address is consistent: city, suburb, postal code and province are those of one place', () => {
  const byName = new Map<string, Place>(places.flatMap((place) => place.names.map((name) => [name, place] as const)))
  for (const { create } of plans) {
    if (create.address?.city === undefined) continue
    const place = byName.get(create.address.city)
    expect(place).toBeDefined()
    if (create.address.province !== undefined) expect(provinceOf(create)).toBe(place?.province)
    if (create.address.postalCode === undefined) continue
    const suburb = place?.suburbs.find((each) => each.name === (create.address?.suburb ?? null))
    expect(suburb?.postalCode).toBe(create.address.postalCode)
  }
})

test('names are nearly all different, and none has an unfilled part', () => {
  for (const seed of [1, 2, 3]) {
    const names = sample(seed).map((plan) => plan.create.name)
    expect(new Set(names).size / names.length).toBeGreaterThan(0.95)
    for (const name of names) expect(name).not.toMatch(/undefined|null|\{|\s{2}|^\s|\s$/)
  }
  expect(plans.flatMap(textsOf).filter((text) => /undefined|\{contact|\{city/.test(text))).toEqual([])
})

test('every domain, email address and URL ends in .example', () => {
  for (const plan of [1, 2].flatMap((seed) => sample(seed))) {
    for (const { value } of plan.create.domains ?? [])
      expect(value).toMatch(/^[A-Za-z0-9][A-Za-z0-9.-]{0,80}\.example$/)
    for (const { value } of plan.create.emails ?? []) expect(value).toMatch(/^[A-Za-z0-9._-]+@[a-z0-9.-]+\.example$/)
    for (const text of textsOf(plan)) {
      for (const [, host] of text.matchAll(/(?:@|https?:\/\/)([a-z0-9.-]+)/gi))
        expect(host?.toLowerCase()).toMatch(/\.example$/)
      expect(text).not.toMatch(/\.(?:com|org|net|co\.za|org\.za)\b/i)
    }
  }
})

test('phones are ten digits under +27, in invented series, in several spellings', () => {
  const values = plans.flatMap((plan) => (plan.create.phones ?? []).map((phone) => phone.value))
  for (const value of values) {
    const national = value
      .replace('(0)', '')
      .replace(/[^\d+]/g, '')
      .replace(/^\+27/, '0')
    expect(national).toMatch(/^0(?:[1-5]\d555\d{4}|69\d{7}|77\d{7}|819\d{6})$/)
  }
  const shapes = new Set(values.map((value) => value.replace(/\d/g, '9')))
  expect(shapes.size).toBeGreaterThanOrEqual(8)
  const areaCodes = new Set(values.flatMap((value) => /^0([1-5]\d) 555/.exec(value)?.[1] ?? []))
  expect(areaCodes.size).toBeGreaterThan(10)
})

test('registration numbers have the shape of their register', () => {
  const numbers = plans.flatMap((plan) => plan.create.registrationNumber ?? [])
  expect(numbers.length).toBeGreaterThan(150)
  for (const number of numbers)
    expect(number).toMatch(/^(?:(?:CC )?(?:19|20)\d\d\/\d{6}\/(?:07|08|21|23)|IT \d{3,4}\/(?:19|20)\d\d)$/)
})

test('all values respect the limits of the interface, for any seed and time', () => {
  const times = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2032, 11, 31) })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), times, (seed, at) => {
      for (const plan of sample(seed, 25, at)) expectWithinBounds(plan, at)
    }),
    { numRuns: 60 },
  )
})

function expectWithinBounds(plan: SamplePlan, at: number) {
  const { create, evidence, notes, moves, doNotContact, assignee } = plan
  expect(create.name.length).toBeGreaterThan(0)
  expect(create.name.length).toBeLessThanOrEqual(200)
  for (const list of [create.emails, create.phones, create.domains, create.tags])
    expect((list ?? []).length).toBeLessThanOrEqual(20)
  for (const { value, label } of identifiersOf(plan)) {
    expect(value.length).toBeLessThanOrEqual(253)
    expect((label ?? '').length).toBeLessThanOrEqual(60)
  }
  for (const tag of create.tags ?? []) expect(tag).toMatch(/^[a-z0-9][a-z0-9-]{0,49}$/)
  expect(new Set(create.tags).size).toBe(create.tags?.length ?? 0)
  for (const kind of [create.emails, create.domains])
    expect(new Set(kind?.map((each) => each.value)).size).toBe(kind?.length ?? 0)
  for (const item of evidence) expectEvidence(item, at)
  for (const { text } of notes) expect(text.length).toBeLessThanOrEqual(5_000)
  for (const { reason } of moves) expect((reason ?? '').length).toBeLessThanOrEqual(1_000)
  if (doNotContact !== undefined) expect(doNotContact.reason.length).toBeGreaterThan(0)
  if (assignee !== null) expect(assignee).toBeLessThan(deskSize)
}

function expectEvidence(item: EvidenceBody, at: number) {
  expect((item.field !== undefined && item.value !== undefined) || item.observation !== undefined).toBe(true)
  expect(item.sourceReference ?? item.sourceLabel).toBeTruthy()
  expect((item.value ?? '').length).toBeLessThanOrEqual(500)
  expect((item.context ?? '').length).toBeLessThanOrEqual(1_000)
  expect((item.url ?? '').length).toBeLessThanOrEqual(2_000)
  const horizon = new Date(at)
  horizon.setUTCMonth(horizon.getUTCMonth() - 18)
  const captured = Date.parse(item.capturedAt)
  const observed = item.observedAt === undefined ? captured : Date.parse(item.observedAt)
  expect(captured).toBeLessThanOrEqual(at)
  expect(observed).toBeLessThanOrEqual(captured)
  expect(observed).toBeGreaterThanOrEqual(horizon.getTime())
}

test('the sample has the variety of a real desk: thin records, branches, duplicates, disputes, blocks and confidences', () => {
  const isThin = ({ create }: SamplePlan) => Object.keys(create).every((key) => key === 'name' || key === 'phones')
  expect(plans.filter(isThin).length).toBeGreaterThan(15)
  const domains = plans.flatMap((plan) =>
    (plan.create.domains ?? []).map((domain) => domain.value.toLowerCase().replace(/^www\./, '')),
  )
  expect(new Set(domains).size).toBeLessThan(domains.length)
  const phones = plans.flatMap((plan) =>
    (plan.create.phones ?? []).map(({ value }) => value.replace('(0)', '').replace(/\D/g, '').slice(-9)),
  )
  expect(new Set(phones).size).toBeLessThan(phones.length)
  const disputed = plans.filter(({ create, evidence }) =>
    evidence.some(
      ({ field, value }) =>
        field === 'email' && !create.emails?.some((email) => email.value.toLowerCase() === value?.toLowerCase()),
    ),
  )
  expect(disputed.length).toBeGreaterThan(0)
  expect(plans.filter((plan) => plan.doNotContact !== undefined).length).toBeGreaterThan(8)
  expect(plans.filter((plan) => plan.notes.some((note) => note.sensitive)).length).toBeGreaterThan(8)
  expect(plans.filter((plan) => plan.evidence.length > 0).length).toBeGreaterThan(250)
  expect(plans.filter((plan) => plan.assignee === null).length).toBeGreaterThan(50)
  expect(new Set(plans.flatMap((plan) => plan.create.industry ?? [])).size).toBeGreaterThan(25)
})
