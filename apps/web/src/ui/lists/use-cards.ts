import { useRef } from 'react'

/**
 * Keys of a list of cards. A card has the attribute `data-candidate`, and its buttons have `data-decision`. `move` focuses the next or previous card;
 * `press` presses a button of the focused card, or of the first one.
 */
export function useCards<List extends HTMLElement, Decision extends string>() {
  const cards = useRef<List>(null)
  const all = () => [...(cards.current?.querySelectorAll<HTMLElement>('[data-candidate]') ?? [])]
  const focused = () => all().findIndex((card) => card.contains(document.activeElement))
  const move = (by: 1 | -1) => () => {
    const at = focused()
    all()[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all().length - 1)]?.focus()
  }
  const press = (decision: Decision) => () =>
    all()[Math.max(focused(), 0)]?.querySelector<HTMLButtonElement>(`[data-decision="${decision}"]`)?.click()
  return { cards, move, press }
}
