import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSize } from '../../layout/use-size.ts'
import { withIndex } from '../virtual-range.ts'
import { type ColumnPreferences, clampWidth, maxWidth, minWidth } from './column-preferences.ts'
import classes from './data-table.module.css'
import { HeaderCell } from './header-cell.tsx'
import { type ColumnPlace, TableRow } from './table-row.tsx'
import { type DataColumn, rowHeights } from './table-types.ts'
import { useSteadyRows } from './use-steady-rows.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnResizingFeature,
})

/** The library keeps the columns alone: rows are drawn as they come, by the page. */
const noRows: never[] = []

/** Puts the focus on the link of the active row, where it is drawn. */
export function focusActiveRow(): void {
  document.querySelector<HTMLElement>('tr[data-active] a[href]')?.focus({ preventScroll: true })
}

/** Of the head row, in rem. */
const headHeight = 2.25
/** Where a bar to scroll sideways lies over the last line, it does not lie over the active row. */
const scrollbarRoom = 16

/** The next page is asked for this many rows before its first is seen. */
const loadAhead = 25

/** How many whole rows of the table are on screen: what a page of keys goes by. */
export function rowsOnScreen(): number {
  const row = document.querySelector<HTMLElement>('tr[aria-rowindex]:not([aria-rowindex="1"])')
  const scroller = row?.closest('table')?.parentElement
  if (row === null || !scroller) return 1
  const head = scroller.querySelector('thead')?.offsetHeight ?? 0
  return Math.max(1, Math.floor((scroller.clientHeight - head) / row.offsetHeight))
}

/** What pinned columns leave of the width for the others, at least, in rem. */
const roomToScroll = 15

/** Under this width, in rem, there is no room for columns: each row becomes two lines. */
const narrowBelow = 35

/** A rem in px: more where the person has set a larger font. */
const readRem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

export type DataTableProps<Row extends { id: string }> = {
  label: string
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  /** null: not known. Told to screen readers, which otherwise would count only what is drawn. */
  total: number | null
  preferences: ColumnPreferences
  onPreferences: (preferences: ColumnPreferences) => void
  sort: string
  onSort: (sort: string) => void
  /** Names what is listed: another one is another list, which begins at its top. */
  listKey: string
  /** The row that the keys move from, and the one whose record stands beside the list. */
  activeId: string | null
  openId: string | null
  onActivate: (id: string) => void
  onOpen: (row: Row) => void
  renderNarrow: (row: Row) => ReactNode
  /** Told the first and the last row on screen. */
  onSeen: (first: number, last: number) => void
  onEndReached: () => void
  /** Under the last row: loading more, or why that failed. */
  foot?: ReactNode
  isBusy: boolean
  initialOffset: number
  onScrolled: (offset: number) => void
}

