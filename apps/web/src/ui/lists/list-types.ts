import type { ReactNode } from 'react'

/** What a row is called, in one and in many. */
export type Nouns = { one: string; many: string }

export type ListSelection = {
  /** Selected rows that are loaded; all that are selected where `allBut` is null. */
  ids: string[]
  /** All rows that match are selected, but for these; null: the rows of `ids`. */
  allBut: readonly string[] | null
  /** Number of selected rows; null where the number of matching rows is not known exactly. */
  count: number | null
  /** Number of rows that match; null: not known exactly. */
  matching: number | null
  /** Every loaded row is selected. */
  isAllLoaded: boolean
  /** Every loaded row is selected, and more rows match. */
  hasMore: boolean
  /** Selects all rows that match, also those that are not loaded. */
  selectMatching: () => void
  clear: () => void
}

export type BulkActions = {
  /** Buttons of the selection bar. */
  actions: (selection: ListSelection) => ReactNode
  /** Offers to select all rows that match, where all loaded ones are selected and more match. */
  matching?: (selection: ListSelection) => ReactNode
}
