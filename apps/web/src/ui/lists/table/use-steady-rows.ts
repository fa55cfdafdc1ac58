import { useLayoutEffect, useRef } from 'react'
import { rowsMoved } from './rows-moved.ts'

type Scrolled = {
  scrollOffset: number | null
  scrollToOffset: (offset: number) => void
  scrollToIndex: (index: number, options: { align: 'auto' }) => void
  range: Range | null
}
type Range = { startIndex: number; endIndex: number }

type Lines = {
  rows: readonly { id: string }[]
  listKey: string
  /** Of a row, in px; null until the room for the table is known. */
  rowHeight: number | null
  activeIndex: number
}

/**
 * What is on screen stays there. With rows that come or go above it the list is scrolled along; at its top it stays there, and shows what
 * came. Where rows become higher or lower, as beside a record that was opened, it is the active row that stays in its place, or else the
 * first that was seen.
 */
export function useSteadyRows(lines: Lines, virtualizer: Scrolled): void {
  const before = useRef({ ...lines, seen: virtualizer.range })
  useLayoutEffect(() => {
    const { seen, ...old } = before.current
    const { rows, listKey, rowHeight, activeIndex } = lines
    const offset = virtualizer.scrollOffset ?? 0
    before.current = { ...lines, seen: virtualizer.range }
    if (old.listKey !== listKey || seen === null || rowHeight === null || old.rowHeight === null) return
    const moved = old.rows === rows || offset === 0 ? 0 : rowsMoved(old.rows, rows, seen)
    const grown = rowHeight - old.rowHeight
    if (grown === 0) {
      if (moved !== 0) virtualizer.scrollToOffset(offset + moved * rowHeight)
      return
    }
    const isActiveSeen = old.activeIndex >= seen.startIndex && old.activeIndex <= seen.endIndex
    const kept = isActiveSeen ? old.activeIndex : seen.startIndex
    virtualizer.scrollToOffset(Math.max(0, offset + kept * grown + moved * rowHeight))
    // At the edge a higher row, or the head over it, cuts it off. Where the list stands by then it knows from the next frame on.
    if (isActiveSeen && activeIndex >= 0)
      requestAnimationFrame(() => virtualizer.scrollToIndex(activeIndex, { align: 'auto' }))
  })
}