/**
 * The table of every room: columns as the person wants them, virtual rows fed by pages, one row active for the keys. It
 * draws and reports; what is loaded, sorted and kept is the owner's.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { columns, rows, preferences, activeId } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [told, setTold] = useState('')
  const { width, height } = useSize(scroller)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another font leaves the table another size
  const rem = useMemo(readRem, [width, height])
  const isNarrow = width > 0 && width < narrowBelow * rem
  const rowHeight = rem * (isNarrow ? rowHeights.narrow : rowHeights[preferences.density])
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])

  const table = useTable({
    features,
    data: noRows,
    columns: useMemo(
      () =>
        columns.map((column) => ({
          id: column.id,
          header: column.label,
          size: column.width * rem,
          minSize: minWidth,
          maxSize: maxWidth,
        })),
      [columns, rem],
    ),
    state: {
      columnOrder: preferences.order,
      columnVisibility: Object.fromEntries(preferences.hidden.map((id) => [id, false])),
      columnPinning: { start: preferences.pinned, end: [] },
      columnSizing: preferences.widths,
    },
    columnResizeMode: 'onChange',
    onColumnSizingChange: (change) => {
      const widths = typeof change === 'function' ? change(preferences.widths) : change
      const clamped = Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, clampWidth(width)]))
      props.onPreferences({ ...preferences, widths: clamped })
    },
  })
  const headers = table.getHeaderGroups()[0]?.headers ?? []

  // Widths and sticky offsets are variables of the container, so that resizing redraws no row.
  const measures: Record<string, string> = {
    '--head-height': `${headHeight}rem`,
    '--row-height': `${rowHeight}px`,
    '--table-width': `${table.getTotalSize()}px`,
  }
  for (const header of headers) {
    measures[`--w-${header.column.id}`] = `${header.getSize()}px`
    measures[`--x-${header.column.id}`] = `${header.column.getStart('start')}px`
  }
  // Pinned columns come first; those that would leave no room to scroll the rest in go with the rest.
  const isStuck = (header: (typeof headers)[number]) =>
    header.column.getIsPinned() === 'start' &&
    (width === 0 || header.column.getStart('start') + header.getSize() + roomToScroll * rem <= width)
  const stuckWidth = headers.filter(isStuck).reduce((sum, header) => sum + header.getSize(), 0)
  measures['--stuck-width'] = `${stuckWidth}px`
  const placesText = headers.map((header) => `${header.column.id}:${isStuck(header)}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for all that the places are made of
  const places = useMemo(
    () =>
      headers.flatMap((header): ColumnPlace<Row>[] => {
        const known = byId.get(header.column.id)
        return known === undefined ? [] : [{ column: known, isStuck: isStuck(header) }]
      }),
    [placesText, byId],
  )

  const activeIndex = rows.findIndex((row) => row.id === activeId)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    initialOffset: props.initialOffset,
    overscan: 8,
    // The head stands over the first row in the scrolled part: a row's end lies lower by it than the rows alone would say.
    scrollPaddingEnd: isNarrow ? 0 : headHeight * rem + scrollbarRoom,
    // The active row stays drawn wherever the list is scrolled to: it may have the focus, which would go with it.
    rangeExtractor: (range) => withIndex(range, activeIndex),
    onChange: (instance) => props.onScrolled(instance.scrollOffset ?? 0),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row height moves every row
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, virtualizer])

  const shownKey = useRef(props.listKey)
  useEffect(() => {
    if (shownKey.current === props.listKey) return
    shownKey.current = props.listKey
    virtualizer.scrollToOffset(0)
  }, [props.listKey, virtualizer])

  useSteadyRows({ rows, listKey: props.listKey, rowHeight: width > 0 ? rowHeight : null, activeIndex }, virtualizer)

  const virtualRows = virtualizer.getVirtualItems()
  const { startIndex: firstSeen, endIndex: lastSeen } = virtualizer.range ?? { startIndex: 0, endIndex: -1 }
  const { onSeen, onEndReached } = props
  useEffect(() => onSeen(firstSeen, lastSeen), [firstSeen, lastSeen, onSeen])
  useEffect(() => {
    if (rows.length > 0 && lastSeen >= rows.length - loadAhead) onEndReached()
  }, [lastSeen, rows.length, onEndReached])

  // Only when the active row itself changes: rows that come in later must not pull the list about.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (activeIndex < 0) return
    virtualizer.scrollToIndex(activeIndex, { align: 'auto' })
    // And what the table itself stands in, where there is little room.
    scroller.current?.querySelector('tr[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeId])

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      style={measures as CSSProperties}
      data-narrow={isNarrow || undefined}
      data-density={preferences.density}
    >
      <p role="status" className="pp-visually-hidden">
        {told}
      </p>
      <table
        aria-label={props.label}
        aria-rowcount={props.total === null ? -1 : props.total + 1}
        aria-colcount={isNarrow ? 1 : places.length}
        aria-busy={props.isBusy}
        className={classes.table}
      >
        <thead className={classes.head}>
          <tr aria-rowindex={1} className={classes.headRow}>
            {isNarrow ? (
              <th className="pp-visually-hidden">{props.label}</th>
            ) : (
              headers.map((header) => {
                const column = byId.get(header.column.id)
                return column === undefined ? null : (
                  <HeaderCell
                    key={column.id}
                    column={column}
                    isStuck={isStuck(header)}
                    isResizing={header.column.getIsResizing()}
                    startResize={header.getResizeHandler()}
                    preferences={preferences}
                    onPreferences={props.onPreferences}
                    sort={props.sort}
                    onSort={props.onSort}
                    width={header.getSize()}
                    tell={setTold}
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
                start={item.start}
                places={places}
                renderNarrow={isNarrow ? props.renderNarrow : null}
                isActive={row.id === activeId}
                isOpen={row.id === props.openId}
                onActivate={props.onActivate}
                onOpen={props.onOpen}
              />
            )
          })}
        </tbody>
      </table>
      {props.foot}
    </div>
  )
}
