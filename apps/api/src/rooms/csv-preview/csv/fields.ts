import { factFields } from '../../businesses/businesses.thread.ts'

/** Fields of a prospect that a column can be mapped to. */
export const csvFields = [...factFields, 'tag'] as const
export type CsvField = (typeof csvFields)[number]

/** Fields with several values. Several columns can be mapped to the same one. */
export const repeatableFields: ReadonlySet<CsvField> = new Set(['email', 'phone', 'domain', 'tag'])

/** The field of each column; null for a column that is shown but not used. */
export type Mapping = readonly (CsvField | null)[]
