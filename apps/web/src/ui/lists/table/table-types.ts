import type { ReactNode } from 'react'
import type { ColumnFacts } from './column-preferences.ts'

export type DataColumn<Row> = ColumnFacts & {
  label: string
  render: (row: Row) => ReactNode
  /** The values of the address for both directions, and the direction of the first click. Absent: the server cannot sort by it. */
  sort?: { ascending: string; descending: string; first: 'ascending' | 'descending' }
  /** Takes the width that the other columns leave, until a person gives it a width. */
  isGrowing?: boolean
  align?: 'end'
  /** In a row of a narrow screen, which has two columns: 'wide' takes both, 'hidden' is left out. */
  narrow?: 'wide' | 'hidden'
}

/** In rem, as all that holds text. */
export const rowHeights = { comfortable: 2.5, compact: 2, narrow: 4 } as const

/** Of rows whose cells may have several lines: estimates until a row is measured. */
export const wrappedHeights = { comfortable: 3.25, compact: 2.75, narrow: 5 } as const
