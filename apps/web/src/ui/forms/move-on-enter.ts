import type { KeyboardEvent } from 'react'

/** Selector of the fields in Tab order and the submit button. Buttons between fields are excluded. */
const stops = 'input:not([type="hidden"], [tabindex="-1"]), textarea, button[type="submit"]'

/**
 * Enter in a one-line field moves the focus to the next field, and from the last one to the submit button, so that a half-filled form is not
 * submitted. Events that the field has already handled, for its list, are skipped.
 */
export function moveOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget, nativeEvent } = event
  // Enter that confirms an input method's composition. Safari reports it only as key code 229.
  const isComposing = nativeEvent.isComposing || event.keyCode === 229
  if (event.key !== 'Enter' || event.defaultPrevented || isComposing || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const places = [...currentTarget.querySelectorAll<HTMLElement>(stops)]
  const next = places[places.indexOf(target) + 1]
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
}
