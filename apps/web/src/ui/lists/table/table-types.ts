import type { ReactNode } from 'react'
import type { ColumnFacts } from './column-preferences.ts'

export type DataColumn<Row> = ColumnFacts & {
  label: string
  render: (row: Row) => ReactNode
  /** The values of the address for both directions, the one that comes first first. Absent: the server cannot sort by it. */
  sort?: { ascending: string; descending: string; first: 'ascending' | 'descending' }
}

/** In rem, as all that holds text. */
export const rowHeights = { comfortable: 2.5, compact: 2, narrow: 4 } as const
