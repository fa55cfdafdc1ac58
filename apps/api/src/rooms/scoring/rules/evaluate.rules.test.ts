import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eligibilities } from '../../../lib/score-codes.ts'
import { type FieldEvidence, placeOf, type ScoringRecord } from '../records/scoring-record.ts'
import { explain } from '../scores/explain.rules.ts'
import { contents, NOW, records } from '../test/random-content.ts'
import { problemsOf, warningsOf } from './content.rules.ts'
import type { Content, Rule } from './content.ts'
import { bandOf, type CompiledCondition, changesAt, clamp, compile, scoreOf } from './evaluate.rules.ts'
import { FAILS, HOLDS, isUndecided, type Outcome } from './outcomes.rules.ts'
import { templates } from './templates.data.ts'

const pairs = fc.tuple(contents, records)
const runs = { numRuns: 500 }

/** Returns the score of a record whose rules have these outcomes, computed directly from the definition. */
function scoreBy(content: Content, outcomeOf: (ruleId: string) => Outcome): number {
  const total = content.groups.reduce((sum, { min, max, rules }) => {
    const points = rules.reduce(
      (own, rule) => own + (outcomeOf(rule.id) === HOLDS ? Math.round(rule.points * 100) : 0),
      0,
    )
    return sum + clamp(points, min * 100, max * 100)
  }, 0)
  return scoreOf(total, content.rounding)
}

function outcomesOf(content: Content, record: ScoringRecord): Map<string, Outcome> {
  const { groups, gates } = compile(content)
  const all: CompiledCondition[] = [...groups.flatMap(({ rules }) => rules), ...gates]
  return new Map(all.map(({ condition, decide }) => [condition.id, decide(record, NOW)]))
}

describe('evaluation', () => {
  test('contributions of decided rules, within the limits of groups, add up to the score', () => {
    fc.assert(
      fc.property(pairs, ([content, record]) => {
        fc.pre(!record.isDoNotContact)
        const known = outcomesOf(content, record)
        const groups = content.groups.map((group) => ({
          ...group,
          rules: group.rules.filter(({ id }) => !isUndecided(known.get(id) ?? FAILS)),
        }))
        const decided = { ...content, groups }
        const { low, high, completeness } = compile(decided).evaluate(record, NOW)
        expect([low, high]).toEqual([scoreBy(decided, (id) => known.get(id) ?? FAILS), low])
        expect(completeness).toBe(100)
      }),
      runs,
    )
  })

  test('however undecided evidence turns out, the score lies between low and high, and both ends are possible', () => {
    fc.assert(
      fc.property(pairs, fc.infiniteStream(fc.boolean()), ([content, record], coins) => {
        fc.pre(!record.isDoNotContact)
        const known = outcomesOf(content, record)
        const { low, high, priority, reachable } = compile(content).evaluate(record, NOW)
        const settled = new Map(
          [...known].map(([id, outcome]) => [
            id,
            isUndecided(outcome) ? (coins.next().value ? HOLDS : FAILS) : outcome,
          ]),
        )
        const score = scoreBy(content, (id) => settled.get(id) ?? FAILS)
        expect(score).toBeGreaterThanOrEqual(low ?? 101)
        expect(score).toBeLessThanOrEqual(high ?? -1)
        const points = new Map(content.groups.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule.points])))
        const extreme = (isBest: boolean) =>
          scoreBy(content, (id) => {
            const outcome = known.get(id) ?? FAILS
            return isUndecided(outcome) ? ((points.get(id) ?? 0) > 0 === isBest ? HOLDS : FAILS) : outcome
          })
        expect([low, high]).toEqual([extreme(false), extreme(true)])
        expect(reachable).toBe(bandOf(content.bands, high ?? 0))
        const lowest = bandOf(content.bands, low ?? 0)
        expect(priority).toBe(content.straddling === 'unknown' && lowest !== reachable ? -1 : lowest)
      }),
      runs,
    )
  })

  test('eligibility depends on the gates alone: a certain failure decides, then an undecided gate leaves it unknown', () => {
    fc.assert(
      fc.property(pairs, ([content, record]) => {
        const known = outcomesOf(content, record)
        const fails = content.gates.some(({ id, kind }) => known.get(id) === (kind === 'requires' ? FAILS : HOLDS))
        const isOpen = content.gates.some(({ id }) => isUndecided(known.get(id) ?? FAILS))
        const expected = record.isDoNotContact ? 'blocked' : fails ? 'ineligible' : isOpen ? 'unknown' : 'eligible'
        expect(compile(content).evaluate(record, NOW).eligibility).toBe(expected)
      }),
      runs,
    )
  })

  test('a do-not-contact record has no score, no band and no gates, whatever the rules are', () => {
    fc.assert(
      fc.property(pairs, ([content, record]) => {
        const result = compile(content).evaluate({ ...record, isDoNotContact: true }, NOW)
        expect(result).toMatchObject({ eligibility: 'blocked', low: null, high: null, priority: null, reachable: null })
      }),
      runs,
    )
  })

  test('the result stays the same until holdsUntil, and no later than any moment at which it changes', () => {
    fc.assert(
      fc.property(pairs, fc.nat({ max: 800 }), ([content, record], days) => {
        fc.pre(!record.isDoNotContact)
        const { evaluate } = compile(content)
        const { holdsUntil, ...now } = evaluate(record, NOW)
        const later = NOW + days * 86_400_000 + 1
        const { holdsUntil: _next, ...then } = evaluate(record, later)
        if (holdsUntil === null || later < holdsUntil) expect(then).toEqual(now)
        if (holdsUntil !== null) expect(holdsUntil).toBeGreaterThan(NOW)
      }),
      { numRuns: 2_000 },
    )
  })

  test('the order of rules, gates and groups changes nothing', () => {
    fc.assert(
      fc.property(pairs, ([content, record]) => {
        const turned = {
          ...content,
          groups: content.groups.map((group) => ({ ...group, rules: group.rules.toReversed() })).toReversed(),
          gates: content.gates.toReversed(),
        }
        expect(compile(turned).evaluate(record, NOW)).toEqual(compile(content).evaluate(record, NOW))
      }),
      runs,
    )
  })

  test('generated contents are valid, so that these properties apply to contents that can be approved', () => {
    fc.assert(
      fc.property(contents, (content) => {
        expect(problemsOf(content)).toEqual([])
      }),
      runs,
    )
  })
})

