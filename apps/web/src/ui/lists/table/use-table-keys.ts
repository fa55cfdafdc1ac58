import { useEffect, useRef } from 'react'
import { type Action, useActions } from '../../actions/actions.ts'
import { useNextRow } from '../next-row.ts'
import { rowLink } from './row-focus.ts'
import { keptPlace, type Place, stepFrom } from './step-from.ts'
import type { ListTable, SelectedRows } from './use-list-table.ts'

/** An action on the active row. */
export type RowAction<Row> = Omit<Action, 'run' | 'to'> & { run: (row: Row) => void }

export type ListKeys<Row> = {
  /** Singular noun of a row: "Next job". */
  noun: string
  /** Heading in the list of shortcuts. */
  group: string
  /** True if a record is open beside the list: Page Up, Page Down, Home and End then scroll the record. */
  isBeside?: boolean
  /** True if all rows of the list are loaded. */
  isComplete?: boolean
  /** Called for each row that the keyboard moves to. */
  onStep?: ((row: Row) => void) | undefined
  rowActions?: readonly RowAction<Row>[] | undefined
}

type Options<Row extends { id: string }> = {
  keys: ListKeys<Row>
  rows: readonly Row[]
  table: ListTable<Row>
  canSelect: boolean
  activeId: string | null
  onActivate: (id: string) => void
  /** Edits the first cell of the active row; absent: there is none. */
  editActive?: (() => void) | undefined
}

/** State while Shift is held with movement keys: the rows between `anchorId` and the active row are added to `base`. */
type Range = { anchorId: string; lastId: string; base: SelectedRows }

/** Keyboard control of a table: moves through the rows, opens and selects them. */
export function useTableKeys<Row extends { id: string }>(options: Options<Row>): void {
  const { keys, rows, table, canSelect, activeId, onActivate } = options
  const { noun, group, isBeside = false, isComplete = false } = keys
  const place = useRef<Place | null>(null)
  useEffect(() => {
    place.current = keptPlace(rows, activeId, place.current)
  }, [rows, activeId])

  const step = (by: number): Row | undefined => {
    const next = stepFrom(rows, place.current, by)
    if (next === undefined) return undefined
    onActivate(next.id)
    keys.onStep?.(next)
    return next
  }
  useNextRow(
    isBeside && keys.onStep !== undefined
      ? () => {
          const end = isComplete ? 'ended' : 'unknown'
          // Without a row after it, the stored position is older than the change that removed or moved the row.
          if (place.current?.after === undefined) return end
          const next = step(1)
          return next !== undefined && next.id !== activeId ? 'opened' : end
        }
      : null,
  )
  const open = (): void => rowLink(document.querySelector('tr[data-active]'))?.click()

  const range = useRef<Range | null>(null)
  const extend = (by: number): void => {
    if (activeId === null) return
    const selected = table.state.rowSelection
    const before = range.current?.lastId === activeId ? range.current : { anchorId: activeId, base: selected }
    const next = step(by)
    if (next === undefined) return
    range.current = { ...before, lastId: next.id }
    const indexOf = (id: string) => rows.findIndex((row) => row.id === id)
    const [from = 0, to = 0] = [indexOf(before.anchorId), indexOf(next.id)].sort((a, b) => a - b)
    const between = rows.slice(Math.max(0, from), to + 1)
    table.setRowSelection({ ...before.base, ...Object.fromEntries(between.map(({ id }) => [id, true as const])) })
  }
  const activeRow = rows.find(({ id }) => id === activeId)
  const toggle = (shiftKey: boolean): void => {
    if (activeRow === undefined) return
    range.current = null
    const tableRow = table.getRow(activeRow.id)
    tableRow.getToggleSelectedHandler()({ target: { checked: !tableRow.getIsSelected() }, shiftKey })
  }

  const key = (name: string, label: string, run: () => void): Action => ({
    id: `list-${name}`,
    label,
    group,
    keys: name,
    inPalette: false,
    run,
  })
  const moves = [
    key('j', `Next ${noun}`, () => step(1)),
    key('k', `Previous ${noun}`, () => step(-1)),
    key('ArrowDown', `Next ${noun}`, () => step(1)),
    key('ArrowUp', `Previous ${noun}`, () => step(-1)),
    key('Enter', `Open ${noun}`, open),
  ]
  const leaps = [
    key('PageDown', 'Page down', () => step(rowsOnScreen())),
    key('PageUp', 'Page up', () => step(-rowsOnScreen())),
    key('Home', `First ${noun}`, () => step(Number.NEGATIVE_INFINITY)),
    key('End', `Last loaded ${noun}`, () => step(Number.POSITIVE_INFINITY)),
  ]
  const selects = [
    key('x', `Select ${noun}`, () => toggle(false)),
    key('shift+x', `Select up to this ${noun}`, () => toggle(true)),
    key('shift+j', 'Extend the selection down', () => extend(1)),
    key('shift+k', 'Extend the selection up', () => extend(-1)),
    key('shift+ArrowDown', 'Extend the selection down', () => extend(1)),
    key('shift+ArrowUp', 'Extend the selection up', () => extend(-1)),
  ]
  const clear: Action = {
    ...key('Escape', 'Clear selection', () => table.resetRowSelection(true)),
    unavailable: Object.keys(table.state.rowSelection).length === 0,
  }
  const edit: Action = {
    ...key('F2', `Edit the cells of this ${noun}`, () => options.editActive?.()),
    unavailable: options.editActive === undefined,
  }
  const onRow = (keys.rowActions ?? []).map(
    (action): Action => ({
      ...action,
      run: () => {
        if (activeRow !== undefined) action.run(activeRow)
      },
    }),
  )
  useActions('screen', [
    ...moves,
    edit,
    ...onRow,
    ...(isBeside ? [] : leaps),
    ...(canSelect ? [...selects, clear] : []),
  ])
}

/** Number of whole rows on screen, by which Page Down moves. */
function rowsOnScreen(): number {
  const row = document.querySelector<HTMLElement>('tr[aria-rowindex]:not([aria-rowindex="1"])')
  const scroller = row?.closest<HTMLElement>('[data-table-scroller]')
  if (row === null || !scroller) return 1
  const head = scroller.querySelector('thead')?.offsetHeight ?? 0
  return Math.max(1, Math.floor((scroller.clientHeight - head) / row.offsetHeight))
}
