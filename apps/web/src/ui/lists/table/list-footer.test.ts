import { expect, test } from 'vitest'
import { footerText, type ListCount } from './list-footer.ts'

const counted = (value: number, counts: 'matching_set' | 'more_than' | 'page' = 'matching_set') => ({
  value,
  counts,
  asOf: '2026-11-21T10:00:00.000Z',
})
const ready: ListCount = {
  total: counted(1204),
  loaded: 150,
  isFiltered: true,
  nouns: { one: 'prospect', many: 'prospects' },
  hasMore: true,
  status: 'ready',
}
const whole: ListCount = { ...ready, hasMore: false }
const people = { isFiltered: false, nouns: { one: 'person', many: 'people' } }

test('states the total and the number of loaded rows', () => {
  expect(footerText(ready)).toBe('1\u00a0204 match · 150 loaded')
  expect(footerText({ ...ready, isFiltered: false })).toBe('1\u00a0204 prospects · 150 loaded')
  expect(footerText({ ...ready, isLoadingMore: true })).toBe('1\u00a0204 match · 150 loaded · loading more')
})

test('states one number if all rows are loaded', () => {
  const all = { ...whole, total: counted(182), loaded: 182 }
  expect(footerText(all)).toBe('182 match')
  expect(footerText({ ...all, isFiltered: false })).toBe('182 prospects')
  expect(footerText({ ...all, total: null })).toBe('182 match')
  expect(footerText({ ...all, isStale: true })).toBe('182 match · could not refresh')
})

test('states both numbers if they differ', () => {
  expect(footerText({ ...whole, total: counted(12), loaded: 10 })).toBe('12 match · 10 loaded')
})

test('uses the singular for one row', () => {
  expect(footerText({ ...whole, ...people, total: counted(1), loaded: 1 })).toBe('1 person')
  expect(footerText({ ...whole, total: counted(1), loaded: 1 })).toBe('1 matches')
  expect(footerText({ ...whole, ...people, total: counted(0), loaded: 0 })).toBe('0 people')
})

test('a total above the bound is stated as such', () => {
  const more = { ...ready, total: counted(10_000, 'more_than') }
  expect(footerText(more)).toBe('More than 10\u00a0000 match · 150 loaded')
  expect(footerText({ ...more, ...people })).toBe('More than 10\u00a0000 people · 150 loaded')
  expect(footerText({ ...more, ...people, hasMore: false, loaded: 10_001 })).toBe('10\u00a0001 people')
})

test('shows no number for an unknown total', () => {
  expect(footerText({ ...ready, total: null })).toBe('Not counted · 150 loaded')
  expect(footerText({ ...ready, total: counted(50, 'page') })).toBe('Total unknown · 150 loaded')
})

test('a count that is loading or failed is never shown as zero', () => {
  expect(footerText({ ...ready, total: undefined, loaded: 0, status: 'loading' })).toBe('Counting')
  expect(footerText({ ...ready, total: undefined, loaded: 0, status: 'failed' })).toBe('Could not load the count')
  expect(footerText({ ...ready, isStale: true })).toContain('could not refresh')
})