const plain: ScoringRecord = {
  id: 'a',
  createdAt: NOW,
  isDoNotContact: false,
  isMatched: false,
  state: 'new',
  province: null,
  industry: null,
  employees: null,
  stated: 0,
  tags: [],
  assigneeId: null,
  emails: { certain: 0, uncertain: 0 },
  phones: { certain: 0, uncertain: 0 },
  domains: { certain: 0, uncertain: 0 },
  mailDomain: null,
  strongDuplicates: 0,
  evidence: Array.from({ length: 13 }, () => null),
  interactions: [],
  hasMoreInteractions: false,
}

function contentWith(change: Partial<Content>): Content {
  return {
    groups: [],
    gates: [],
    bands: [
      { id: 'A', name: 'A', from: 60 },
      { id: 'B', name: 'B', from: 0 },
    ],
    straddling: 'lowest',
    rounding: 'half_up',
    tieBreak: 'completeness',
    suppression: 'first',
    ...change,
  }
}

test('a missing value contributes a range and never counts as absent', () => {
  const rules = [{ id: 'r', signal: 'record.phones', op: 'at_least' as const, value: 1, points: 60 }]
  const content = contentWith({ groups: [{ id: 'g', name: 'Contact', min: 0, max: 100, rules }] })
  const { evaluate } = compile(content)
  expect(evaluate(plain, NOW)).toMatchObject({ low: 0, high: 60, priority: 1, reachable: 0, completeness: 0 })
  expect(evaluate({ ...plain, phones: { certain: 1, uncertain: 0 } }, NOW)).toMatchObject({
    low: 60,
    high: 60,
    priority: 0,
    completeness: 100,
  })
})

