import type { RefObject } from 'react'
import { useActions } from './actions.ts'

/** Adds `j` and `k` to a table: next and previous row. The first link of the row gets the focus, so Enter opens the record. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>, noun: string, group: string): void {
  const move = (by: 1 | -1) => () => {
    const rows = [...(table.current?.tBodies[0]?.rows ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.querySelector('a')?.focus()
  }
  useActions('screen', [
    { id: 'rows-next', label: `Next ${noun}`, group, keys: 'j', inPalette: false, run: move(1) },
    { id: 'rows-previous', label: `Previous ${noun}`, group, keys: 'k', inPalette: false, run: move(-1) },
  ])
}
