import { z } from 'zod'
import { personRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { line, recordId } from '../../../http/text.ts'
import {
  conditionsInput,
  conditionsSchema,
  removedFilterValueSchema,
  sorts,
} from '../../prospect-list/prospect-list.ts'
import { desks, problemReasons, sharings } from './filters.table.ts'

/** Limits of saved filters; `docs/limits.md` lists them. */
export const limits = {
  nameLength: 100,
  ofPerson: 100,
  sharedOfTenant: 200,
  columns: 40,
  columnLength: 40,
} as const

const name = line(limits.nameLength)
const sort = z.enum(sorts).nullable()
const view = z.enum(['table', 'board']).nullable()
const columns = z
  .array(
    z
      .string()
      .regex(/^[A-Za-z]\w*$/)
      .max(limits.columnLength),
  )
  .max(limits.columns)
  .nullable()

export const createFilterSchema = z.strictObject({
  desk: z.enum(desks),
  name,
  filter: conditionsInput,
  sort: sort.default(null),
  view: view.default(null),
  columns: columns.default(null),
  sharing: z.enum(sharings).default('private'),
})
export type CreateFilter = z.output<typeof createFilterSchema>

export const editFilterSchema = z.strictObject({
  name: name.optional(),
  filter: conditionsInput.optional(),
  sort: sort.optional(),
  view: view.optional(),
  columns: columns.optional(),
  sharing: z.enum(sharings).optional(),
  takeOver: z.literal(true).optional().describe('Become the owner of the shared filter of a person who left'),
})
export type EditFilter = z.output<typeof editFilterSchema>

export const savedFilterSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
    desk: z.enum(desks),
    name: freeText(),
    filter: conditionsSchema.describe('The conditions that can be read'),
    sort,
    view,
    columns,
    schemaVersion: z.int(),
    owner: personRefSchema,
    ownerLeft: z.boolean(),
    sharing: z.enum(sharings),
    isLocked: z.boolean(),
    mayChange: z.boolean().describe('Whether the reader may change or delete it'),
    problems: z
      .array(z.object({ field: z.string(), problem: z.enum(problemReasons) }))
      .describe('Conditions that cannot be used. The filter is not applied until it is repaired'),
    removed: z.array(removedFilterValueSchema).describe('Values that no longer exist in the workspace'),
  })
  .meta({ id: 'SavedFilter' })
export type SavedFilter = z.infer<typeof savedFilterSchema>

export const savedFilterPageSchema = pageOf(savedFilterSchema).meta({ id: 'SavedFilterPage' })
export const listFiltersQuery = z.strictObject({ desk: z.enum(desks).optional(), ...pageQuery })
export type ListFilters = z.output<typeof listFiltersQuery>

const oneDesk = z.object({ prospects: z.string().nullable(), review: z.string().nullable() })
export const filterDefaultsSchema = z
  .object({
    version: z.int().describe('Of the own defaults'),
    own: oneDesk,
    tenantVersion: z.int(),
    tenant: oneDesk,
  })
  .meta({ id: 'FilterDefaults', description: 'The filters with which desks open. The own one comes first.' })
export type FilterDefaults = z.infer<typeof filterDefaultsSchema>

export const setDefaultsSchema = z.strictObject({
  scope: z.enum(['own', 'tenant']).default('own').describe('If-Match names the version of this scope'),
  prospects: recordId.nullable(),
  review: recordId.nullable(),
})
export type SetDefaults = z.output<typeof setDefaultsSchema>

export const filterParams = z.object({ savedFilterId: recordId })