describe('evidence', () => {
  const rule = { id: 'r', signal: 'record.phones', op: 'at_least' as const, value: 1, points: 60 }
  const measuring = { ...rule, signal: 'evidence.phone.standing', op: 'is' as const, value: 'supported' }
  const aPhone = { phones: { certain: 1, uncertain: 0 }, stated: 1 << placeOf('phone') }
  const stated = { ...plain, ...aPhone }
  const withEvidence = (changes: Partial<FieldEvidence>): ScoringRecord => ({
    ...stated,
    evidence: plain.evidence.map((none, at) =>
      at === placeOf('phone')
        ? {
            claims: 1,
            supporting: 1,
            contradicting: 0,
            sources: 1,
            confidence: 0,
            newest: [NOW, -1, -1],
            isPartial: false,
            isBlocked: false,
            restsOn: [],
            ...changes,
          }
        : none,
    ),
  })
  const explained = (record: ScoringRecord, requiredEvidence?: Content['requiredEvidence'], one: Rule = rule) => {
    const content = contentWith({
      groups: [{ id: 'g', name: 'Contact', min: 0, max: 100, rules: [one] }],
      requiredEvidence,
    })
    const [found] = explain(content, compile(content), record, NOW).rules
    return [found?.state, found?.stateReason, found?.holds]
  }

  test('a value that the record states without evidence is stated, never current', () => {
    expect(explained(stated)).toEqual(['stated', 'stated', true])
    expect(explained(stated, undefined, measuring)).toEqual(['stated', 'stated', false])
    expect(explained(withEvidence({}))).toEqual(['current', 'decided', true])
  })

  test('a rule set that requires evidence decides nothing without it, also for the standing of evidence', () => {
    for (const one of [rule, measuring]) expect(explained(stated, 'low', one)).toEqual(['missing', 'no_evidence', null])
    expect(explained(withEvidence({}), 'low')).toEqual(['current', 'decided', true])
    expect(explained(withEvidence({}), 'medium')).toEqual(['uncertain', 'low_confidence', null])
    expect(explained(withEvidence({ supporting: 0, contradicting: 1, confidence: -1 }), 'high', measuring)).toEqual([
      'current',
      'decided',
      false,
    ])
  })

  test('a rule keeps its own confidence if it is higher than that of the rule set', () => {
    const strict = { ...rule, minConfidence: 'high' as const }
    expect(explained(withEvidence({ confidence: 1 }), 'medium', strict)).toEqual(['uncertain', 'low_confidence', null])
  })

  test('signals without evidence of a fact, such as the state, need none', () => {
    const state = { id: 's', signal: 'record.state', op: 'is' as const, value: 'new', points: 10 }
    expect(explained(plain, 'high', state)).toEqual(['current', 'decided', plain.state === 'new'])
  })
})

test.each([
  ['half_up', 6_250, 63],
  ['half_even', 6_250, 62],
  ['half_even', 6_350, 64],
  ['down', 6_299, 62],
  ['half_up', -500, 0],
  ['down', 20_000, 100],
] as const)('%s makes %d hundredths %d points', (rounding, hundredths, points) => {
  expect(scoreOf(hundredths, rounding)).toBe(points)
})

test('a condition on a number of days changes on the day on which it crosses its limit', () => {
  const content = contentWith({
    gates: [{ id: 'x', signal: 'record.age_days', op: 'at_least', value: 30, kind: 'requires' }],
  })
  const [gate] = compile(content).gates
  expect(gate && changesAt(gate, plain, NOW)).toBe(NOW + 30 * 86_400_000)
})

describe('content', () => {
  test.each<[string, Partial<Content>]>([
    [
      'bands_out_of_order',
      {
        bands: [
          { id: 'A', name: 'A', from: 10 },
          { id: 'B', name: 'B', from: 20 },
          { id: 'C', name: 'C', from: 0 },
        ],
      },
    ],
    [
      'lowest_band_not_zero',
      {
        bands: [
          { id: 'A', name: 'A', from: 20 },
          { id: 'B', name: 'B', from: 10 },
        ],
      },
    ],
    [
      'operator_not_allowed',
      { gates: [{ id: 'x', signal: 'record.tags', op: 'at_least', value: 1, kind: 'requires' }] },
    ],
    ['unknown_signal', { gates: [{ id: 'x', signal: 'record.luck', op: 'at_least', value: 1, kind: 'requires' }] }],
    [
      'value_not_allowed',
      { gates: [{ id: 'x', signal: 'record.state', op: 'is', value: 'asleep', kind: 'requires' }] },
    ],
    [
      'no_age',
      { gates: [{ id: 'x', signal: 'record.state', op: 'is', value: 'new', kind: 'requires', freshDays: 3 }] },
    ],
    ['limits_reversed', { groups: [{ id: 'g', name: 'G', min: 10, max: 0, rules: [] }] }],
  ])('%s is found', (code, change) => {
    expect(problemsOf(contentWith(change)).map((problem) => problem.code)).toContain(code)
  })

  test('a band that no combination of rules reaches is a warning and no problem', () => {
    const rules = [{ id: 'r', signal: 'record.phones', op: 'at_least' as const, value: 1, points: 40 }]
    const content = contentWith({ groups: [{ id: 'g', name: 'Contact', min: 0, max: 100, rules }] })
    expect(problemsOf(content)).toEqual([])
    expect(warningsOf(content)).toMatchObject([{ path: 'content.bands.0', code: 'band_unreachable' }])
  })
})

test('each template requires evidence for all rules about facts', () => {
  expect(templates.map(({ content }) => content.requiredEvidence)).toEqual(templates.map(() => 'low'))
})

test('eligibility has the four values of the interface', () => {
  expect(eligibilities).toEqual(['eligible', 'unknown', 'ineligible', 'blocked'])
})
