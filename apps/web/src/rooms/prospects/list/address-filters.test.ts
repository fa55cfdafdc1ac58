import type { FilterInput } from '@prospect/api-client'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chipFields, conditionsFrom, filtersFromConditions, keysOf } from './address-filters.ts'
import { canonicalText } from './condition-text.ts'
import { type FilterField, fields } from './filter-fields.ts'
import { boardQuery, queryFrom, shownFilters } from './prospect-query.ts'
import {
  type FilterKey,
  filterKeys,
  filtersOf,
  type ProspectFilters,
  parseProspectSearch,
  unreadFilters,
} from './prospect-search.ts'

const zone = 'Africa/Johannesburg'

/** A valid value of each parameter. The type requires a value for a new parameter. */
const parameters: Required<ProspectFilters> = {
  ...{
    q: 'karoo',
    state: 'won',
    assignee: 'me',
    tag: 'solar',
    province: 'GP',
    doNotContact: 'false',
    hasEvidence: 'true',
  },
  ...{ updatedFrom: '2026-11-20', updatedTo: '2026-11-21', updatedWithinDays: '7' },
  ...{ priority: 'a', reachable: 'b', eligibility: 'unknown', scoreFrom: '60', scoreTo: '80' },
  ...{ inactive: 'true', review: 'due', conditions: 'city:any_of:Cape Town,Paarl' },
}

/** Conditions of each field. The type requires some for a new field of the API. */
const conditionsByField: Record<FilterField, FilterInput> = {
  q: [{ field: 'q', op: 'contains', values: [' two  words ; , '] }],
  status: [{ field: 'status', op: 'any_of', values: ['inactive'] }],
  state: [
    { field: 'state', op: 'any_of', values: ['new'] },
    { field: 'state', op: 'none_of', values: ['new', 'won'] },
  ],
  assignee: [
    { field: 'assignee', op: 'any_of', values: ['me'] },
    { field: 'assignee', op: 'is_empty', values: [] },
    { field: 'assignee', op: 'is_not_empty', values: [] },
  ],
  province: [
    { field: 'province', op: 'any_of', values: ['other'] },
    { field: 'province', op: 'is_empty', values: [] },
  ],
  tag: [
    { field: 'tag', op: 'any_of', values: ['solar'] },
    { field: 'tag', op: 'any_of', values: ['x'.repeat(120)] },
    { field: 'tag', op: 'is_empty', values: [] },
  ],
  doNotContact: [
    { field: 'doNotContact', op: 'any_of', values: [false] },
    { field: 'doNotContact', op: 'none_of', values: [true] },
  ],
  hasEvidence: [{ field: 'hasEvidence', op: 'any_of', values: [true] }],
  updatedAt: [
    { field: 'updatedAt', op: 'within_days', values: [7] },
    { field: 'updatedAt', op: 'within_days', values: [9_999] },
    { field: 'updatedAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', null] },
    { field: 'updatedAt', op: 'between', values: ['2026-11-19T10:00:00.000Z', null] },
  ],
  createdAt: [{ field: 'createdAt', op: 'within_days', values: [7] }],
  city: [{ field: 'city', op: 'contains', values: ['Cape; Town', 'Paarl'] }],
  employees: [
    { field: 'employees', op: 'between', values: [10, null] },
    { field: 'employees', op: 'between', values: [0, 10_000_000] },
    { field: 'employees', op: 'is_empty', values: [] },
  ],
  industry: [{ field: 'industry', op: 'is_not_empty', values: [] }],
  sourceLabel: [{ field: 'sourceLabel', op: 'any_of', values: ['A visit'] }],
  identifiers: [{ field: 'identifiers', op: 'any_of', values: ['email'] }],
  followUp: [{ field: 'followUp', op: 'between', values: ['2026-11-01', null] }],
  review: [{ field: 'review', op: 'any_of', values: ['due'] }],
  priority: [{ field: 'priority', op: 'any_of', values: ['a'] }],
  reachable: [{ field: 'reachable', op: 'none_of', values: ['a'] }],
  eligibility: [{ field: 'eligibility', op: 'any_of', values: ['eligible'] }],
  score: [
    { field: 'score', op: 'between', values: [60, null] },
    { field: 'score', op: 'between', values: [0, 100] },
  ],
}

const someFilters = fc
  .subarray([...filterKeys])
  .map((keys): ProspectFilters => Object.fromEntries(keys.map((key) => [key, parameters[key]])))
const someConditions = fc.subarray(Object.values(conditionsByField).flat())

