import { factFields } from '../../businesses/businesses.thread.ts'

/** The fields of a prospect that a column can be read as. */
export const csvFields = [...factFields, 'tag'] as const
export type CsvField = (typeof csvFields)[number]

/** A prospect has several of these, so several columns may be read as one. */
export const repeatableFields: ReadonlySet<CsvField> = new Set(['email', 'phone', 'domain', 'tag'])

/** Column by column; null: shown, and read as nothing. */
export type Mapping = readonly (CsvField | null)[]
