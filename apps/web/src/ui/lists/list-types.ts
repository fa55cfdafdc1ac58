import type { ReactNode } from 'react'

export type ListSelection = {
  /** Ids of the selected rows that are loaded. If `allBut` is null, these are all selected rows. */
  ids: string[]
  /** If not null, all matching rows are selected except these. */
  allBut: readonly string[] | null
  /** Number of selected rows; null if the number of matching rows is not known exactly. */
  count: number | null
  /** Number of matching rows; null if not known exactly. */
  matching: number | null
  /** True if every loaded row is selected. */
  isAllLoaded: boolean
  /** True if every loaded row is selected and more rows match. */
  hasMore: boolean
  /** Selects all matching rows, including those that are not loaded. */
  selectMatching: () => void
  clear: () => void
}

export type BulkActions = {
  /** Returns the buttons of the selection bar. */
  actions: (selection: ListSelection) => ReactNode
  /** Offers to select all matching rows, when all loaded rows are selected and more match. */
  matching?: (selection: ListSelection) => ReactNode
}
