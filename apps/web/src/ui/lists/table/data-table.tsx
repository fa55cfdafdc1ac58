import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ChangeEvent,
  type CSSProperties,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { EditorStep } from '../../fields/inline-editor.tsx'
import { isFocusLost } from '../../focus/lost-focus.ts'
import { useSize } from '../../layout/use-size.ts'
import { withIndex } from '../virtual-range.ts'
import classes from './data-table.module.css'
import { HeaderCell } from './header-cell.tsx'
import { focusActiveRow } from './row-focus.ts'
import { SelectAll } from './select-box.tsx'
import { type ColumnPlace, TableRow } from './table-row.tsx'
import { type CellEditing, rowHeights, wrappedHeights } from './table-types.ts'
import { type ListTableOptions, useListTable } from './use-list-table.ts'
import { useSteadyRows } from './use-steady-rows.ts'
import { type ListKeys, useTableKeys } from './use-table-keys.ts'

/** Height of the header row, in rem. */
const headHeight = 2.25
/** Height in px of a horizontal scrollbar, which must not cover the active row at the bottom. */
const scrollbarRoom = 16
/** Width of the checkbox column, in rem. */
const selectWidth = 3

/** The next page is requested when the last visible row is this many rows before the end. */
const loadAhead = 25

/** Minimum width, in rem, that pinned columns must leave for the others. */
const roomToScroll = 15

/** Below this width, in rem, there is no room for columns: each row becomes a block. */
const narrowBelow = 35

/** One rem in px. It is larger if the user has set a larger font. */
const readRem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

export type DataTableProps<Row extends { id: string }> = ListTableOptions<Row> & {
  label: string
  /** Total number of rows for screen readers, which would otherwise count only the rendered ones; null if unknown. */
  total: number | null
  sort?: string | undefined
  onSort?: ((sort: string) => void) | undefined
  /** Identifies the list. A new key scrolls to the top. */
  listKey: string
  keys: ListKeys<Row>
  /** `activeId` is the row from which the keyboard moves; `openId` is the record open beside the list. */
  activeId: string | null
  openId?: string | null
  onActivate: (id: string) => void
  /** Rows that other people have just changed. */
  changed?: ReadonlySet<string>
  /** Renders the row as one block on a narrow screen. The default renders one line per cell. */
  renderNarrow?: ((row: Row) => ReactNode) | undefined
  /** Cells that can be edited where they stand. */
  cells?: CellEditing<Row> | undefined
  /** True if cells may have several lines: row heights are then measured instead of fixed. */
  isWrapped?: boolean
  /** Content above the rows, which scrolls with them. */
  above?: ReactNode
  /** Replaces the rows if the list is empty or not loaded. */
  instead?: ReactNode
  /** Content below the last row: loading more, or why that failed. */
  foot?: ReactNode
  /** Called with the indexes of the first and the last visible row. */
  onSeen: (first: number, last: number) => void
  onEndReached: () => void
  isBusy: boolean
  initialOffset: number
  onScrolled: (offset: number) => void
}

