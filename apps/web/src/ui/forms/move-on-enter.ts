import type { KeyboardEvent } from 'react'

/** Fields in Tab order and the button that sends the form, without the buttons between fields. */
const stops = 'input:not([type="hidden"], [tabindex="-1"]), textarea, button[type="submit"]'

/**
 * Enter in a one-line field moves to the next field of the form, and from the last one to the button that sends it. Prevents the implicit
 * submission of a half-filled form. Skips events whose default is already prevented: the field used Enter itself, for its list.
 */
export function moveOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget, nativeEvent } = event
  // The Enter that ends a composition. Safari reports it only as key code 229.
  const isComposing = nativeEvent.isComposing || event.keyCode === 229
  if (event.key !== 'Enter' || event.defaultPrevented || isComposing || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const places = [...currentTarget.querySelectorAll<HTMLElement>(stops)]
  const next = places[places.indexOf(target) + 1]
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
}
