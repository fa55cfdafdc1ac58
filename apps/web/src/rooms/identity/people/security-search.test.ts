import { expect, test } from 'vitest'
import { parseSecuritySearch, securityQueryOf } from './security-search.ts'

test('reads only known filters from an address', () => {
  expect(
    parseSecuritySearch({ user: 'u1', action: 'session.fail', from: '2026-11-01', other: 'x', to: 'soon' }),
  ).toEqual({
    user: 'u1',
    action: 'session.fail',
    from: '2026-11-01',
  })
  expect(parseSecuritySearch({ user: 7, action: '', from: '2026-13-41' })).toEqual({})
})

test('days are whole days in the zone of the tenant', () => {
  expect(securityQueryOf({ from: '2026-11-01', to: '2026-11-01' }, 'Africa/Johannesburg')).toEqual({
    from: '2026-10-31T22:00:00.000Z',
    to: '2026-11-01T22:00:00.000Z',
  })
})
