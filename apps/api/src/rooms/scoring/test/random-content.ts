import fc from 'fast-check'
import { DAY_MS } from '../../../lib/clock.ts'
import { factFields } from '../../businesses/businesses.ts'
import { type FieldEvidence, noEvidence, type ScoringRecord } from '../records/scoring-record.ts'
import { type Condition, type Content, confidences, roundings, straddlings, tieBreaks } from '../rules/content.ts'
import { signals } from '../signals/all-signals.ts'
import { operatorsOf, type Signal } from '../signals/signal.ts'

export const NOW = Date.parse('2026-11-25T12:00:00.000Z')

const word = fc.constantFrom('mining', 'farming', 'retail', 'transport', 'new', 'contacted', 'WC', 'GP', 'connected')

function valueFor(signal: Signal, op: Condition['op']): fc.Arbitrary<Condition['value']> {
  const choices = signal.choices?.map(({ value }) => value)
  const one = choices === undefined ? word : fc.constantFrom(...choices)
  switch (op) {
    case 'is_true':
      return fc.constant(undefined)
    case 'at_least':
    case 'at_most':
      return fc.nat({ max: 400 })
    case 'is':
      return one
    default:
      return fc.uniqueArray(one, { minLength: 1, maxLength: 4 })
  }
}

const condition: fc.Arbitrary<Omit<Condition, 'id'>> = fc
  .constantFrom(...signals)
  .chain((signal) => fc.record({ signal: fc.constant(signal), op: fc.constantFrom(...operatorsOf[signal.type]) }))
  .chain(({ signal, op }) =>
    fc.record(
      {
        signal: fc.constant(signal.key),
        op: fc.constant(op),
        value: valueFor(signal, op),
        freshDays: signal.datedBy === null ? fc.constant(undefined) : fc.integer({ min: 1, max: 300 }),
        expireDays: signal.datedBy === null ? fc.constant(undefined) : fc.integer({ min: 301, max: 600 }),
        minConfidence: signal.field === undefined ? fc.constant(undefined) : fc.constantFrom(...confidences),
      },
      { requiredKeys: ['signal', 'op', 'value'] },
    ),
  )

const points = fc.integer({ min: -10_000, max: 10_000 }).filter((value) => value !== 0)

/** Generates valid contents with every kind of signal, operator, limit, gate and band. */
export const contents: fc.Arbitrary<Content> = fc
  .record({
    groups: fc.array(
      fc.record({
        limits: fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 })),
        rules: fc.array(fc.record({ condition, points }), { minLength: 1, maxLength: 8 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    gates: fc.array(fc.record({ condition, kind: fc.constantFrom('requires' as const, 'excludes' as const) }), {
      maxLength: 4,
    }),
    cuts: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }),
    requiredEvidence: fc.option(fc.constantFrom(...confidences), { nil: undefined }),
    straddling: fc.constantFrom(...straddlings),
    rounding: fc.constantFrom(...roundings),
    tieBreak: fc.constantFrom(...tieBreaks),
  })
  .map(({ groups, gates, cuts, ...choices }) => ({
    ...choices,
    suppression: 'first' as const,
    groups: groups.map(({ limits, rules }, at) => ({
      id: `g${at}`,
      name: `Group ${at}`,
      min: Math.min(...limits),
      max: Math.max(...limits),
      rules: rules.map((rule, place) => ({ id: `r${at}-${place}`, ...rule.condition, points: rule.points / 100 })),
    })),
    gates: gates.map(({ condition: asked, kind }, at) => ({ id: `x${at}`, ...asked, kind })),
    bands: [...cuts.toSorted((a, b) => b - a), 0].map((from, at) => ({
      id: 'ABCDEF'.charAt(at),
      name: `Band ${at}`,
      from,
    })),
  }))

const evidence: fc.Arbitrary<FieldEvidence | null> = fc.option(
  fc
    .record({
      supporting: fc.nat({ max: 3 }),
      contradicting: fc.nat({ max: 1 }),
      unrelated: fc.nat({ max: 1 }),
      confidence: fc.integer({ min: 0, max: 2 }),
      age: fc.nat({ max: 700 }),
      isPartial: fc.boolean(),
      isBlocked: fc.boolean(),
    })
    .map(({ supporting, contradicting, unrelated, confidence, age, isPartial, isBlocked }): FieldEvidence => {
      const at = (least: number) => (supporting > 0 && confidence >= least ? NOW - age * DAY_MS : -1)
      return {
        claims: supporting + contradicting + unrelated,
        supporting,
        contradicting,
        sources: Math.min(1, supporting),
        confidence: supporting > 0 ? confidence : -1,
        newest: [at(0), at(1), at(2)],
        isPartial: isPartial && contradicting > 0,
        isBlocked: isBlocked && contradicting > 0,
        restsOn: [],
      }
    }),
)

const counts = fc.record({ certain: fc.nat({ max: 2 }), uncertain: fc.nat({ max: 1 }) })

export const records: fc.Arbitrary<ScoringRecord> = fc.record({
  id: fc.uuid({ version: 7 }),
  createdAt: fc.nat({ max: 800 }).map((days) => NOW - days * DAY_MS),
  isDoNotContact: fc.nat({ max: 9 }).map((one) => one === 0),
  isMatched: fc.constant(false),
  state: fc.constantFrom('new', 'contacted', 'qualified', 'won'),
  province: fc.option(fc.constantFrom('WC', 'GP', 'other')),
  industry: fc.option(fc.constantFrom('mining', 'farming')),
  employees: fc.option(fc.nat({ max: 100 })),
  stated: fc.nat({ max: 2 ** factFields.length - 1 }),
  tags: fc.subarray(['mining', 'farming', 'retail']),
  assigneeId: fc.option(fc.constant('somebody')),
  emails: counts,
  phones: counts,
  domains: counts,
  mailDomain: fc.option(fc.constantFrom('own' as const, 'free_mail' as const)),
  strongDuplicates: fc.nat({ max: 2 }),
  evidence: fc.oneof(
    fc.constant(noEvidence),
    fc.array(evidence, { minLength: factFields.length, maxLength: factFields.length }),
  ),
  interactions: fc
    .array(
      fc.record({
        at: fc.nat({ max: 500 }).map((days) => NOW - days * DAY_MS),
        outcome: fc.constantFrom('connected', 'won', 'lost'),
      }),
      {
        maxLength: 5,
      },
    )
    .map((all) => all.toSorted((a, b) => b.at - a.at)),
  hasMoreInteractions: fc.constant(false),
})
