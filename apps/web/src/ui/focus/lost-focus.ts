/** Whether nothing in particular has the focus: what had it is gone, and it fell to the page, or was caught by its main part. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'main'
}

/** An element and all that it stands in, innermost first: told while it is there, it leads back to its place when it is gone. */
export function ancestorsOf(element: Element | null): Element[] {
  const way: Element[] = []
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) way.push(at)
  return way
}

/** What is a place of its own on a page, to go on from. */
const places = 'section, article, aside, form, li, main, [role="dialog"], [role="tabpanel"]'

/** Gives the focus to the nearest place that is still there of where something stood. */
export function focusNearestSection(way: readonly Element[]): void {
  const place = way.find((element) => element.isConnected && element.matches(places))
  if (!(place instanceof HTMLElement)) return
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1
  place.focus({ preventScroll: true })
}
