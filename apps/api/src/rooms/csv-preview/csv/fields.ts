import { factFields } from '../../businesses/businesses.thread.ts'

/** Fields of a prospect that a column can be mapped to. */
export const csvFields = [...factFields, 'tag'] as const
export type CsvField = (typeof csvFields)[number]

/** Fields with several values, so that several columns can be mapped to one of them. */
export const repeatableFields: ReadonlySet<CsvField> = new Set(['email', 'phone', 'domain', 'tag'])

/** Field by column; null for a column that is shown but not used. */
export type Mapping = readonly (CsvField | null)[]
