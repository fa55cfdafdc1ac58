import type { FilterInput } from '@prospect/api-client'
import { describe, expect, test } from 'vitest'
import { conditionsFrom, filtersFromConditions } from './filter-conditions.ts'
import { filterSentence } from './filter-words.ts'
import { canonicalText } from './further-conditions.ts'
import { filtersOf, parseProspectSearch, unreadFilters } from './prospect-search.ts'

const zone = 'Africa/Johannesburg'

describe('filters of an address as conditions', () => {
  test('every field survives a round trip', () => {
    const asked = filtersOf(
      parseProspectSearch({
        q: 'karoo',
        state: 'won',
        assignee: 'me',
        tag: 'solar',
        province: 'GP',
        doNotContact: 'false',
        hasEvidence: 'true',
        updatedFrom: '2026-11-20',
        priority: 'a',
        reachable: 'b',
        eligibility: 'unknown',
        scoreFrom: '60',
        review: 'due',
      }),
    )
    expect(filtersFromConditions(conditionsFrom(asked, zone), zone)).toEqual(asked)
  })

  test('nobody and no province are empty values, and relative days stay relative', () => {
    const asked = { assignee: 'none', province: 'none', updatedWithinDays: '7' }
    const conditions = conditionsFrom(asked, zone)
    expect(conditions).toEqual([
      { field: 'assignee', op: 'is_empty', values: [] },
      { field: 'province', op: 'is_empty', values: [] },
      { field: 'updatedAt', op: 'within_days', values: [7] },
    ])
    expect(filtersFromConditions(conditions, zone)).toEqual(asked)
  })

  test('several values, exclusions and a second condition of a field stay conditions, and are described', () => {
    const conditions: FilterInput = [
      { field: 'state', op: 'any_of', values: ['new', 'won'] },
      { field: 'tag', op: 'any_of', values: ['solar'] },
      { field: 'tag', op: 'none_of', values: ['farm'] },
    ]
    const filters = filtersFromConditions(conditions, zone)
    expect(Object.keys(filters).sort()).toEqual(['conditions', 'tag'])
    expect(canonicalText(conditionsFrom(filters, zone))).toBe(canonicalText(conditions))
    expect(filterSentence(parseProspectSearch(filters), { people: [] })).toBe(
      'Prospects tagged solar, in New or in Won, not tagged farm',
    )
  })

  test('unreadable conditions are reported', () => {
    const conditions = '[{"field":"size","op":"any_of","values":[1]}]'
    expect(parseProspectSearch({ conditions })).toEqual({})
    expect(unreadFilters({ conditions })).toEqual([`conditions=${conditions}`.slice(0, 75)])
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
