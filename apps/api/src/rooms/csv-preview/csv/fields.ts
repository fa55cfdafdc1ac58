import { factFields } from '../../businesses/businesses.thread.ts'

/** The fields of a prospect that a column can be mapped to. */
export const csvFields = [...factFields, 'tag'] as const
export type CsvField = (typeof csvFields)[number]

/** A prospect has several of these, so several columns can be mapped to one. */
export const repeatableFields: ReadonlySet<CsvField> = new Set(['email', 'phone', 'domain', 'tag'])

/** By column; null: shown but not used. */
export type Mapping = readonly (CsvField | null)[]
