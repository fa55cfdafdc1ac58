import { isOnOneLine, onOneLine } from '../ui/text/on-one-line.ts'

/** Types of one-line inputs whose text is stored as typed. Passwords are excluded, as they may contain any character. */
const oneLineTypes: readonly string[] = ['text', 'search', 'email', 'tel', 'url']

/** Handler for the whole page. Events that a field has already handled are skipped. */
export function pasteOnOneLine(event: ClipboardEvent): void {
  const { target, clipboardData, defaultPrevented } = event
  if (defaultPrevented || !(target instanceof HTMLInputElement) || !oneLineTypes.includes(target.type)) return
  const pasted = clipboardData?.getData('text/plain') ?? ''
  if (isOnOneLine(pasted)) return
  event.preventDefault()
  // Deprecated, but the only way that keeps Undo and the field's maximum length and fires an input event for the form.
  document.execCommand('insertText', false, onOneLine(pasted))
}
