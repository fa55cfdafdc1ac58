import type { FilterInput } from '@prospect/api-client'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSearch, writeSearch } from '../../../ui/lists/search-params.ts'
import { canonicalText } from './condition-text.ts'
import {
  conditionOf,
  type FilterCondition,
  type FilterField,
  type FilterValue,
  fieldNames,
  fields,
  isComplete,
  isDays,
  isRange,
  type Op,
} from './filter-fields.ts'
import {
  conditionsOf,
  filterPatch,
  parseProspectSearch,
  queryOf,
  shownConditions,
  unreadFilters,
} from './prospect-search.ts'

const zone = 'Africa/Johannesburg'
const patchOf = (conditions: FilterInput) => parseProspectSearch(filterPatch(conditions, zone))

/** The conditions after they were written to the text of an address and read from it. */
function throughAddress(conditions: FilterInput, timeZone = zone): FilterInput {
  const text = writeSearch(filterPatch(conditions, timeZone))
  return conditionsOf(parseProspectSearch(readSearch(text.slice(1))), timeZone)
}

/** Addresses of earlier versions, which links and bookmarks contain, with their conditions. */
const oldAddresses: [address: string, conditions: FilterInput][] = [
  ['q=karoo', [{ field: 'q', op: 'contains', values: ['karoo'] }]],
  ['state=won', [{ field: 'state', op: 'any_of', values: ['won'] }]],
  ['assignee=me', [{ field: 'assignee', op: 'any_of', values: ['me'] }]],
  ['assignee=none', [{ field: 'assignee', op: 'is_empty', values: [] }]],
  ['tag=solar', [{ field: 'tag', op: 'any_of', values: ['solar'] }]],
  ['province=GP', [{ field: 'province', op: 'any_of', values: ['GP'] }]],
  ['province=none', [{ field: 'province', op: 'is_empty', values: [] }]],
  ['province=other', [{ field: 'province', op: 'any_of', values: ['other'] }]],
  ['doNotContact=false', [{ field: 'doNotContact', op: 'any_of', values: [false] }]],
  ['hasEvidence=true', [{ field: 'hasEvidence', op: 'any_of', values: [true] }]],
  [
    'updatedFrom=2026-11-20&updatedTo=2026-11-21',
    [{ field: 'updatedAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', '2026-11-21T21:59:59.999Z'] }],
  ],
  ['updatedTo=2026-11-21', [{ field: 'updatedAt', op: 'between', values: [null, '2026-11-21T21:59:59.999Z'] }]],
  ['updatedWithinDays=7', [{ field: 'updatedAt', op: 'within_days', values: [7] }]],
  ['priority=a', [{ field: 'priority', op: 'any_of', values: ['a'] }]],
  ['reachable=b', [{ field: 'reachable', op: 'any_of', values: ['b'] }]],
  ['eligibility=unknown', [{ field: 'eligibility', op: 'any_of', values: ['unknown'] }]],
  ['scoreFrom=60&scoreTo=80', [{ field: 'score', op: 'between', values: [60, 80] }]],
  ['scoreTo=80', [{ field: 'score', op: 'between', values: [null, 80] }]],
  ['inactive=true', [{ field: 'status', op: 'any_of', values: ['inactive'] }]],
  ['review=due', [{ field: 'review', op: 'any_of', values: ['due'] }]],
  ['conditions=city:any_of:Cape Town,Paarl', [{ field: 'city', op: 'any_of', values: ['Cape Town', 'Paarl'] }]],
  ['conditions=score:between:10,50', [{ field: 'score', op: 'between', values: [10, 50] }]],
  [
    'state=won&conditions=[{"field":"state","op":"none_of","values":["lost"]}]',
    [
      { field: 'state', op: 'any_of', values: ['won'] },
      { field: 'state', op: 'none_of', values: ['lost'] },
    ],
  ],
]

