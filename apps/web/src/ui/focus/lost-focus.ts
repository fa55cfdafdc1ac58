/** True if no control has the focus: its element was removed, so the body or `main` has it. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'main'
}

/** An element and its ancestors, innermost first. They locate its place after the element was removed. */
export function ancestorsOf(element: Element | null): Element[] {
  const ancestors: Element[] = []
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) ancestors.push(at)
  return ancestors
}

/** Selector of sections that can take the focus in place of a removed control. */
const sections = 'section, article, aside, form, li, main, [role="dialog"], [role="tabpanel"]'

/**
 * Focuses the first of `ancestors` (from `ancestorsOf`), or the nearest section around it that is still on the page. Returns false if neither took
 * the focus.
 */
export function focusNearest(ancestors: readonly Element[]): boolean {
  const [element] = ancestors
  const next = element?.isConnected ? element : ancestors.find((one) => one.isConnected && one.matches(sections))
  if (!(next instanceof HTMLElement)) return false
  if (next !== element && !next.hasAttribute('tabindex')) next.tabIndex = -1
  next.focus({ preventScroll: true })
  return document.activeElement === next
}
