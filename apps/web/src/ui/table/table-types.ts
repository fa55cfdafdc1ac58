import type { ReactNode } from 'react'
import type { ColumnFacts } from './column-preferences.ts'

export type DataColumn<Row> = ColumnFacts & {
  label: string
  render: (row: Row) => ReactNode
  /** The values of the address for both directions, the one that comes first first. Absent: the server cannot sort by it. */
  sort?: { ascending: string; descending: string; first: 'ascending' | 'descending' }
}

export const rowHeights = { comfortable: 40, compact: 32, narrow: 64 } as const
