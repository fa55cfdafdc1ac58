import { useMemo, useRef, useState } from 'react'

type Identified = { id: string }

/**
 * Rows in the order that they had when others changed some of them under the pointer, with their newest values: nothing moves away from a person who
 * is about to click. A row that no longer matches stays until then. Rows further down are added. `held` are the ids in that order.
 */
export function inHeldOrder<Row extends Identified>(held: readonly Row[], rows: readonly Row[]): Row[] {
  const now = new Map(rows.map((row) => [row.id, row]))
  const ids = new Set(held.map(({ id }) => id))
  const lastKept = rows.findLastIndex(({ id }) => ids.has(id))
  const below = rows.filter(({ id }, index) => index > lastKept && !ids.has(id))
  return [...held.map((row) => now.get(row.id) ?? row), ...below]
}

/** Holds the order of rows from a change by others until the pointer leaves the list, or the list becomes another. */
export function useHeldOrder<Row extends Identified>(
  rows: Row[],
  { listKey, changed }: { listKey: string; changed: ReadonlySet<string> },
) {
  const isOver = useRef(false)
  const [held, setHeld] = useState<{ rows: readonly Row[]; listKey: string } | null>(null)
  const [known, setKnown] = useState({ rows, changed })
  if (known.rows !== rows || known.changed !== changed) {
    const isChangedByOthers = changed !== known.changed && changed.size > 0
    if (held === null && isChangedByOthers && isOver.current) setHeld({ rows: known.rows, listKey })
    setKnown({ rows, changed })
  }
  const shown = useMemo(
    () => (held === null || held.listKey !== listKey ? rows : inHeldOrder(held.rows, rows)),
    [held, listKey, rows],
  )
  return {
    rows: shown,
    pointer: {
      onPointerMove: ({ pointerType }: { pointerType: string }) => {
        isOver.current = pointerType === 'mouse'
      },
      onPointerLeave: () => {
        isOver.current = false
        setHeld(null)
      },
    },
  }
}
