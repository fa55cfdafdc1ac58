import { describe, expect, test } from 'vitest'
import { filterFields, filterSentence, filterWords } from './filter-words.ts'
import { filterBody, filtersFrom, queryFrom } from './prospect-query.ts'
import { filtersOf, isFiltered, noFilters, parseProspectSearch, unreadFilters } from './prospect-search.ts'

const people = [{ id: 'u1', name: 'Thandi Nkosi' }]

describe('the address', () => {
  test('parses valid parameters and nothing else', () => {
    expect(
      parseProspectSearch({
        q: '  acme ',
        state: 'qualified',
        assignee: 'me',
        tag: 'solar',
        province: 'GP',
        doNotContact: 'false',
        hasEvidence: 'true',
        updatedFrom: '2026-11-01',
        updatedTo: '2026-11-21',
        sort: 'name',
        view: 'board',
      }),
    ).toEqual({
      q: 'acme',
      state: 'qualified',
      assignee: 'me',
      tag: 'solar',
      province: 'GP',
      doNotContact: 'false',
      hasEvidence: 'true',
      updatedFrom: '2026-11-01',
      updatedTo: '2026-11-21',
      sort: 'name',
      view: 'board',
    })
  })

  test('drops invalid values', () => {
    expect(
      parseProspectSearch({
        q: '   ',
        state: 'sold',
        doNotContact: 'maybe',
        updatedFrom: 'yesterday',
        updatedTo: '2026-02-30',
        sort: 'size',
        view: 'map',
        other: 'x',
        tag: { a: 1 },
      }),
    ).toEqual({})
  })

  test('a province can be a name in English or Afrikaans in any spelling, and becomes its code', () => {
    for (const province of ['WC', 'wc', 'Western Cape', 'western-cape', 'Wes-Kaap'])
      expect(parseProspectSearch({ province })).toEqual({ province: 'WC' })
    expect(parseProspectSearch({ province: 'None' })).toEqual({ province: 'none' })
  })

  test('reports unreadable filters as written; other and blank parameters are ignored', () => {
    expect(
      unreadFilters({ state: 'bogus', province: 'Narnia', tag: 'solar', sort: 'size', q: ' ', other: 'x' }),
    ).toEqual(['state=bogus', 'province=Narnia'])
    // The key occurs twice in the address.
    expect(unreadFilters({ state: ['won', 'lost'] })).toEqual(['state=won,lost'])
  })

  test('does not write the default sort', () => {
    expect(parseProspectSearch({ sort: '-updatedAt' })).toEqual({})
  })

  test('sort and view are not filters', () => {
    const search = parseProspectSearch({ sort: 'name', view: 'board' })
    expect(isFiltered(search)).toBe(false)
    expect(filtersOf(parseProspectSearch({ sort: 'name', tag: 'solar' }))).toEqual({ tag: 'solar' })
  })

  test('clearing removes the filters and keeps the rest', () => {
    const search = { q: 'a', state: 'new', assignee: 'me', updatedFrom: '2026-11-01', sort: 'name', view: 'board' }
    expect(parseProspectSearch({ ...search, ...noFilters })).toEqual({ sort: 'name', view: 'board' })
  })
})

const bands = [{ id: 'b1', name: 'Best', from: 60 }]

describe('the sentence', () => {
  test.each([
    [{}, 'All prospects'],
    [{ state: 'new', assignee: 'me' }, 'Prospects in New, assigned to me'],
    [{ assignee: 'u1', tag: 'solar' }, 'Prospects assigned to Thandi Nkosi, tagged solar'],
    [{ assignee: 'gone' }, 'Prospects assigned to someone not listed'],
    [{ assignee: 'none', province: 'kzn' }, 'Prospects unassigned, in KwaZulu-Natal'],
    [{ province: 'none', hasEvidence: 'false' }, 'Prospects without a province, without evidence'],
    [{ doNotContact: 'true' }, 'Prospects marked do not contact'],
    [{ q: 'acme', updatedFrom: '2026-11-01' }, 'Prospects containing “acme”, updated since 01 Nov 2026'],
    [{ updatedFrom: '2026-11-01', updatedTo: '2026-11-01' }, 'Prospects updated on 01 Nov 2026'],
    [{ priority: 'b1', eligibility: 'unknown' }, 'Prospects with priority Best, whose eligibility is unknown'],
    [{ priority: 'unknown' }, 'Prospects with priority Unknown'],
    [{ reachable: 'b1', scoreTo: '59' }, 'Prospects that could reach Best, with a score of at most 59'],
    [
      { scoreFrom: '20', scoreTo: '59', reachable: 'gone' },
      'Prospects that could reach gone (no longer exists), with a score from 20 to 59',
    ],
    [{ scoreFrom: '101', scoreTo: '-1', eligibility: 'maybe', priority: 'a b' }, 'All prospects'],
  ])('%j reads "%s"', (search, sentence) => {
    expect(filterSentence(parseProspectSearch(search), { people, bands })).toBe(sentence)
  })

  test('every filter of the address has a text', () => {
    const all = parseProspectSearch({
      state: 'new',
      assignee: 'me',
      tag: 'a',
      province: 'WC',
      doNotContact: 'true',
      hasEvidence: 'true',
      updatedTo: '2026-11-01',
      priority: 'A',
      reachable: 'A',
      eligibility: 'eligible',
      scoreFrom: '50',
      inactive: 'true',
      review: 'due',
    })
    for (const field of filterFields) expect(filterWords(all, field, { people }), field).not.toBeNull()
  })
})

describe('the query', () => {
  test('days are whole days of the tenant, both included', () => {
    const search = parseProspectSearch({
      updatedFrom: '2026-11-20',
      updatedTo: '2026-11-21',
      view: 'board',
      tab: 'notes',
    })
    expect(queryFrom(search, 'Africa/Johannesburg')).toEqual({
      updatedFrom: '2026-11-19T22:00:00.000Z',
      updatedTo: '2026-11-21T21:59:59.999Z',
      sort: '-updatedAt',
    })
  })

  test('scores are numbers in the query and can sort the list', () => {
    const search = parseProspectSearch({ reachable: 'A', scoreTo: '59', sort: '-score' })
    expect(queryFrom(search, 'Africa/Johannesburg')).toEqual({ reachable: 'A', scoreTo: 59, sort: '-score' })
  })

  test('a stored filter is restored as requested, and a time inside a day stays a time', () => {
    const asked = {
      q: 'karoo',
      state: 'won',
      doNotContact: 'false',
      updatedFrom: '2026-11-20',
      updatedTo: '2026-11-21',
      priority: 'A',
      scoreFrom: '60',
      scoreTo: '80',
    }
    const zone = 'Africa/Johannesburg'
    const kept = filterBody(parseProspectSearch(asked), zone)
    expect(filtersFrom(kept, zone)).toEqual({ filters: asked, after: null, before: null })
    expect(filtersFrom({ q: null, tag: 'farm', updatedFrom: '2026-11-20T10:00:00.000Z' }, zone)).toEqual({
      filters: { tag: 'farm' },
      after: '2026-11-20T10:00:00.000Z',
      before: null,
    })
  })
})
