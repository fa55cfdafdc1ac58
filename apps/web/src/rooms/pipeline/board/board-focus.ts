/** Moves the focus between the cards of the board: columns from left to right, cards from top to bottom. */

type Direction = 'up' | 'down' | 'left' | 'right'

const cardSelector = '[data-card]'
const linkOf = (card: Element | null | undefined): HTMLElement | null =>
  card?.querySelector<HTMLElement>('a[href]') ?? null

/**
 * Focuses a card. Returns false if it is not rendered. Then the column is scrolled to its top, because a moved card comes first in its new column.
 */
export function focusCard(board: HTMLElement | null, businessId: string, state: string): boolean {
  const link = linkOf(board?.querySelector(`[data-card="${CSS.escape(businessId)}"]`))
  if (link === null) board?.querySelector(`[data-column="${CSS.escape(state)}"] [data-cards]`)?.scrollTo({ top: 0 })
  link?.focus()
  return link !== null
}

const indexOf = (card: Element): number => Number(card.getAttribute('data-index'))
const topOf = (card: Element): number => card.getBoundingClientRect().top

/** Returns the card that is nearest in height to a position on screen. Columns also contain cards outside the visible area. */
const nearest = (cards: Element[], top: number): Element | undefined =>
  cards.toSorted((a, b) => Math.abs(topOf(a) - top) - Math.abs(topOf(b) - top))[0]

export function focusNeighbour(board: HTMLElement | null, direction: Direction): void {
  if (board === null) return
  const columns = [...board.querySelectorAll('[data-column]')].map((column) => [
    ...column.querySelectorAll(cardSelector),
  ])
  const current = document.activeElement?.closest(cardSelector) ?? null
  const column = columns.findIndex((cards) => current !== null && cards.includes(current))
  if (current === null || column === -1) {
    linkOf(columns.find((cards) => cards.length > 0)?.[0])?.focus()
    return
  }
  if (direction === 'up' || direction === 'down') {
    const wanted = indexOf(current) + (direction === 'down' ? 1 : -1)
    const next = columns[column]?.find((card) => indexOf(card) === wanted)
    // The neighbour is not rendered if the column was scrolled away. Scroll back, so that the next key finds it.
    if (next === undefined) current.scrollIntoView({ block: 'nearest' })
    linkOf(next)?.focus()
    return
  }
  const rest = direction === 'right' ? columns.slice(column + 1) : columns.slice(0, column).reverse()
  const others = rest.find((cards) => cards.length > 0)
  const card = nearest(others ?? [], topOf(current))
  linkOf(card)?.focus()
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Returns the id of the record whose card has the focus. */
export const focusedCard = (): string | null =>
  document.activeElement?.closest(cardSelector)?.getAttribute('data-card') ?? null

/** Opens the move menu of the focused card. */
export function pressMove(): void {
  const card = document.activeElement?.closest(cardSelector)
  // Scroll the card into view first. Mantine hides a menu if its button is cut off at the edge of the board.
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  card?.querySelector<HTMLElement>('[data-move]')?.click()
}
