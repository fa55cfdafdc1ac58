import { useLayoutEffect, useRef } from 'react'
import { rowsMoved } from './rows-moved.ts'

type Scrolled = { scrollOffset: number | null; scrollToOffset: (offset: number) => void; range: Range | null }
type Range = { startIndex: number; endIndex: number }

/**
 * Rows that come or go above what is on screen do not move it: the list is scrolled along with them. At its top it stays there, and shows
 * what came.
 */
export function useSteadyRows(
  rows: readonly { id: string }[],
  listKey: string,
  virtualizer: Scrolled,
  rowHeight: number,
): void {
  const before = useRef({ rows, listKey, seen: virtualizer.range })
  useLayoutEffect(() => {
    const { rows: oldRows, listKey: oldKey, seen } = before.current
    const offset = virtualizer.scrollOffset ?? 0
    before.current = { rows, listKey, seen: virtualizer.range }
    if (oldRows === rows || oldKey !== listKey || seen === null || offset === 0) return
    const moved = rowsMoved(oldRows, rows, seen)
    if (moved !== 0) virtualizer.scrollToOffset(offset + moved * rowHeight)
  })
}
