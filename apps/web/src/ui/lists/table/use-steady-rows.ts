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
  /** Height of a row in px; an estimate if `isMeasured`; null until the size of the table is known. */
  rowHeight: number | null
  isMeasured: boolean
  /** Height of the content above the rows, in px. */
  top: number
  activeIndex: number
}

/**
 * Keeps the visible rows in place: adjusts the scroll offset when rows above are added or removed. A list at its top stays there and shows new rows.
 * When all rows change their height, for example because a record opens beside the list, the active row stays in place if it is visible, otherwise
 * the first visible row.
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
    // A row at the edge may now be cut off or under the header. The new measurements are available in the next frame.
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
