import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pipelineStates } from '../../lib/pipeline-state.ts'
import { addCounts, type Counts, figuresOf, noCounts, peopleIn, percentile, withNamesOf } from './figures.rules.ts'

const state = fc.constantFrom(...pipelineStates)
const flag = fc.constantFrom<0 | 1>(0, 1)
const number = fc.integer({ min: 1, max: 1_000 })

const counts: fc.Arbitrary<Counts> = fc.record({
  businesses: number,
  created: number,
  moved: number,
  talkedTo: number,
  talkedToBlocked: number,
  states: fc.array(fc.record({ state, hasEvidence: flag, isBlocked: flag, businesses: number })),
  moves: fc.array(fc.record({ from: state, to: state, moves: number })),
  steps: fc.array(fc.record({ state, entered: number, advanced: number })),
  stays: fc.array(fc.record({ state, hours: fc.array(number) })),
  interactions: fc.array(
    fc.record({
      person: fc.constantFrom('a', 'b'),
      outcome: fc.constantFrom('connected', 'no_answer'),
      isBlocked: flag,
      interactions: number,
      calls: number,
      named: number,
    }),
  ),
})

test('batches add up to the same figures in any order and grouping', () => {
  fc.assert(
    fc.property(counts, counts, counts, (a, b, c) => {
      const forward = figuresOf(addCounts(addCounts(addCounts(noCounts, a), b), c))
      expect(figuresOf(addCounts(c, addCounts(b, a)))).toEqual(forward)
    }),
  )
})

test('a share is not rounded: its display rounds it', () => {
  const states = [
    { state: 'new', hasEvidence: 1, isBlocked: 0, businesses: 492 },
    { state: 'new', hasEvidence: 0, isBlocked: 0, businesses: 24 },
  ] as const
  const figures = figuresOf({ ...noCounts, businesses: 516, states: [...states] })
  expect(figures.find(({ key }) => key === 'evidence_coverage')?.rows).toEqual([
    ['with_evidence', 492, 492 / 516],
    ['without_evidence', 24, 24 / 516],
  ])
})

test('an empty interval has every figure, with zeros for counts and null for shares', () => {
  const figures = figuresOf(noCounts)
  expect(figures.map(({ key }) => key)).toEqual([
    'pipeline_by_state',
    'moves',
    'distinct_businesses',
    'interactions_by_outcome',
    'interactions_by_person',
    'conversion',
    'time_in_state',
    'evidence_coverage',
    'suppression',
  ])
  expect(figures.find(({ key }) => key === 'evidence_coverage')?.rows).toEqual([
    ['with_evidence', 0, null],
    ['without_evidence', 0, null],
  ])
})

test('every figure states its meaning, and every row has a value for each column', () => {
  fc.assert(
    fc.property(counts, (some) => {
      for (const { counts: sentence, columns, rows } of figuresOf(some)) {
        expect(sentence.endsWith('.')).toBe(true)
        for (const row of rows) expect(row).toHaveLength(columns.length)
      }
    }),
  )
})

test('a percentile is a measured value', () => {
  expect(percentile([], 0.5)).toBeUndefined()
  expect(percentile([7], 0.9)).toBe(7)
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2)
  expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9)
})

test('interactions are counted by person: all of them, those by phone, and those that reached somebody', () => {
  const interactions = [
    { person: 'a', outcome: 'no_answer', isBlocked: 0, interactions: 4, calls: 4, named: 1 },
    { person: 'a', outcome: 'connected', isBlocked: 1, interactions: 2, calls: 1, named: 2 },
    { person: 'b', outcome: 'meeting_held', isBlocked: 0, interactions: 7, calls: 0, named: 0 },
  ] as const
  const figures = figuresOf({ ...noCounts, interactions: [...interactions] })
  const byPerson = figures.find(({ key }) => key === 'interactions_by_person')
  expect(byPerson?.rows).toEqual([
    ['b', 7, 0, 7, 0],
    ['a', 6, 5, 2, 3],
  ])
  expect(peopleIn(figures)).toEqual(['b', 'a'])
  const named = withNamesOf(figures, new Map([['a', 'Ana']]))
  expect(named.find(({ key }) => key === 'interactions_by_person')?.rows).toEqual([
    ['b', 7, 0, 7, 0],
    ['Ana', 6, 5, 2, 3],
  ])
  expect(byPerson?.total).toBe(13)
})
