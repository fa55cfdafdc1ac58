import { type CSSProperties, memo, type ReactNode, useEffect, useRef } from 'react'
import { isFocusLost } from '../../focus/lost-focus.ts'
import classes from './data-table.module.css'
import type { DataColumn } from './table-types.ts'

export type ColumnPlace<Row> = { column: DataColumn<Row>; isStuck: boolean }

type TableRowProps<Row extends { id: string }> = {
  row: Row
  index: number
  start: number
  places: ColumnPlace<Row>[]
  renderNarrow: ((row: Row) => ReactNode) | null
  isActive: boolean
  isOpen: boolean
  onActivate: (id: string) => void
  onOpen: (row: Row) => void
}

function PlainRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, isActive, renderNarrow } = props
  const element = useRef<HTMLTableRowElement>(null)

  const isNarrow = renderNarrow !== null
  // The keys move the active row; its link takes the focus along, unless the person is somewhere else on the page. A row that is drawn in
  // another way has another link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isActive) return
    if (isFocusLost() || document.activeElement?.closest('table') !== null)
      element.current?.querySelector<HTMLElement>('a[href]')?.focus({ preventScroll: true })
  }, [isActive, isNarrow])

  return (
    <tr
      ref={element}
      aria-rowindex={props.index + 2}
      aria-current={props.isOpen ? 'true' : undefined}
      data-active={isActive || undefined}
      className={classes.row}
      style={{ transform: `translateY(${props.start}px)` }}
      onFocus={() => props.onActivate(row.id)}
      onClick={(event) => {
        // The link, and any button in the row, answers for itself; so does a selection of text.
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
        if (event.target instanceof Element && event.target.closest('a, button') !== null) return
        if (window.getSelection()?.isCollapsed === false) return
        props.onActivate(row.id)
        props.onOpen(row)
      }}
    >
      {renderNarrow === null ? (
        props.places.map(({ column, isStuck }) => {
          // The column that cannot be hidden names the row, wherever in it a screen reader is.
          const Cell = column.isFixed === true ? 'th' : 'td'
          return (
            <Cell
              key={column.id}
              scope={Cell === 'th' ? 'row' : undefined}
              className={classes.cell}
              data-pinned={isStuck || undefined}
              style={cellStyle(column.id, isStuck)}
            >
              {column.render(row)}
            </Cell>
          )
        })
      ) : (
        <td className={classes.narrowCell}>{renderNarrow(row)}</td>
      )}
    </tr>
  )
}

export function cellStyle(id: string, isStuck: boolean): CSSProperties {
  const width = { width: `var(--w-${id})` }
  return isStuck ? { ...width, left: `var(--x-${id})` } : width
}

/** Drawn again only when something of this row changes, which keeps scrolling and typing quick. */
export const TableRow = memo(PlainRow) as typeof PlainRow
