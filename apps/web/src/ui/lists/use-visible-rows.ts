import { type RefObject, useEffect } from 'react'

export type OnVisibleRows = (firstRow: number, lastRow: number) => void

/** Tells which rows of a table that is drawn whole are on screen, whatever scrolls it: at once, and whenever that changes. */
export function useVisibleRows(table: RefObject<HTMLTableElement | null>, see: OnVisibleRows): void {
  useEffect(() => {
    const look = () => {
      const rows = table.current?.tBodies[0]?.rows
      if (rows === undefined || rows.length === 0) return
      const last = countUntil(rows, ({ top }) => top >= window.innerHeight) - 1
      see(
        Math.min(
          countUntil(rows, ({ bottom }) => bottom > 0),
          rows.length - 1,
        ),
        Math.max(0, last),
      )
    }
    look()
    // Scrolling is told to what scrolls alone: caught on its way there.
    document.addEventListener('scroll', look, { capture: true, passive: true })
    window.addEventListener('resize', look)
    return () => {
      document.removeEventListener('scroll', look, { capture: true })
      window.removeEventListener('resize', look)
    }
  }, [table, see])
}

/** How many rows there are above the first for which it holds; for all below that one it must hold too. */
function countUntil(rows: HTMLCollectionOf<HTMLTableRowElement>, holds: (place: DOMRect) => boolean): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const row = rows[middle]
    if (row === undefined || holds(row.getBoundingClientRect())) to = middle
    else from = middle + 1
  }
  return from
}
