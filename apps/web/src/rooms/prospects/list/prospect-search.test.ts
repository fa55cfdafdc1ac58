import { describe, expect, test } from 'vitest'
import { isFiltered, noFilters, parseProspectSearch, unreadFilters } from './prospect-search.ts'

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
    expect(isFiltered(parseProspectSearch({ sort: 'name', tag: 'solar' }))).toBe(true)
  })

  test('clearing removes the filters and keeps the rest', () => {
    const search = { q: 'a', state: 'new', assignee: 'me', updatedFrom: '2026-11-01', sort: 'name', view: 'board' }
    expect(parseProspectSearch({ ...search, ...noFilters })).toEqual({ sort: 'name', view: 'board' })
  })
})
