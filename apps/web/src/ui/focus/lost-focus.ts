/** Whether no control has the focus: its element was removed, so the body or the main part of the page has it. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'main'
}

/** An element and its ancestors, innermost first: they lead back to its place after it is removed. */
export function ancestorsOf(element: Element | null): Element[] {
  const way: Element[] = []
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) way.push(at)
  return way
}

/** Sections of a page from which the keyboard can continue. */
const sections = 'section, article, aside, form, li, main, [role="dialog"], [role="tabpanel"]'

/**
 * Focuses an element by its `way` (`ancestorsOf`), or the nearest section around it that is still on the page. False when neither took the
 * focus.
 */
export function focusNearest(way: readonly Element[]): boolean {
  const [element] = way
  const next = element?.isConnected ? element : way.find((one) => one.isConnected && one.matches(sections))
  if (!(next instanceof HTMLElement)) return false
  if (next !== element && !next.hasAttribute('tabindex')) next.tabIndex = -1
  next.focus({ preventScroll: true })
  return document.activeElement === next
}
