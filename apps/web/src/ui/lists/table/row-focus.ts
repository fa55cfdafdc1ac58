/** First link of a row, which opens it. */
export function rowLink(row: Element | null): HTMLElement | null {
  return row?.querySelector<HTMLElement>('a[href]') ?? null
}

/** Moves the focus to the link of a row, or to its first button if it has no link. */
export function focusRow(row: Element | null): void {
  const target = rowLink(row) ?? row?.querySelector<HTMLElement>('button')
  target?.focus({ preventScroll: true })
}

/** Moves the focus to the active row, if it is rendered. */
export function focusActiveRow(): void {
  focusRow(document.querySelector('tr[data-active]'))
}
