import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { type ColumnPreferences, clampWidth, maxWidth, minWidth } from './column-preferences.ts'
import type { DataColumn } from './table-types.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnResizingFeature,
  rowSelectionFeature,
})

/** Ids of the selected rows, including rows that are no longer loaded. */
export type SelectedRows = RowSelectionState

export type ListTableOptions<Row extends { id: string }> = {
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  preferences: ColumnPreferences
  onPreferences: (preferences: ColumnPreferences) => void
  /** Undefined if rows cannot be selected. */
  selected?: SelectedRows | undefined
  onSelected?: ((selected: SelectedRows) => void) | undefined
}

/** TanStack table with rows, selection, and visibility, order, size and pinning of columns. `rem` is in px. */
export function useListTable<Row extends { id: string }>(options: ListTableOptions<Row>, rem: number) {
  const { columns, rows, preferences, onPreferences, selected = noneSelected, onSelected } = options
  return useTable({
    features,
    data: rows,
    getRowId: idOf,
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
      ...useMemo(
        () => ({
          columnOrder: preferences.order,
          columnVisibility: Object.fromEntries(preferences.hidden.map((id) => [id, false])),
          columnPinning: { start: preferences.pinned, end: [] },
          columnSizing: preferences.widths,
        }),
        [preferences],
      ),
      rowSelection: selected,
    },
    columnResizeMode: 'onChange',
    onColumnSizingChange: (change) => {
      const widths = typeof change === 'function' ? change(preferences.widths) : change
      const clamped = Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, clampWidth(width)]))
      onPreferences({ ...preferences, widths: clamped })
    },
    onRowSelectionChange: (change) => onSelected?.(typeof change === 'function' ? change(selected) : change),
  })
}

export type ListTable<Row extends { id: string }> = ReturnType<typeof useListTable<Row>>

const noneSelected: SelectedRows = {}

const idOf = ({ id }: { id: string }) => id
