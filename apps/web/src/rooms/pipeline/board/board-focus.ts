/** Moving the focus over the cards, as they lie on screen: the columns left to right, the cards top to bottom. */

type Direction = 'up' | 'down' | 'left' | 'right'

const cardSelector = '[data-card]'
const linkOf = (card: Element | null | undefined): HTMLElement | null =>
  card?.querySelector<HTMLElement>('a[href]') ?? null

/** False: it is not drawn. A card comes first in the column of the state that it was moved to, which is then shown from its top. */
export function focusCard(board: HTMLElement | null, businessId: string, state: string): boolean {
  const link = linkOf(board?.querySelector(`[data-card="${CSS.escape(businessId)}"]`))
  if (link === null) board?.querySelector(`[data-column="${CSS.escape(state)}"] [data-cards]`)?.scrollTo({ top: 0 })
  link?.focus()
  return link !== null
}

const indexOf = (card: Element): number => Number(card.getAttribute('data-index'))
const topOf = (card: Element): number => card.getBoundingClientRect().top

/** Nearest in height to a place on screen: what is drawn of a column reaches beyond what is seen of it. */
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
    // Where its column was scrolled away from it, the next key finds its neighbours drawn.
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

/** Opens the move menu of the card that has the focus. */
export function pressMove(): void {
  const card = document.activeElement?.closest(cardSelector)
  // A menu whose button is cut off at the edge of the board does not show.
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  card?.querySelector<HTMLElement>('[data-move]')?.click()
}
