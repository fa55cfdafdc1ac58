import { useLayoutEffect, useRef } from 'react'
import { rowsMoved } from './rows-moved.ts'

type Scrolled = {
  scrollOffset: number | null
  scrollToOffset: (offset: number) => void
  scrollToIndex: (index: number, options: { align: 'auto' }) => void
  range: Range | null
  measurementsCache: readonly { start: number }[]
}
type Range = { startIndex: number; endIndex: number }

type Lines = {
  rows: readonly { id: string }[]
  listKey: string
  /** Of a row, in px; an estimate if `isMeasured`. null until the room for the table is known. */
  rowHeight: number | null
  isMeasured: boolean
  /** Height of what scrolls above the rows, in px. */
  top: number
  activeIndex: number
}

/**
 * Keeps the visible rows in place: compensates the scroll offset when rows above are added or removed. At its top the list stays there, and
 * shows new rows. When all rows change their height, as beside a record that was opened, the active row stays in place, or else the first
 * visible one.
 */
export function useSteadyRows(lines: Lines, virtualizer: Scrolled): void {
  const before = useRef({ ...lines, ...visibleRows(virtualizer) })
  useLayoutEffect(() => {
    const { seen, starts, ...old } = before.current
    const { rows, listKey, rowHeight, isMeasured, top, activeIndex } = lines
    const offset = virtualizer.scrollOffset ?? 0
    before.current = { ...lines, ...visibleRows(virtualizer) }
    if (old.listKey !== listKey || seen === null || rowHeight === null || old.rowHeight === null) return
    const isAtTop = seen.startIndex === 0 && offset <= top
    const moved = old.rows === rows || isAtTop ? 0 : rowsMoved(old.rows, rows, seen)
    if (isMeasured) {
      const stayed = starts.findIndex((_, at) => {
        const index = seen.startIndex + at
        return old.rows[index]?.id === rows[index + moved]?.id
      })
      const was = starts[stayed]
      const is = virtualizer.measurementsCache[seen.startIndex + stayed + moved]?.start
      if (moved !== 0 && was !== undefined && is !== undefined) virtualizer.scrollToOffset(offset + is - was)
      return
    }
    const grown = rowHeight - old.rowHeight
    if (grown === 0) {
      if (moved !== 0) virtualizer.scrollToOffset(offset + moved * rowHeight)
      return
    }
    const isActiveSeen = old.activeIndex >= seen.startIndex && old.activeIndex <= seen.endIndex
    const kept = isActiveSeen ? old.activeIndex : seen.startIndex
    virtualizer.scrollToOffset(Math.max(0, offset + kept * grown + moved * rowHeight))
    // At the edge a higher row, or the head over it, cuts it off. The position of the list is known from the next frame on.
    if (isActiveSeen && activeIndex >= 0)
      requestAnimationFrame(() => virtualizer.scrollToIndex(activeIndex, { align: 'auto' }))
  })
}

function visibleRows({ range, measurementsCache }: Scrolled): { seen: Range | null; starts: number[] } {
  if (range === null) return { seen: null, starts: [] }
  const starts: number[] = []
  for (let index = range.startIndex; index <= range.endIndex; index++) starts.push(measurementsCache[index]?.start ?? 0)
  return { seen: range, starts }
}