/**
 * The table of all lists: configurable columns, virtual rows loaded in pages, one active row for the keyboard, and row selection. It renders and
 * reports; its owner loads, sorts and stores.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { columns, rows, preferences, activeId, isWrapped = false, selected, renderNarrow, sort = '', onSort } = props
  const scroller = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const { width, height } = useSize(scroller)
  const { height: topHeight } = useSize(top)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again when the font size changes
  const rem = useMemo(readRem, [width, height])
  const isNarrow = width > 0 && width < narrowBelow * rem
  const isBlock = isNarrow && renderNarrow !== undefined
  const isMeasured = isWrapped || (isNarrow && !isBlock)
  const heights = isMeasured ? wrappedHeights : rowHeights
  const rowHeight = rem * (isNarrow ? heights.narrow : heights[preferences.density])
  const canSelect = selected !== undefined
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const nameId = useId()

  const table = useListTable(props, rem)
  const headers = table.getHeaderGroups()[0]?.headers ?? []

  // Widths and sticky offsets are CSS variables of the container, so that resizing does not render rows again.
  const selectRoom = canSelect ? selectWidth * rem : 0
  const measures: Record<string, string> = {
    '--head-height': `${headHeight}rem`,
    '--row-height': `${rowHeight}px`,
    '--room': width === 0 ? '100%' : `${width}px`,
    '--select-width': `${selectRoom}px`,
    '--table-width': `${table.getTotalSize() + selectRoom}px`,
  }
  for (const header of headers) {
    measures[`--w-${header.column.id}`] = `${header.getSize()}px`
    measures[`--x-${header.column.id}`] = `${header.column.getStart('start') + selectRoom}px`
  }
  // Pinned columns come first. A pinned column that would leave too little room for the others scrolls with them.
  const isStuck = (header: (typeof headers)[number]) =>
    header.column.getIsPinned() === 'start' &&
    (width === 0 || selectRoom + header.column.getStart('start') + header.getSize() + roomToScroll * rem <= width)
  const stuckWidth = headers.filter(isStuck).reduce((sum, header) => sum + header.getSize(), selectRoom)
  measures['--stuck-width'] = `${stuckWidth}px`
  // A growing column with a width set by the user keeps that width.
  const isGrowing = (id: string) => byId.get(id)?.isGrowing === true && preferences.widths[id] === undefined
  const placesText = headers
    .map((header) => `${header.column.id}:${isStuck(header)}:${isGrowing(header.column.id)}`)
    .join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text covers everything that the places depend on
  const places = useMemo(
    () =>
      headers.flatMap((header): ColumnPlace<Row>[] => {
        const known = byId.get(header.column.id)
        return known === undefined
          ? []
          : [{ column: known, isStuck: isStuck(header), isGrowing: isGrowing(header.column.id) }]
      }),
    [placesText, byId],
  )

  const cells = isNarrow ? undefined : props.cells
  const { edited, onEdit, onEdited, editActive } = useEditedCell(rows, places, cells, activeId)
  useTableKeys({ keys: props.keys, rows, table, canSelect, activeId, onActivate: props.onActivate, editActive })

  const activeIndex = rows.findIndex((row) => row.id === activeId)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    initialOffset: props.initialOffset,
    scrollMargin: topHeight,
    overscan: 8,
    // The header covers the top of the scroll area, so the end of a row is lower by its height than the virtualizer assumes.
    scrollPaddingEnd: isNarrow && !canSelect ? 0 : headHeight * rem + scrollbarRoom,
    // The active row is always rendered: it may have the focus, which would be lost otherwise.
    rangeExtractor: (range) => withIndex(range, activeIndex),
    onChange: (instance) => props.onScrolled(instance.scrollOffset ?? 0),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row height moves every row
  useLayoutEffect(() => {
    if (!isMeasured) virtualizer.measure()
  }, [rowHeight, virtualizer])

  const shownKey = useRef(props.listKey)
  useEffect(() => {
    if (shownKey.current === props.listKey) return
    shownKey.current = props.listKey
    virtualizer.scrollToOffset(0)
  }, [props.listKey, virtualizer])

  useSteadyRows(
    { rows, listKey: props.listKey, rowHeight: width > 0 ? rowHeight : null, isMeasured, top: topHeight, activeIndex },
    virtualizer,
  )

  const virtualRows = virtualizer.getVirtualItems()
  const { startIndex: firstSeen, endIndex: lastSeen } = virtualizer.range ?? { startIndex: 0, endIndex: -1 }
  const { onSeen, onEndReached } = props
  useEffect(() => onSeen(firstSeen, lastSeen), [firstSeen, lastSeen, onSeen])
  useEffect(() => {
    if (rows.length > 0 && lastSeen >= rows.length - loadAhead) onEndReached()
  }, [lastSeen, rows.length, onEndReached])

  // Only when the active row itself changes: rows that are added later must not scroll the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (activeIndex < 0) return
    // A press of the pointer focuses a button of the row. If the row moved before the release, the button would get no click.
    if (scroller.current?.querySelector('tr[data-active] :focus:not(:focus-visible)') != null) return
    virtualizer.scrollToIndex(activeIndex, { align: 'auto' })
    // On a small screen the page scrolls too, so scroll the row into view there as well.
    scroller.current?.querySelector('tr[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeId])

  const latest = useRef(table)
  useLayoutEffect(() => {
    latest.current = table
  })
  const select = useCallback(
    (id: string, event: ChangeEvent<HTMLInputElement>) => latest.current.getRow(id).getToggleSelectedHandler()(event),
    [],
  )

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      style={measures as CSSProperties}
      data-table-scroller
      data-narrow={isNarrow || undefined}
      data-block={isBlock || undefined}
      data-measured={isMeasured || undefined}
      data-density={preferences.density}
    >
      <p role="status" className="pp-visually-hidden">
        {announcement}
      </p>
      <div ref={top} className={classes.above}>
        {props.above}
      </div>
      {props.instead !== undefined ? (
        <div className={classes.instead}>{props.instead}</div>
      ) : (
        <table
          aria-label={props.label}
          aria-rowcount={props.total === null ? -1 : props.total + 1}
          aria-colcount={(isBlock ? 1 : places.length) + (canSelect ? 1 : 0)}
          aria-busy={props.isBusy}
          className={classes.table}
        >
          <thead className={classes.head}>
            <tr aria-rowindex={1} className={classes.headRow}>
              {canSelect && (
                <th className={classes.selectCell}>
                  <SelectAll
                    isAll={table.getIsAllRowsSelected()}
                    isSome={table.getIsSomeRowsSelected()}
                    onChange={(isSelected) => table.toggleAllRowsSelected(isSelected)}
                  />
                </th>
              )}
              {isBlock ? (
                <th className="pp-visually-hidden">{props.label}</th>
              ) : isNarrow ? (
                places.map(({ column }) => (
                  <th key={column.id} scope="col" className="pp-visually-hidden">
                    {column.label}
                  </th>
                ))
              ) : (
                headers.map((header) => {
                  const column = byId.get(header.column.id)
                  return column === undefined ? null : (
                    <HeaderCell
                      key={column.id}
                      column={column}
                      isStuck={isStuck(header)}
                      isGrowing={isGrowing(column.id)}
                      isResizing={header.column.getIsResizing()}
                      startResize={header.getResizeHandler()}
                      preferences={preferences}
                      onPreferences={props.onPreferences}
                      sort={sort}
                      onSort={onSort}
                      width={header.getSize()}
                      tell={setAnnouncement}
                    />
                  )
                })
              )}
            </tr>
          </thead>
          <tbody className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
            {virtualRows.map((item) => {
              const row = rows[item.index]
              return row === undefined ? null : (
                <TableRow
                  key={row.id}
                  row={row}
                  index={item.index}
                  start={item.start - topHeight}
                  measure={isMeasured ? virtualizer.measureElement : null}
                  places={places}
                  renderNarrow={isBlock ? renderNarrow : null}
                  isNarrow={isNarrow}
                  nameId={`${nameId}${row.id}`}
                  isActive={row.id === activeId}
                  isOpen={row.id === props.openId}
                  isChanged={props.changed?.has(row.id) === true}
                  isSelected={canSelect ? selected[row.id] === true : null}
                  onSelect={select}
                  onActivate={props.onActivate}
                  cells={cells}
                  editedColumn={edited?.rowId === row.id ? edited.columnId : null}
                  onEdit={onEdit}
                  onEdited={onEdited}
                />
              )
            })}
          </tbody>
        </table>
      )}
      {props.foot}
    </div>
  )
}

type EditedCell = { rowId: string; columnId: string }

/** The cell that is edited. Tab goes to the next cell of the row that can be edited; leaving it gives the focus back to the row. */
function useEditedCell<Row extends { id: string }>(
  rows: readonly Row[],
  places: readonly ColumnPlace<Row>[],
  cells: CellEditing<Row> | undefined,
  activeId: string | null,
) {
  const [edited, setEdited] = useState<EditedCell | null>(null)
  const columns = places.flatMap(({ column }) => (cells?.columns.has(column.id) === true ? [column.id] : []))
  const latest = useRef({ columns, edited })
  useLayoutEffect(() => {
    latest.current = { columns, edited }
  })
  const onEdit = useCallback((rowId: string, columnId: string) => setEdited({ rowId, columnId }), [])
  const onEdited = useCallback((step: EditorStep) => {
    const { columns: ids, edited: now } = latest.current
    const at = now === null ? -1 : ids.indexOf(now.columnId)
    const next = step === 'stay' || at === -1 ? undefined : ids[at + (step === 'next' ? 1 : -1)]
    setEdited(now === null || next === undefined ? null : { ...now, columnId: next })
  }, [])
  const wasEditing = useRef(false)
  useEffect(() => {
    if (edited === null && wasEditing.current && isFocusLost()) focusActiveRow()
    wasEditing.current = edited !== null
  }, [edited])
  const active = rows.find(({ id }) => id === activeId)
  const [first] = columns
  const canEdit = active !== undefined && first !== undefined && cells?.canEdit(active) === true
  const editActive = canEdit ? () => setEdited({ rowId: active.id, columnId: first }) : undefined
  return { edited, onEdit, onEdited, editActive }
}
