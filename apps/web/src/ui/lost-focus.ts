/** Whether nothing in particular has the focus: what had it is gone, and it fell to the page, or was caught by its main part. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'main'
}
