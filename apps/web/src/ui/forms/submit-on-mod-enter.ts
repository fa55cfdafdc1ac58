import type { KeyboardEvent } from 'react'

/** Ctrl-Enter or Cmd-Enter sends a form from any field, also from one where Enter alone means something else. */
export function submitOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (!isModEnter(event)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

export function isModEnter(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey)
}
