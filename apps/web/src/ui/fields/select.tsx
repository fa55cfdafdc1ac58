import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useRef } from 'react'
import { useListOpen } from '../layout/use-list-open.ts'
import { openOrChoose } from './open-or-choose.ts'

/**
 * Select that is as safe by keyboard as by mouse: focus alone does not open it, Enter opens the list and selects but never submits the form, Enter on
 * the selected option keeps it, and an optional value has a clear button.
 */
export function Select<Value extends string>({
  clearButtonProps,
  leavesOnChoice = false,
  ...props
}: Omit<SelectProps<Value>, 'allowDeselect'> & {
  /** The selection takes effect immediately: blur the field, so that shortcuts of the page work again. */
  leavesOnChoice?: boolean
}) {
  const { label, searchable = false } = props
  const input = useRef<HTMLInputElement>(null)
  const blurInput = () => input.current?.blur()
  const focusInput = () => input.current?.focus()
  const list = useListOpen()
  return (
    <MantineSelect
      ref={input}
      allowDeselect={false}
      openOnFocus={false}
      {...list}
      // Enter selects the first option that matches the typed text.
      selectFirstOptionOnChange={searchable}
      onKeyDownCapture={openOrChoose}
      clearButtonProps={{
        'aria-hidden': false,
        'aria-label': `Clear “${props['aria-label'] ?? String(label)}”`,
        size: '24px',
        tabIndex: 0,
        onClick: leavesOnChoice ? blurInput : focusInput,
        ...clearButtonProps,
      }}
      {...(leavesOnChoice && { onOptionSubmit: blurInput })}
      {...props}
    />
  )
}

/** Converts the input props of a text field to those of a `Select`. Without a choice, the text is empty and the value of the select is null. */
export function choiceProps({ value, onChange, ...input }: GetInputPropsReturnType) {
  return {
    ...input,
    value: typeof value === 'string' && value !== '' ? value : null,
    onChange: (chosen: string | null) => onChange(chosen ?? ''),
  }
}
