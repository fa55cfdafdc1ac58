import { useMemo, useRef, useState } from 'react'

type Identified = { id: string }

/**
 * Returns the rows in the order of `held`, with their newest values. This keeps rows in place when other people change them while the user is about
 * to click. A row of `held` that no longer matches is kept. New rows are added only below the last row of `held`.
 */
export function inHeldOrder<Row extends Identified>(held: readonly Row[], rows: readonly Row[]): Row[] {
  const now = new Map(rows.map((row) => [row.id, row]))
  const ids = new Set(held.map(({ id }) => id))
  const lastKept = rows.findLastIndex(({ id }) => ids.has(id))
  const below = rows.filter(({ id }, index) => index > lastKept && !ids.has(id))
  return [...held.map((row) => now.get(row.id) ?? row), ...below]
}

/** Keeps the order of rows after a change by other people until the pointer leaves the list or another list is shown. */
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
