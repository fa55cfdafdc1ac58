/** Fields of one line whose text is stored as it stands. A password is the person's own affair, whatever is in it. */
const oneLineTypes: readonly string[] = ['text', 'search', 'email', 'tel', 'url']

/** A cell copied from a table ends in a tab, a copied line in its end: what cannot be stored on one line becomes a space. */
export const onOneLine = (pasted: string): string =>
  pasted.replace(/^ *[\t\r\n]\s*|[\t\r\n]\s*$/g, '').replace(/\s*[\t\r\n]\s*/g, ' ')

/** For the whole page: what a field has dealt with itself is left as it did. */
export function pasteOnOneLine(event: ClipboardEvent): void {
  const { target, clipboardData, defaultPrevented } = event
  if (defaultPrevented || !(target instanceof HTMLInputElement) || !oneLineTypes.includes(target.type)) return
  const pasted = clipboardData?.getData('text/plain') ?? ''
  if (!/[\t\r\n]/.test(pasted)) return
  event.preventDefault()
  // Deprecated, and the one way that keeps what was pasted undoable and within the length of the field, and that a form hears of.
  document.execCommand('insertText', false, onOneLine(pasted))
}
