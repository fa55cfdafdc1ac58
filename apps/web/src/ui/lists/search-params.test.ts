import { expect, test } from 'vitest'
import { parseFilters, said } from './search-params.ts'

test('what an address gives that is no filter is left out', () => {
  const search = { from: '2026-02-30', to: '2026-02-28', who: 'x'.repeat(201), what: 7, other: 'kept out' }
  expect(parseFilters(search, ['from', 'to', 'who', 'what'])).toEqual({ to: '2026-02-28' })
})

test('what was not said is left out, what is blank is not', () => {
  expect(said({ a: undefined, b: '', c: null, d: 'x' })).toEqual({ b: '', c: null, d: 'x' })
  expect(Object.keys(said({ a: undefined }))).toEqual([])
})
