import type { KeyboardEvent } from 'react'

/** Submits a form on Ctrl+Enter or Cmd+Enter from any field, including fields in which Enter alone has another meaning. */
export function submitOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (!isModEnter(event)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

export function isModEnter(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey)
}
