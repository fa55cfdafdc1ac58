import { contactFacts, type FactField, factFields } from '../../businesses/businesses.pure.ts'

/**
 * Fields that a column can be mapped to. `contactPerson` becomes the label of the contact values of its row, and with `role` a person at the prospect,
 * `note` a note, and `doNotContact` a block of the prospect.
 */
export const csvFields = [...factFields, 'tag', 'contactPerson', 'role', 'note', 'doNotContact'] as const
export type CsvField = (typeof csvFields)[number]

export const isFact = (field: CsvField): field is FactField => factFields.some((one) => one === field)

/** Fields with several values. Several columns can be mapped to the same one. */
export const repeatableFields: ReadonlySet<CsvField> = new Set([
  ...contactFacts,
  'tag',
  'contactPerson',
  'note',
  'doNotContact',
])

/** The field of each column; null for a column that is shown but not used. */
export type Mapping = readonly (CsvField | null)[]
