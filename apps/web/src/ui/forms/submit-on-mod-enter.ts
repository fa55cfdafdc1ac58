import type { KeyboardEvent } from 'react'

const other = 'button[data-other]'

/**
 * Submits a form on Ctrl+Enter or Cmd+Enter from any field, including fields in which Enter alone has another meaning. With Shift it presses the
 * second submit button, marked `data-other`, if there is one.
 */
export function submitOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (!isModEnter(event)) return
  event.preventDefault()
  event.currentTarget.requestSubmit(event.shiftKey ? event.currentTarget.querySelector<HTMLElement>(other) : null)
}

/** Returns true if the second submit button sent the form. */
export const isOtherButton = (submitter: HTMLElement | null): boolean => submitter?.matches(other) === true

export function isModEnter(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey)
}
