/** Moving the focus over the cards, as they lie on screen: the columns left to right, the cards top to bottom. */

const cardSelector = '[data-card]'
const linkOf = (card: Element | null | undefined): HTMLElement | null =>
  card?.querySelector<HTMLElement>('a[href]') ?? null

export function focusCard(board: HTMLElement | null, businessId: string): void {
  linkOf(board?.querySelector(`[data-card="${CSS.escape(businessId)}"]`))?.focus()
}

export function focusNeighbour(board: HTMLElement | null, direction: 'up' | 'down' | 'left' | 'right'): void {
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
  const cards = columns[column] ?? []
  const row = cards.indexOf(current)
  if (direction === 'up' || direction === 'down') {
    linkOf(cards[row + (direction === 'down' ? 1 : -1)])?.focus()
    return
  }
  const rest = direction === 'right' ? columns.slice(column + 1) : columns.slice(0, column).reverse()
  const next = rest.find((others) => others.length > 0)
  linkOf(next?.[Math.min(row, next.length - 1)])?.focus()
}

/** Opens the move menu of the card that has the focus. */
export function pressMove(): void {
  document.activeElement?.closest(cardSelector)?.querySelector<HTMLElement>('[data-move]')?.click()
}
