import { expect, test } from 'vitest'
import { footerText, type ListCount } from './list-footer.ts'

const ready: ListCount = {
  total: { value: 1204, counts: 'matching_set', asOf: '2026-11-21T10:00:00.000Z' },
  loaded: 150,
  isFiltered: true,
  noun: 'prospects',
  hasMore: true,
  status: 'ready',
}

test('describes its numbers', () => {
  expect(footerText(ready)).toBe('1\u00a0204 match · 150 loaded')
  expect(footerText({ ...ready, isFiltered: false })).toBe('1\u00a0204 prospects · 150 loaded')
  expect(footerText({ ...ready, isLoadingMore: true })).toBe('1\u00a0204 match · 150 loaded · loading more')
})

test('shows no number for an unknown total', () => {
  expect(footerText({ ...ready, total: null })).toBe('Too many to count · 150 loaded')
  expect(footerText({ ...ready, total: { value: 50, counts: 'page', asOf: '' } })).toBe('Total unknown · 150 loaded')
})

test('uses the number of rows when the list is completely loaded', () => {
  const whole = { ...ready, total: null, hasMore: false, loaded: 12 }
  expect(footerText(whole)).toBe('12 match · 12 loaded')
  expect(footerText({ ...whole, isFiltered: false })).toBe('12 prospects · 12 loaded')
})

test('a count that is loading or failed is never shown as zero', () => {
  expect(footerText({ ...ready, total: undefined, loaded: 0, status: 'loading' })).toBe('Counting')
  expect(footerText({ ...ready, total: undefined, loaded: 0, status: 'failed' })).toBe('Could not load the count')
  expect(footerText({ ...ready, isStale: true })).toContain('could not refresh')
})
