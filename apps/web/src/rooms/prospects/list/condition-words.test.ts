import { describe, expect, test } from 'vitest'
import { furtherFieldWords } from './condition-words.ts'
import { conditionsFrom, filtersFromConditions } from './filter-conditions.ts'

describe('conditions of fields that have no search parameter', () => {
  test.each([
    [{ field: 'followUp', op: 'any_of', values: ['overdue'] }, 'with an overdue follow-up'],
    [{ field: 'followUp', op: 'is_empty', values: [] }, 'without follow-up'],
    [{ field: 'city', op: 'none_of', values: ['Caledon', 'George'] }, 'without city Caledon or George'],
    [{ field: 'industry', op: 'contains', values: ['farm'] }, 'with industry containing “farm”'],
    [{ field: 'createdAt', op: 'within_days', values: [7] }, 'with creation in the last 7 days'],
    [{ field: 'state', op: 'any_of', values: ['new'] }, null],
  ] as const)('%j reads %s', (condition, words) => {
    expect(furtherFieldWords({ ...condition, values: [...condition.values] } as never)).toBe(words)
  })

  test('a range of creation is not confused with one of the last change', () => {
    const created = { field: 'createdAt' as const, op: 'within_days' as const, values: [7] }
    const filters = filtersFromConditions([created], 'Africa/Johannesburg')
    expect(filters).toEqual({ conditions: JSON.stringify([created]) })
    expect(conditionsFrom(filters, 'Africa/Johannesburg')).toEqual([created])
  })
})
