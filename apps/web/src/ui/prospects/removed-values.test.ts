import { expect, test } from 'vitest'
import { removedWords } from './removed-values.ts'
import { withoutValue } from './without-value.ts'

test('a value is taken out of each condition on its field, and an empty condition is removed', () => {
  const others = [
    { field: 'tag' as const, op: 'is_empty' as const, values: [] },
    { field: 'city' as const, op: 'any_of' as const, values: ['solar'] },
  ]
  const filter = [
    { field: 'tag' as const, op: 'any_of' as const, values: ['solar', 'wind'] },
    { field: 'tag' as const, op: 'none_of' as const, values: ['solar'] },
    ...others,
  ]
  expect(withoutValue(filter, { field: 'tag', value: 'solar' })).toEqual([
    { field: 'tag', op: 'any_of', values: ['wind'] },
    ...others,
  ])
})

test('a person without a known name is described without an id', () => {
  expect(removedWords({ field: 'assignee', value: 'u-9', name: null, effect: 'matches_nothing' })).toBe(
    'One assignee has left the workspace: this condition matches no prospect',
  )
})