describe('filters of an address as conditions', () => {
  test('each parameter is a condition, and returns from it', () => {
    for (const key of filterKeys) {
      const filters: ProspectFilters = { [key]: parameters[key] }
      const conditions = conditionsFrom(filters, zone)
      expect([key, conditions]).toEqual([key, [expect.anything()]])
      expect(filtersFromConditions(conditions, zone)).toEqual(filters)
    }
  })

  test('any parameters survive a round trip', () => {
    fc.assert(
      fc.property(someFilters, (filters) => {
        expect(filtersFromConditions(conditionsFrom(filters, zone), zone)).toEqual(filters)
      }),
    )
  })

  test('any conditions survive the address', () => {
    fc.assert(
      fc.property(someConditions, (conditions) => {
        const filters = filtersOf(parseProspectSearch(filtersFromConditions(conditions, zone)))
        expect(canonicalText(conditionsFrom(filters, zone))).toBe(canonicalText(conditions))
      }),
    )
  })

  test('each condition survives the address by itself, also with spaces at its end', () => {
    for (const condition of Object.values(conditionsByField).flat()) {
      const filters = filtersOf(parseProspectSearch(filtersFromConditions([condition], zone)))
      expect(canonicalText(conditionsFrom(filters, zone))).toBe(canonicalText([condition]))
    }
    expect(parseProspectSearch({ conditions: ' tag:is_empty ' })).toEqual({ conditions: 'tag:is_empty' })
  })

  test('each parameter belongs to one field of the table, and each chip has a name', () => {
    const owned = (Object.keys(fields) as FilterField[]).flatMap(keysOf)
    const short: FilterKey[] = filterKeys.filter((key) => key !== 'conditions')
    expect(owned.toSorted()).toEqual(short.toSorted())
    expect(chipFields.filter((field) => fields[field].name === '')).toEqual([])
  })

  test('nobody and no province are empty values, and relative days stay relative', () => {
    expect(conditionsFrom({ assignee: 'none', province: 'none', updatedWithinDays: '7' }, zone)).toEqual([
      { field: 'assignee', op: 'is_empty', values: [] },
      { field: 'province', op: 'is_empty', values: [] },
      { field: 'updatedAt', op: 'within_days', values: [7] },
    ])
  })

  test('unreadable conditions are reported, also those that are too long to be read whole', () => {
    const conditions = '[{"field":"size","op":"any_of","values":[1]}]'
    expect(parseProspectSearch({ conditions })).toEqual({})
    expect(unreadFilters({ conditions })).toEqual([`conditions=${conditions}`.slice(0, 75)])
    const long = `city:any_of:${Array.from({ length: 500 }, (_, at) => `City ${at}`).join(',')}`
    expect(parseProspectSearch({ conditions: long })).toEqual({})
    expect(unreadFilters({ conditions: long })).toHaveLength(1)
  })

  test('the order of conditions and of their values is irrelevant', () => {
    const one: FilterInput = [
      { field: 'state', op: 'any_of', values: ['new', 'won'] },
      { field: 'review', op: 'any_of', values: ['due'] },
    ]
    const other: FilterInput = [
      { field: 'review', op: 'any_of', values: ['due'] },
      { field: 'state', op: 'any_of', values: ['won', 'new'] },
    ]
    expect(canonicalText(one)).toBe(canonicalText(other))
  })
})

describe('the query of a list', () => {
  test('is exactly the conditions that bulk actions, exports and saved filters get', () => {
    const search = parseProspectSearch(parameters)
    const { conditions, sort, ...others } = queryFrom(search, zone)
    expect([JSON.parse(conditions ?? ''), sort, others]).toEqual([
      conditionsFrom(shownFilters(search), zone),
      '-updatedAt',
      {},
    ])
    expect(queryFrom({ sort: '-score' }, zone)).toEqual({ sort: '-score' })
  })

  test('days are whole days of the tenant, both included', () => {
    const search = parseProspectSearch({ updatedFrom: '2026-11-20', updatedTo: '2026-11-21', tab: 'notes' })
    expect(JSON.parse(queryFrom(search, zone).conditions ?? '')).toEqual([
      { field: 'updatedAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', '2026-11-21T21:59:59.999Z'] },
    ])
  })

  test('the board shows every state of active prospects, and so do its export and its bulk actions', () => {
    const search = parseProspectSearch({ state: 'won', inactive: 'true', tag: 'solar', sort: 'name', view: 'board' })
    const shown = conditionsFrom(shownFilters(search), zone)
    expect(shown).toEqual([{ field: 'tag', op: 'any_of', values: ['solar'] }])
    expect(boardQuery(search, zone)).toEqual({ conditions: JSON.stringify(shown), sort: '-updatedAt' })
  })
})
