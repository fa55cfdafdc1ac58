import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { isModEnter } from '../forms/submit-on-mod-enter.ts'
import { useListOpen } from '../layout/use-list-open.ts'

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

/** Handles Enter: opens a closed searchable list, as in any other list; selects the highlighted option of an open list; never submits the form. */
function openOrChoose(event: KeyboardEvent<HTMLInputElement>): void {
  const { currentTarget: input, nativeEvent } = event
  if (event.key !== 'Enter' || isModEnter(event) || nativeEvent.isComposing) return
  const isOpen = input.getAttribute('aria-expanded') === 'true'
  if (!isOpen && input.readOnly) return
  event.preventDefault()
  if (!isOpen) {
    input.click()
    return
  }
  // Mantine loses track of the highlighted option when the first letter opens the list: the option is shown as highlighted but Enter would select
  // nothing.
  event.stopPropagation()
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  list?.querySelector<HTMLElement>('[data-combobox-selected]')?.click()
}
