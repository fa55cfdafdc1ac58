import { describe, expect, test } from 'vitest'
import {
  beforeCounting,
  changedParts,
  type DnsFact,
  evaluate,
  type Support,
  type Surroundings,
} from './evaluate.rules.ts'

const nobody: Surroundings = {
  subject: 'tenant karoo-mail.co.za',
  isSharedHost: false,
  suffix: null,
  otherRecords: [],
  otherMail: [],
  otherUses: 0,
  otherProposals: 0,
  otherAssociations: [],
  hasSiblings: false,
  lookalikes: [],
  dns: [],
  unusedNames: [],
  doNotContact: false,
  at: '2026-11-28T08:00:00.000Z',
}

const mail: Support = { code: 'email_domain', host: 'karoo-mail.co.za', addresses: 1 }
const claim: Support = {
  code: 'claim',
  evidenceId: 'e1',
  host: 'karoo-mail.co.za',
  written: 'Karoo-Mail.co.za',
  confidence: 'high',
  at: '2026-11-20',
}
const person: Support = { code: 'person', reason: 'On the letterhead.', at: '2026-11-20' }
const strong = [mail, claim, person]

const of = (around: Partial<Surroundings>, supports: readonly Support[] = strong) =>
  evaluate(supports, { ...nobody, ...around })
const flagsOf = (around: Partial<Surroundings>) => {
  const { shared, conflictingEvidence } = of(around).evaluation.flags
  return [shared, conflictingEvidence].map(({ value, reason }) => `${value}: ${reason}`)
}

describe('the number of other prospects decides whether a domain is shared and contested', () => {
  test.each<[string, Partial<Surroundings>, string[]]>([
    [
      'nobody else',
      {},
      [
        'no: No other prospect uses it, and it is no known shared host.',
        'no: No other prospect uses it, and it is proposed for no other.',
      ],
    ],
    ['one', { otherUses: 1 }, ['likely: 1 other prospect uses it.', 'yes: 1 other prospect uses it.']],
    ['84', { otherUses: 84 }, ['likely: 84 other prospects use it.', 'yes: 84 other prospects use it.']],
    ['many', { otherUses: 12_345 }, ['likely: 12,345 other prospects use it.', 'yes: 12,345 other prospects use it.']],
    [
      'a known shared host',
      { isSharedHost: true, otherUses: 3 },
      ['yes: Anybody can have a page there.', 'yes: 3 other prospects use it.'],
    ],
    [
      'proposals for others',
      { otherProposals: 2 },
      [
        'no: No other prospect uses it, and it is no known shared host.',
        'yes: It is also proposed for 2 other prospects.',
      ],
    ],
    [
      'an acceptance for another',
      { otherAssociations: ['b2'], otherUses: 1, otherProposals: 1 },
      ['likely: 1 other prospect uses it.', 'yes: It was accepted for another prospect. 1 other prospect uses it.'],
    ],
  ])('%s', (_who, around, flags) => expect(flagsOf(around)).toEqual(flags))
})

test('a domain that others use has low confidence, whatever points to the record', () => {
  expect(of({}).band).toBe('high')
  for (const around of [{ otherUses: 1 }, { otherUses: 84 }, { isSharedHost: true }])
    expect(of(around).band).toBe('low')
  expect(of({ otherProposals: 1 }).band).toBe('medium')
  expect(of({ otherAssociations: ['b2'] }).band).toBe('medium')
})

test('records that have the domain, or addresses at it, are evidence against it', () => {
  const { against } = of({ otherRecords: ['b2'], otherMail: ['b3'], otherUses: 2 }).evaluation.evidence
  expect(against.map(({ code, businessId, text }) => [code, businessId, text])).toEqual([
    ['other_record', 'b2', 'Another record has the domain.'],
    ['other_mail', 'b3', 'Another record has an email address at the domain.'],
  ])
})

