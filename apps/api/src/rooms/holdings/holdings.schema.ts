import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, contactValue } from '../../http/hidden-fields.ts'
import { line, recordId, region } from '../../http/text.ts'
import { jsonColumn } from '../../store/json-column.ts'

/** Limits of collections of everything held; `docs/limits.md` lists them. */
export const limits = {
  fileBytes: 50_000_000,
  fileHours: 24,
  /** records with the value that one file contains */
  records: 100,
  valueLength: 320,
} as const

export const holdingParams = z.object({ holdingId: recordId })
export const holdingFormats = ['json', 'html'] as const
export type HoldingFormat = (typeof holdingFormats)[number]
export const holdingFileQuery = z.strictObject({
  format: z.enum(holdingFormats).default('json').describe('html: to read and to print; it loads nothing'),
})

const kinds = ['email', 'phone', 'domain'] as const

export const createHoldingSchema = z
  .strictObject({
    businessId: recordId.optional().describe('The prospect, with all records merged into it'),
    kind: z.enum(kinds).optional(),
    value: line(limits.valueLength).optional().describe('A contact value in any form that a prospect accepts'),
    region: region.optional().describe('The country of a number in local form; by default South Africa'),
  })
  .refine(({ businessId, kind, value }) => (businessId === undefined) === (kind !== undefined && value !== undefined), {
    path: ['businessId'],
    error: 'Send either the id of a prospect, or a kind and a value.',
  })
  .refine(({ kind, value, businessId }) => businessId === undefined || (kind === undefined && value === undefined), {
    path: ['kind'],
    error: 'Send either the id of a prospect, or a kind and a value.',
  })
export type CreateHolding = z.output<typeof createHoldingSchema>

const writtenSchema = z.object({ bytes: z.int(), sha256: z.string() })
export const storedFileSchema = z.object({
  json: writtenSchema,
  html: writtenSchema,
  records: z.int(),
  rows: z.int(),
  leftOut: z.array(z.string()),
  writtenAt: z.string(),
  expiresAt: z.string(),
})
export type StoredFile = z.output<typeof storedFileSchema>
export const readFileColumn = jsonColumn(storedFileSchema)

export const holdingSchema = z
  .object({
    id: z.string(),
    jobId: z.string(),
    status: z.enum(['preparing', 'ready', 'failed', 'expired', 'removed']),
    subject: z.object({
      businessId: aboutBusiness().nullable(),
      kind: z.enum(kinds).nullable(),
      value: contactValue('domain').nullable().describe('null once the file is deleted'),
    }),
    file: z
      .object({
        records: z.int().describe('Records in the file, with those merged into them'),
        rows: z.int(),
        leftOut: z.array(z.string()).describe('Titles of parts that the role of the person does not include'),
        jsonBytes: z.int(),
        jsonSha256: z.string(),
        htmlBytes: z.int(),
        htmlSha256: z.string(),
        writtenAt: z.string(),
        expiresAt: z.string(),
      })
      .nullable(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'Holding' })
export type Holding = z.infer<typeof holdingSchema>
