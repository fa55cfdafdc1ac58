import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFilters, readSearch, withoutUndefined, writeSearch } from './search-params.ts'

test('drops parameters of the address that are no valid filter', () => {
  const search = { from: '2026-02-30', to: '2026-02-28', who: 'x'.repeat(201), what: 7, other: 'kept out' }
  expect(parseFilters(search, ['from', 'to', 'who', 'what'])).toEqual({ to: '2026-02-28' })
})

test('writes texts that look like JSON without quotation marks', () => {
  const search = { doNotContact: 'false', q: '2024', tag: undefined, event: 'e1' }
  expect(writeSearch(search)).toBe('?doNotContact=false&q=2024&event=e1')
  expect(writeSearch({ tag: undefined })).toBe('')
  expect(readSearch('?doNotContact=false&q=2024&state=won&state=lost')).toEqual({
    doNotContact: 'false',
    q: '2024',
    state: ['won', 'lost'],
  })
})

test('every text in an address is read back unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (search) => {
      expect(readSearch(writeSearch(search))).toEqual({ ...search })
    }),
  )
})

test('drops undefined values and keeps blank ones', () => {
  expect(withoutUndefined({ a: undefined, b: '', c: null, d: 'x' })).toEqual({ b: '', c: null, d: 'x' })
  expect(Object.keys(withoutUndefined({ a: undefined }))).toEqual([])
})
