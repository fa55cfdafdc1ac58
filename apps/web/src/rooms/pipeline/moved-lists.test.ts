import type { BusinessSummary, PipelineState } from '@prospect/api-client'
import { expect, test } from 'vitest'
import type { ProspectListData } from '../../ui/prospects/list-keys.ts'
import { findRow, moveInList } from './moved-lists.ts'

const summary = (id: string, pipelineState: PipelineState): BusinessSummary => ({
  id,
  version: 1,
  name: id,
  isNameKnown: true,
  tradingName: null,
  industry: null,
  employees: null,
  pipelineState,
  doNotContact: false,
  valuesHidden: false,
  status: 'active',
  primaryEmail: null,
  primaryPhone: null,
  primaryPhoneNormalized: null,
  primaryDomain: null,
  city: null,
  province: null,
  provinceCode: null,
  placeDoubts: [],
  tags: [],
  assignee: null,
  hasEvidence: false,
  evidenceCount: 0,
  people: [],
  furtherPeople: 0,
  review: { state: 'unreviewed', isDue: true, decidedAt: null, dueFrom: null },
  score: {
    ...{ status: 'not_scored', reason: 'no_active_scores', low: null, high: null, priority: null, reachable: null },
    ...{ eligibility: null, completeness: null, ruleSetId: null, version: null, algorithmVersion: null, runId: null },
    ...{ scoredAt: null, holdsUntil: null },
  },
  lastInteractionAt: null,
  callCountry: null,
  followUpOn: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
})

const list = (items: BusinessSummary[], total: number | null): ProspectListData => ({
  pages: [
    {
      items,
      readAt: 0,
      page: {
        limit: 50,
        returned: items.length,
        nextCursor: null,
        total: total === null ? null : { value: total, counts: 'matching_set', asOf: '2026-11-21T10:00:00.000Z' },
      },
    },
  ],
  pageParams: [null],
})

const ids = (data: ProspectListData) => data.pages.flatMap((page) => page.items.map((item) => item.id))
const total = (data: ProspectListData) => data.pages[0]?.page.total?.value

test('a card leaves the column of its old state, whose total decreases', () => {
  const after = moveInList(
    list([summary('a', 'new'), summary('b', 'new')], 12),
    { state: 'new' },
    'a',
    'contacted',
    null,
  )
  expect(ids(after)).toEqual(['b'])
  expect(total(after)).toBe(11)
})

test('a card comes first in the column of its new state', () => {
  const after = moveInList(
    list([summary('c', 'contacted')], 4),
    { state: 'contacted' },
    'a',
    'contacted',
    summary('a', 'new'),
  )
  expect(ids(after)).toEqual(['a', 'c'])
  expect(after.pages[0]?.items[0]?.pipelineState).toBe('contacted')
  expect(total(after)).toBe(5)
})

test('a list of all states keeps the row where it is', () => {
  const after = moveInList(list([summary('b', 'new'), summary('a', 'new')], 2), {}, 'a', 'contacted', null)
  expect(ids(after)).toEqual(['b', 'a'])
  expect(after.pages[0]?.items[1]?.pipelineState).toBe('contacted')
  expect(total(after)).toBe(2)
})

test('an unknown total stays unknown', () => {
  expect(total(moveInList(list([summary('a', 'new')], null), { state: 'new' }, 'a', 'contacted', null))).toBeUndefined()
})

test('a list without the record is unchanged', () => {
  const other = list([summary('b', 'new')], 1)
  expect(moveInList(other, { state: 'new' }, 'a', 'contacted', null)).toBe(other)
})

test('finds the row in any list', () => {
  expect(findRow([undefined, list([summary('b', 'new')], 1), list([summary('a', 'won')], 1)], 'a')?.pipelineState).toBe(
    'won',
  )
  expect(findRow([], 'a')).toBeNull()
})

const inStates = (...values: PipelineState[]) => ({
  conditions: JSON.stringify([{ field: 'state', op: 'any_of', values }]),
})

test('the states of a list are those of its conditions too', () => {
  const both = list([summary('a', 'new'), summary('b', 'won')], 2)
  expect(ids(moveInList(both, inStates('new', 'won'), 'a', 'contacted', null))).toEqual(['b'])
  expect(ids(moveInList(both, inStates('new', 'won'), 'a', 'won', summary('a', 'new')))).toEqual(['a', 'b'])
  const without = { conditions: JSON.stringify([{ field: 'state', op: 'none_of', values: ['lost'] }]) }
  expect(ids(moveInList(both, without, 'a', 'lost', null))).toEqual(['b'])
  // The list shows both states without the record, so another filter may exclude the record.
  expect(ids(moveInList(both, inStates('new', 'won'), 'c', 'won', summary('c', 'new')))).toEqual(['a', 'b'])
  expect(ids(moveInList(both, inStates('new', 'won'), 'c', 'won', summary('c', 'lost')))).toEqual(['c', 'a', 'b'])
})
