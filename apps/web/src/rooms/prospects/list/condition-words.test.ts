import { describe, expect, test } from 'vitest'
import { formatDay } from '../../../ui/text/format.ts'
import { furtherFieldWords } from './condition-words.ts'
import { conditionsFrom, filtersFromConditions } from './filter-conditions.ts'

describe('conditions of fields that have no search parameter', () => {
  test.each([
    [{ field: 'followUp', op: 'any_of', values: ['overdue'] }, 'with an overdue follow-up'],
    [{ field: 'followUp', op: 'is_empty', values: [] }, 'without follow-up'],
    [{ field: 'city', op: 'none_of', values: ['Caledon', 'George'] }, 'without city Caledon or George'],
    [{ field: 'industry', op: 'contains', values: ['farm'] }, 'with industry containing “farm”'],
    [{ field: 'createdAt', op: 'within_days', values: [7] }, 'created in the last 7 days'],
    [{ field: 'identifiers', op: 'none_of', values: ['email', 'phone'] }, 'without email or phone'],
    [
      { field: 'createdAt', op: 'between', values: ['2026-11-19T22:00:00.000Z', null] },
      `created since ${formatDay('2026-11-20')}`,
    ],
    [
      { field: 'followUp', op: 'between', values: ['2026-11-20', '2026-11-22'] },
      `with a follow-up from ${formatDay('2026-11-20')} to ${formatDay('2026-11-22')}`,
    ],
    [{ field: 'state', op: 'any_of', values: ['new'] }, null],
  ] as const)('%j reads %s', (condition, words) => {
    expect(furtherFieldWords({ ...condition, values: [...condition.values] } as never, 'Africa/Johannesburg')).toBe(
      words,
    )
  })

  test('a range of creation is not confused with one of the last change', () => {
    const created = { field: 'createdAt' as const, op: 'within_days' as const, values: [7] }
    const filters = filtersFromConditions([created], 'Africa/Johannesburg')
    expect(filters).toEqual({ conditions: 'createdAt:within_days:7' })
    expect(conditionsFrom(filters, 'Africa/Johannesburg')).toEqual([created])
  })
})
