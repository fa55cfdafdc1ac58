import type { KeyboardEvent } from 'react'
import { isModEnter } from '../forms/submit-on-mod-enter.ts'

/** Handles Enter: opens a closed searchable list, as in any other list; selects the highlighted option of an open list; never submits the form. */
export function openOrChoose(event: KeyboardEvent<HTMLInputElement>): void {
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
