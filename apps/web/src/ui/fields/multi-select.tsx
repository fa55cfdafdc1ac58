import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import type { FocusEvent, KeyboardEvent } from 'react'
import { isModEnter } from '../forms/submit-on-mod-enter.ts'
import { useListOpen } from '../layout/use-list-open.ts'
import { listWords } from '../text/format.ts'
import { openOrChoose } from './open-or-choose.ts'

export type Option = { value: string; label: string }

type Props = Omit<MultiSelectProps, 'data' | 'value' | 'onChange' | 'onBlur' | 'onKeyDownCapture'> & {
  data: readonly Option[]
  value?: string[]
  onChange: (values: string[]) => void
  /** Returns the value of typed text that is neither a label nor a value, such as another name of it. */
  readOther?: (typed: string) => string | undefined
}

/**
 * Select of several values, with the keyboard of `Select`: focus alone does not open it, and Enter selects but never submits the form. Text that is
 * left in the field, also several names with commas between, selects its options. Text that matches no option becomes a value with an error, so that
 * it is never dropped silently; forms validate with `unlistedProblem`.
 */
export function MultiSelect({ data, value = [], onChange, error, readOther, readOnly = false, ...props }: Props) {
  const list = useListOpen()
  const read = (typed: string): string => {
    const text = typed.toLowerCase()
    const found = data.find((one) => one.label.toLowerCase() === text || one.value.toLowerCase() === text)
    return found?.value ?? readOther?.(typed) ?? typed
  }
  const acceptTyped = (input: HTMLInputElement) => {
    if (readOnly) return
    const typed = input.value.split(',').flatMap((one) => (one.trim() === '' ? [] : [read(one.trim())]))
    const added = typed.filter((one, at) => !value.includes(one) && typed.indexOf(one) === at)
    if (added.length > 0) onChange([...value, ...added])
  }
  return (
    <MantineMultiSelect
      searchable
      openOnFocus={false}
      selectFirstOptionOnChange
      hidePickedOptions
      nothingFoundMessage="Not in the list"
      {...list}
      {...props}
      data={data}
      value={value}
      onChange={onChange}
      readOnly={readOnly}
      error={error ?? unlistedProblem(value, data)}
      onKeyDownCapture={(event: KeyboardEvent<HTMLInputElement>) => {
        // Ctrl+Enter submits the form without leaving the field.
        if (isModEnter(event)) acceptTyped(event.currentTarget)
        openOrChoose(event)
      }}
      onBlur={({ currentTarget }: FocusEvent<HTMLInputElement>) => acceptTyped(currentTarget)}
    />
  )
}

/** Error that names the values without an option; null if there are none. */
export function unlistedProblem(values: readonly string[], data: readonly Option[]): string | null {
  const unlisted = values.filter((value) => !data.some((one) => one.value === value))
  return unlisted.length === 0 ? null : `Not in the list: ${listWords(unlisted.map((one) => `“${one}”`))}.`
}
