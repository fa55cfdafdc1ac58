import { expect, test } from 'vitest'
import { auditQueryOf, filtersOf, isFiltered, parseAuditSearch } from './audit-search.ts'

test('drops invalid values of an address', () => {
  expect(parseAuditSearch({ action: 'note.add', from: 'yesterday', to: '2026-13-45', actor: 7, other: 'x' })).toEqual({
    action: 'note.add',
  })
})

test('a field is read with the prospect that it belongs to only', () => {
  expect(parseAuditSearch({ field: 'phones' })).toEqual({})
  expect(parseAuditSearch({ field: 'phones', businessId: 'b1' })).toEqual({ field: 'phones', businessId: 'b1' })
  expect(parseAuditSearch({ field: "x' or", businessId: 'b1' })).toEqual({ businessId: 'b1' })
})

test('an open event does not count as a filter', () => {
  const search = parseAuditSearch({ event: 'e1' })
  expect(isFiltered(search)).toBe(false)
  expect(filtersOf(search)).toEqual({})
})

test('days are in the zone of the tenant, and the last one is included', () => {
  expect(auditQueryOf({ from: '2026-11-01', to: '2026-11-02', action: 'note.add' }, 'Africa/Johannesburg')).toEqual({
    action: 'note.add',
    from: '2026-10-31T22:00:00.000Z',
    to: '2026-11-02T22:00:00.000Z',
  })
})
