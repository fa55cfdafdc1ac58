import type { UseFormReturnType } from '@mantine/form'
import { expect, test, vi } from 'vitest'
import { readOnlyWhileSaving } from './read-only-while-saving.ts'

type Values = { rules: string[] }

test('a form ignores changes of values and of lists while it is saved', () => {
  const changed = vi.fn()
  const form = {
    getInputProps: () => ({ onChange: changed }),
    setFieldValue: changed,
    insertListItem: changed,
    removeListItem: changed,
    reorderListItem: changed,
  } as unknown as UseFormReturnType<Values>
  const change = (one: UseFormReturnType<Values>) => {
    one.getInputProps('rules').onChange([])
    one.setFieldValue('rules', [])
    one.insertListItem('rules', 'c')
    one.removeListItem('rules', 0)
    one.reorderListItem('rules', { from: 0, to: 1 })
  }
  change(readOnlyWhileSaving(form, true))
  expect(changed).not.toHaveBeenCalled()
  change(readOnlyWhileSaving(form, false))
  expect(changed).toHaveBeenCalledTimes(5)
})
