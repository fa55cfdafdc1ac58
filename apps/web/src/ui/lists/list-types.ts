import type { ReactNode } from 'react'

/** What a row is called, in one and in many. */
export type Nouns = { one: string; many: string }

export type ListSelection = {
  ids: string[]
  /** Every loaded row is selected. */
  isAllLoaded: boolean
  /** Every loaded row is selected, and more rows match. */
  hasMore: boolean
  clear: () => void
}

export type BulkActions = {
  /** Buttons of the selection bar. */
  actions: (selection: ListSelection) => ReactNode
  /** Offers to select all rows that match, where all loaded ones are selected and more match. */
  matching?: (selection: ListSelection) => ReactNode
}
