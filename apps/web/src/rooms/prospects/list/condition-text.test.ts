import type { FilterInput } from '@prospect/api-client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readConditions, writeConditions } from './condition-text.ts'

const conditions: FilterInput = [
  { field: 'city', op: 'any_of', values: ['Cape Town', 'Paarl'] },
  { field: 'tag', op: 'is_empty', values: [] },
  { field: 'createdAt', op: 'within_days', values: [30] },
  { field: 'followUp', op: 'between', values: ['2026-11-01', null] },
  { field: 'hasEvidence', op: 'none_of', values: [true] },
  { field: 'score', op: 'between', values: [null, 40] },
]

test('an address shows conditions as text that a person can read, and reads them back', () => {
  const text = writeConditions(conditions)
  expect(text).toBe(
    'city:any_of:Cape Town,Paarl;tag:is_empty;createdAt:within_days:30;followUp:between:2026-11-01,;hasEvidence:none_of:true;score:between:,40',
  )
  expect(readConditions(text)).toEqual(conditions)
})

test('the JSON of a filter is read too, as older links contain it', () => {
  expect(readConditions(JSON.stringify(conditions))).toEqual(conditions)
})

test('text that is no condition is not guessed', () => {
  for (const text of ['', 'city', 'city:like:a', 'size:any_of:1', '{"field":"city"}', '[1]', 'city:any_of:a;x'])
    expect(readConditions(text), text).toBe(null)
})

test('any texts survive, also with the characters that separate them', () => {
  const value = fc.string({ unit: fc.constantFrom('a', ',', ';', ':', '\\', ' ', 'é'), minLength: 1 })
  const condition = fc.record({
    field: fc.constantFrom('city' as const, 'industry' as const),
    op: fc.constantFrom('any_of' as const, 'contains' as const),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 4 }), (all) => {
      expect(readConditions(writeConditions(all))).toEqual(all)
    }),
  )
})