/** Conditions of each field. The type requires some for a new field of the API. */
const conditionsByField: Record<FilterField, FilterInput> = {
  q: [{ field: 'q', op: 'contains', values: [' two  words ; , '] }],
  status: [{ field: 'status', op: 'any_of', values: ['inactive'] }],
  state: [
    { field: 'state', op: 'any_of', values: ['new'] },
    { field: 'state', op: 'none_of', values: ['new', 'won'] },
    { field: 'state', op: 'any_of', values: ['new', 'contacted', 'qualified', 'proposal', 'negotiation'] },
    { field: 'state', op: 'any_of', values: ['new', 'contacted', 'qualified', 'proposal', 'negotiation', 'won'] },
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
  hasPerson: [{ field: 'hasPerson', op: 'any_of', values: [false] }],
  person: [{ field: 'person', op: 'contains', values: ['Thandi Nkosi'] }],
  role: [{ field: 'role', op: 'contains', values: ['buyer'] }],
  updatedAt: [
    { field: 'updatedAt', op: 'within_days', values: [7] },
    { field: 'updatedAt', op: 'within_days', values: [9_999] },
    { field: 'updatedAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', null] },
    { field: 'updatedAt', op: 'between', values: ['2026-11-19T10:00:00.000Z', null] },
  ],
  lastInteraction: [
    { field: 'lastInteraction', op: 'not_within_days', values: [30] },
    { field: 'lastInteraction', op: 'not_between', values: ['2026-11-19T22:00:00.000Z', null] },
    { field: 'lastInteraction', op: 'is_empty', values: [] },
  ],
  lastOutcome: [
    { field: 'lastOutcome', op: 'any_of', values: ['no_answer'] },
    { field: 'lastOutcome', op: 'none_of', values: ['won', 'lost'] },
    { field: 'lastOutcome', op: 'is_empty', values: [] },
    { field: 'lastOutcome', op: 'is_not_empty', values: [] },
  ],
  evidenceCount: [{ field: 'evidenceCount', op: 'between', values: [2, null] }],
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
  doubts: [
    { field: 'doubts', op: 'any_of', values: ['place'] },
    { field: 'doubts', op: 'none_of', values: ['place', 'phone'] },
  ],
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

const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
const moments = moment.map((at): FilterValue => at.toISOString())
const days = moment.map((at): FilterValue => at.toISOString().slice(0, 10))
const texts = fc
  .string({
    unit: fc.constantFrom('a', 'none', 'open', 'true', ',', ';', ':', '\\', ' ', '&', '=', 'é', '7'),
    minLength: 1,
  })
  .filter((text) => text.trim() !== '')

/** Any complete condition of a field with one of its operators. */
function anyCondition(field: FilterField, op: Op): fc.Arbitrary<FilterCondition> {
  const { kind, options, range, groups = [] } = fields[field]
  const context = { people: [], bands: [], timeZone: zone, states: ['new', 'contacted', 'won'], userId: 'u1' }
  const known = [...(options?.(context) ?? []).map(({ value }) => value), ...groups.flatMap(({ values }) => values)]
  const value = (): fc.Arbitrary<FilterValue> => {
    if (isDays(op)) return fc.integer({ min: 1, max: 3_650 })
    if (kind === 'number') return fc.integer(range)
    if (isRange(op)) return kind === 'time' ? moments : days
    if (kind === 'flag') return fc.boolean()
    return kind === 'choice' && field !== 'tag' && known.length > 0 ? fc.constantFrom(...known) : texts
  }
  const values =
    op === 'is_empty' || op === 'is_not_empty'
      ? fc.constant([])
      : isRange(op)
        ? fc.tuple(fc.option(value()), fc.option(value()))
        : fc.uniqueArray(value(), { minLength: 1, maxLength: isDays(op) || kind === 'search' ? 1 : 7 })
  return values.map((some) => conditionOf(field, op, some)).filter(isComplete)
}

describe('filters of an address', () => {
  test.each(oldAddresses)('%s has the conditions of earlier versions', (address, conditions) => {
    const search = parseProspectSearch(readSearch(address))
    expect(conditionsOf(search, zone)).toEqual(conditions)
    expect(unreadFilters(readSearch(address))).toEqual([])
    // A saved filter of these conditions opens with the same ones.
    expect(canonicalText(throughAddress(conditions))).toBe(canonicalText(conditions))
  })

  test('an old address with one parameter for each condition is written as before', () => {
    for (const [address] of oldAddresses.filter(([text]) => !text.includes('conditions='))) {
      const conditions = conditionsOf(parseProspectSearch(readSearch(address)), zone)
      expect(writeSearch(filterPatch(conditions, zone)).slice(1)).toBe(address)
    }
  })

  const pairs = fieldNames.flatMap((field) => fields[field].ops.map((op): [FilterField, Op] => [field, op]))
  test.each(pairs)('any condition %s %s survives the address, in any time zone', (field, op) => {
    fc.assert(
      fc.property(
        fc.array(anyCondition(field, op), { minLength: 1, maxLength: 2 }),
        fc.constantFrom(zone, 'UTC', 'America/New_York', 'Asia/Kolkata'),
        (conditions, timeZone) => {
          expect(canonicalText(throughAddress(conditions, timeZone))).toBe(canonicalText(conditions))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('any list of conditions survives the address', () => {
    const any = fc.oneof(...pairs.map(([field, op]) => anyCondition(field, op)))
    const examples = fc.subarray(Object.values(conditionsByField).flat())
    fc.assert(
      fc.property(fc.oneof(fc.array(any, { maxLength: 6 }), examples), (conditions) => {
        fc.pre(writeSearch(filterPatch(conditions, zone)).length < 4_096)
        expect(canonicalText(throughAddress(conditions))).toBe(canonicalText(conditions))
      }),
    )
  })

  test('one value is a parameter of its field, and several are in conditions', () => {
    expect(patchOf([{ field: 'city', op: 'any_of', values: ['Cape Town'] }])).toEqual({ city: 'Cape Town' })
    expect(patchOf([{ field: 'followUp', op: 'any_of', values: ['today'] }])).toEqual({ followUp: 'today' })
    expect(patchOf([{ field: 'city', op: 'any_of', values: ['Paarl', 'George'] }])).toEqual({
      conditions: 'city:any_of:Paarl,George',
    })
    expect(patchOf(conditionsByField.state.slice(2, 3))).toEqual({ state: 'open' })
  })

  test('a patch replaces all filters and keeps the rest', () => {
    const search = { ...parseProspectSearch({ tag: 'solar', scoreFrom: '1', saved: 'f-1', sort: 'name' }) }
    const next = parseProspectSearch({
      ...search,
      ...filterPatch([{ field: 'state', op: 'any_of', values: ['new'] }], zone),
    })
    expect(next).toEqual({ state: 'new', saved: 'f-1', sort: 'name' })
  })

  test('unreadable conditions are reported, also those that are too long to be read whole', () => {
    const conditions = '[{"field":"size","op":"any_of","values":[1]}]'
    expect(parseProspectSearch({ conditions })).toEqual({})
    expect(unreadFilters({ conditions })).toEqual([`conditions=${conditions}`.slice(0, 75)])
    const long = `city:any_of:${Array.from({ length: 500 }, (_, at) => `City ${at}`).join(',')}`
    expect(parseProspectSearch({ conditions: long })).toEqual({})
    expect(unreadFilters({ conditions: long })).toHaveLength(1)
    expect(parseProspectSearch({ conditions: ' tag:is_empty ' })).toEqual({ conditions: 'tag:is_empty' })
  })

  test('a parameter of a field that takes no single value is reported', () => {
    expect(unreadFilters({ employees: '10', createdAt: '2026-11-20', status: 'active' })).toEqual([
      'status=active',
      'employees=10',
      'createdAt=2026-11-20',
    ])
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
    const search = parseProspectSearch({ inactive: 'true', q: 'karoo', conditions: 'score:between:10,50' })
    const shown = shownConditions(search, zone)
    expect(shown.map(({ field }) => field)).toEqual(['q', 'score', 'status'])
    expect(queryOf(shown, 'name')).toEqual({ conditions: JSON.stringify(shown), sort: 'name' })
    expect(queryOf([])).toEqual({ sort: '-updatedAt' })
  })

  test('the board shows every state of active prospects, and so do its export and its bulk actions', () => {
    const search = parseProspectSearch({ state: 'won', inactive: 'true', tag: 'solar', sort: 'name', view: 'board' })
    expect(shownConditions(search, zone)).toEqual([{ field: 'tag', op: 'any_of', values: ['solar'] }])
  })
})
