import { IconPencil } from '@tabler/icons-react'
import {
  type ChangeEvent,
  type CSSProperties,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { EditorStep } from '../../fields/inline-editor.tsx'
import { isFocusLost } from '../../focus/lost-focus.ts'
import classes from './data-table.module.css'
import { focusRow, rowLink } from './row-focus.ts'
import { SelectRow } from './select-box.tsx'
import type { CellEditing, DataColumn } from './table-types.ts'

export type ColumnPlace<Row> = { column: DataColumn<Row>; isStuck: boolean; isGrowing: boolean }

type TableRowProps<Row extends { id: string }> = {
  row: Row
  index: number
  start: number
  /** Reports the height of the row; null if heights are fixed. */
  measure: ((element: HTMLTableRowElement | null) => void) | null
  places: ColumnPlace<Row>[]
  renderNarrow: ((row: Row) => ReactNode) | null
  isNarrow: boolean
  /** Id of the cell that names the row. */
  nameId: string
  isActive: boolean
  isOpen: boolean
  /** true if another person has just changed the row */
  isChanged: boolean
  /** null if rows cannot be selected. */
  isSelected: boolean | null
  onSelect: (id: string, event: ChangeEvent<HTMLInputElement>) => void
  onActivate: (id: string) => void
  cells: CellEditing<Row> | undefined
  /** The column of the cell that is edited. */
  editedColumn: string | null
  onEdit: (id: string, columnId: string) => void
  onEdited: (step: EditorStep) => void
}

function PlainRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, isActive, renderNarrow, measure, isNarrow, isSelected, nameId, cells } = props
  // The buttons of a row are drawn when it is pointed at or active: some hundred in a list would slow it down.
  const [isPointed, setPointed] = useState(false)
  const canEdit = (isPointed || isActive) && cells?.canEdit(row) === true
  const element = useRef<HTMLTableRowElement>(null)
  useLayoutEffect(() => measure?.(element.current), [measure])

  // When the keyboard makes this row active, focus its link, unless the focus is in this row or outside of the table. In the narrow layout the link
  // is another element, so this runs again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isActive || element.current?.contains(document.activeElement)) return
    if (isFocusLost() || document.activeElement?.closest('table') !== null) focusRow(element.current)
  }, [isActive, isNarrow])

  return (
    <tr
      ref={element}
      data-index={props.index}
      aria-rowindex={props.index + 2}
      aria-current={props.isOpen ? 'true' : undefined}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      data-changed={props.isChanged || undefined}
      className={classes.row}
      style={{ transform: `translateY(${props.start}px)` }}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => props.onActivate(row.id)}
      onClick={(event) => {
        // Links, buttons and checkboxes handle their own clicks, and a text selection is no click.
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
        if (event.target instanceof Element && event.target.closest('a, button, label, fieldset') !== null) return
        if (window.getSelection()?.isCollapsed === false) return
        props.onActivate(row.id)
        rowLink(element.current)?.click()
      }}
    >
      {isSelected !== null && (
        <td className={classes.selectCell}>
          <SelectRow nameId={nameId} isSelected={isSelected} onChange={(event) => props.onSelect(row.id, event)} />
        </td>
      )}
      {renderNarrow === null ? (
        props.places.map(({ column, isStuck, isGrowing }) => {
          // The fixed column is the row header, so that screen readers announce the name in every cell.
          const Cell = column.isFixed === true ? 'th' : 'td'
          return (
            <Cell
              key={column.id}
              id={column.isFixed === true ? nameId : undefined}
              scope={Cell === 'th' ? 'row' : undefined}
              className={classes.cell}
              data-pinned={isStuck || undefined}
              data-grows={isGrowing || undefined}
              data-align={column.align}
              data-narrow={column.narrow}
              style={cellStyle(column.id, isStuck)}
            >
              {cells !== undefined && props.editedColumn === column.id ? (
                <cells.Editor row={row} columnId={column.id} close={props.onEdited} />
              ) : (
                <>
                  {column.render(row)}
                  {column.isFixed === true && props.isChanged && changedWords}
                  {canEdit && cells?.columns.has(column.id) === true && (
                    <button
                      type="button"
                      className={classes.edit}
                      tabIndex={-1}
                      aria-label={`Edit ${column.label.toLowerCase()}`}
                      onClick={() => props.onEdit(row.id, column.id)}
                    >
                      <IconPencil size={14} aria-hidden />
                    </button>
                  )}
                </>
              )}
            </Cell>
          )
        })
      ) : (
        <td id={nameId} className={classes.narrowCell}>
          {renderNarrow(row)}
          {props.isChanged && changedWords}
        </td>
      )}
    </tr>
  )
}

const changedWords = <span className="pp-visually-hidden"> changed just now</span>

export function cellStyle(id: string, isStuck: boolean): CSSProperties {
  const width = { '--w': `var(--w-${id})` }
  return (isStuck ? { ...width, left: `var(--x-${id})` } : width) as CSSProperties
}

/** Memoised: renders only when this row changes, which keeps scrolling and typing fast. */
export const TableRow = memo(PlainRow) as typeof PlainRow
