import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { pageOf } from '../../../http/pagination.ts'
import { instant, line, recordId, text } from '../../../http/text.ts'
import { factFields } from '../../businesses/businesses.ts'
import { rawStates } from '../sources.table.ts'

/** The limits of a source record; `docs/limits.md` lists them. */
export const recordLimits = {
  rawBytes: 16 * 1024,
  observations: 20,
  columns: 20,
  attributionLength: 200,
  valueLength: 500,
} as const

export const recordParams = z.object({ businessId: recordId, sourceRecordId: recordId })

const raw = text(recordLimits.rawBytes).refine(
  (value) => Buffer.byteLength(value) <= recordLimits.rawBytes,
  'At most 16 KiB.',
)

const observationSchema = z.strictObject({
  field: z.enum(factFields),
  value: line(recordLimits.valueLength),
  confidence: z.enum(['low', 'medium', 'high']),
})

const csvRowSchema = z.strictObject({
  previewId: recordId,
  row: z.int().min(1).describe('The number of the row in the preview'),
  columns: z
    .array(z.int().min(1))
    .min(1)
    .max(recordLimits.columns)
    .refine((columns) => new Set(columns).size === columns.length, 'The same column is listed twice.')
    .describe('The cells to record; the others are not stored'),
})

export const addRecordSchema = z
  .strictObject({
    sourceId: recordId.describe('The built-in entry: manual references or CSV rows'),
    raw: raw.nullish().describe('The text as found; for a CSV row it consists of the selected cells'),
    attribution: line(recordLimits.attributionLength).describe('Where this comes from'),
    capturedAt: instant,
    observedAt: instant.nullish(),
    csvRow: csvRowSchema.nullish().describe('One row of your own preview'),
    observations: z.array(observationSchema).max(recordLimits.observations).default([]),
  })
  .check(({ value, issues }) => {
    const refuse = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, params: { code: 'required' }, input: value })
    if (value.csvRow != null && value.raw != null)
      refuse('raw', 'The text of a CSV row consists of its selected cells.')
    if (value.csvRow == null && value.raw == null && value.observations.length === 0)
      refuse('raw', 'Enter the text of the reference, or at least one observation.')
  })
export type AddRecord = z.output<typeof addRecordSchema>

export const sourceRecordSchema = z
  .object({
    id: z.string(),
    businessId: z.string().describe('The record that it was recorded for, which may have been merged since'),
    source: z.object({ id: z.string(), slug: z.string(), name: z.string(), contractVersion: z.int() }),
    suppliedBy: z.enum(['operator', 'source']).describe('Who supplied it; neither is a verification'),
    reference: z.string().nullable(),
    raw: z.string().nullable().describe('null when there is none, or when you may not see it'),
    rawState: z.enum(rawStates).describe('none: no text was ever stored'),
    rawDeleteAfter: z.string().nullable(),
    rawDeletedAt: z.string().nullable(),
    rawDeletedBy: actorRefSchema.nullable(),
    rawDeletionReason: z.string().nullable(),
    rawFailure: z.string().nullable(),
    sha256: z.string().nullable().describe('Hash of the raw text; remains after its deletion'),
    attribution: z.string(),
    capturedAt: z.string(),
    observedAt: z.string().nullable(),
    csv: z.object({ fileSha256: z.string(), row: z.int(), line: z.int() }).nullable(),
    evidenceIds: z.array(z.string()),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'SourceRecord', description: 'Material as supplied, with its origin.' })
export type SourceRecord = z.infer<typeof sourceRecordSchema>
export const sourceRecordPageSchema = pageOf(sourceRecordSchema).meta({ id: 'SourceRecordPage' })
