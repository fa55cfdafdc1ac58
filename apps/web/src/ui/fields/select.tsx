import { Select as MantineSelect, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { isModEnter } from '../forms/submit-on-mod-enter.ts'
import { useListOpen } from '../layout/use-list-open.ts'

/**
 * One of several, as safe by keyboard as by mouse: passing through opens nothing over the fields below, Enter on what is chosen does not
 * take it away, Enter opens the list and chooses from it but sends no form, and what may be left blank has a button to clear it.
 */
export function Select<Value extends string>({
  clearButtonProps,
  leavesOnChoice = false,
  ...props
}: Omit<SelectProps<Value>, 'allowDeselect'> & {
  /** The choice takes effect at once: blur the field, so that the keys of the page work again. */
  leavesOnChoice?: boolean
}) {
  const { label, searchable = false } = props
  const input = useRef<HTMLInputElement>(null)
  const leave = () => input.current?.blur()
  const stay = () => input.current?.focus()
  const list = useListOpen()
  return (
    <MantineSelect
      ref={input}
      allowDeselect={false}
      openOnFocus={false}
      {...list}
      // Enter takes the first that fits what was typed.
      selectFirstOptionOnChange={searchable}
      onKeyDownCapture={openOrChoose}
      clearButtonProps={{
        'aria-hidden': false,
        'aria-label': `Clear “${props['aria-label'] ?? String(label)}”`,
        size: '24px',
        tabIndex: 0,
        onClick: leavesOnChoice ? leave : stay,
        ...clearButtonProps,
      }}
      {...(leavesOnChoice && { onOptionSubmit: leave })}
      {...props}
    />
  )
}

/** Enter opens a closed searchable list, as it opens any other list, chooses the highlighted option of an open list, and sends no form. */
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
  // Mantine loses the highlighted option when the first letter opens the list: it still shows it and would choose nothing.
  event.stopPropagation()
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
  list?.querySelector<HTMLElement>('[data-combobox-selected]')?.click()
}