test('one more of many prospects changes no fingerprint, and the first one changes the flags', () => {
  const named = { otherMail: ['b2', 'b3', 'b4', 'b5', 'b6'] }
  const fingerprint = (around: Partial<Surroundings>) => of(around).fingerprint
  const many = fingerprint({ ...named, otherUses: 84 })
  expect(fingerprint({ ...named, otherUses: 85 })).toBe(many)
  expect(changedParts(fingerprint({}), fingerprint({ otherMail: ['b2'], otherUses: 1 }))).toEqual(['flags'])
  expect(changedParts(many, fingerprint({ ...named, otherRecords: ['b7'], otherUses: 85 }))).toEqual(['evidence'])
})

const yearsAgo = (years: number) => `${2026 - years}-11-20T08:00:00.000Z`
const named: Support = { code: 'name', label: 'karoomail' }
const fresh: DnsFact = {
  kind: 'MX',
  status: 'resolved',
  records: [{ kind: 'MX', preference: 10, exchange: 'mail.karoo-mail.co.za', ttl: 3_600 }],
  observedAt: '2026-11-28T07:30:00.000Z',
  freshUntil: '2026-11-28T08:30:00.000Z',
  isFresh: true,
}
const stale: DnsFact = { ...fresh, freshUntil: '2026-11-28T07:31:00.000Z', isFresh: false }

test('a claim of more than a year ago counts like one of low confidence, and the uncertainty says so', () => {
  const claimed = (at: string, ...more: Support[]) => of({}, [{ ...claim, at }, ...more])
  expect([claimed(yearsAgo(0)).band, claimed(yearsAgo(5)).band]).toEqual(['medium', 'low'])
  expect([claimed(yearsAgo(0), mail).band, claimed(yearsAgo(5), mail).band]).toEqual(['high', 'medium'])
  expect(claimed(yearsAgo(5)).evaluation.uncertainty).toEqual(['dns_not_checked', 'claim_stale'])
  expect(claimed(yearsAgo(0)).evaluation.uncertainty).toEqual(['dns_not_checked'])
  expect(claimed(yearsAgo(5)).fingerprint).toBe(claimed(yearsAgo(5)).fingerprint)
})

test('mail servers raise the confidence only while their observation is fresh', () => {
  const seen = (...dns: DnsFact[]) => of({ dns }, [mail, named])
  expect([seen().band, seen(fresh).band, seen(stale).band]).toEqual(['medium', 'high', 'medium'])
  expect(seen(stale).evaluation.uncertainty).toEqual(['dns_stale'])
})

test('DNS is fresh only if every observed kind is', () => {
  const names: DnsFact = { ...stale, kind: 'NS', records: [] }
  const stateOf = (...dns: DnsFact[]) => of({ dns }).evaluation.freshness.dns
  expect([stateOf(), stateOf(fresh), stateOf(fresh, names), stateOf(names)]).toEqual([
    'not_checked',
    'fresh',
    'stale',
    'stale',
  ])
})

test('age changes no fingerprint, so it neither ends a review nor opens a rejected candidate', () => {
  const on = (at: string) => of({ at, dns: [at < stale.freshUntil ? fresh : stale] }).fingerprint
  expect(on('2026-11-28T08:00:00.000Z')).toBe(on('2029-11-28T08:00:00.000Z'))
})

test('an evaluation is due when the first of its fresh evidence becomes stale; stale evidence sets no due date', () => {
  const dueOf = (dns: DnsFact[], at: string) => of({ dns }, [{ ...claim, at }]).dueAt
  expect(dueOf([fresh], yearsAgo(0))).toBe(fresh.freshUntil)
  expect(dueOf([stale], '2026-11-20')).toBe('2027-11-20T00:00:00.000Z')
  expect(dueOf([stale], yearsAgo(5))).toBeNull()
})

test('before changes of others are counted, what they could contradict is unknown, and the rest stays', () => {
  const { flags } = of({ otherUses: 1, dns: [] }).evaluation
  const values = Object.fromEntries(Object.entries(beforeCounting(flags)).map(([name, { value }]) => [name, value]))
  expect(values).toEqual({
    shared: 'likely',
    parked: 'unknown',
    wildcard: 'unknown',
    homograph: 'unknown',
    siblingSubdomain: 'unknown',
    conflictingEvidence: 'yes',
  })
})
