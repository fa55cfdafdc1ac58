/** Types of one-line inputs whose text is stored as typed. Passwords are excluded, as they may contain any character. */
const oneLineTypes: readonly string[] = ['text', 'search', 'email', 'tel', 'url']

/**
 * Removes a tab or line break at either end, as in cells copied from a table, and replaces others by a space, because one-line fields cannot store
 * them.
 */
export const onOneLine = (pasted: string): string =>
  pasted.replace(/^ *[\t\r\n]\s*|[\t\r\n]\s*$/g, '').replace(/\s*[\t\r\n]\s*/g, ' ')

/** Handler for the whole page. Events that a field has already handled are skipped. */
export function pasteOnOneLine(event: ClipboardEvent): void {
  const { target, clipboardData, defaultPrevented } = event
  if (defaultPrevented || !(target instanceof HTMLInputElement) || !oneLineTypes.includes(target.type)) return
  const pasted = clipboardData?.getData('text/plain') ?? ''
  if (!/[\t\r\n]/.test(pasted)) return
  event.preventDefault()
  // Deprecated, but the only way that keeps Undo and the field's maximum length and fires an input event for the form.
  document.execCommand('insertText', false, onOneLine(pasted))
}
