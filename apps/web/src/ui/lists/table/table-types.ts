import type { ComponentType, ReactNode } from 'react'
import type { EditorStep } from '../../fields/inline-editor.tsx'
import type { ColumnFacts } from './column-preferences.ts'

export type DataColumn<Row> = ColumnFacts & {
  label: string
  render: (row: Row) => ReactNode
  /** Sort values for both directions, and the direction of the first click. Undefined if the server cannot sort by the column. */
  sort?: { ascending: string; descending: string; first: 'ascending' | 'descending' }
  /** True if the column takes the remaining width, until the user sets a width. */
  isGrowing?: boolean
  align?: 'end'
  /** Layout on a narrow screen, which has two columns: 'wide' spans both, 'hidden' is omitted. */
  narrow?: 'wide' | 'hidden'
}

export type CellEditorProps<Row> = { row: Row; columnId: string; close: (step: EditorStep) => void }

/** Editing of cells where they stand. */
export type CellEditing<Row> = {
  /** Ids of the columns that can be edited. */
  columns: ReadonlySet<string>
  canEdit: (row: Row) => boolean
  Editor: ComponentType<CellEditorProps<Row>>
}

/** In rem, so that they scale with the font. */
export const rowHeights = { comfortable: 2.5, compact: 2, narrow: 4 } as const

/** Estimated heights, in rem, of rows with several lines until they are measured. */
export const wrappedHeights = { comfortable: 3.25, compact: 2.75, narrow: 5 } as const
