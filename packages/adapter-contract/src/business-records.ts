import { z } from 'zod'
import type { PurposeDeclaration } from './declaration.ts'

/* The purpose `business_records`: each query is about one business, and its answers become source records of that business. */

export const MAX_RAW_BYTES = 16 * 1024
const MAX_FIELDS = 20
const MAX_VALUE_LENGTH = 500

const fieldName = z.string().min(1).max(60)

export const businessRecordsQuerySchema = z.strictObject({
  businessId: z.uuid(),
  fields: z.array(fieldName).min(1).max(MAX_FIELDS),
  provinces: z.array(z.string().min(1).max(60)).max(20),
  maxRecords: z.int().min(1).max(1_000),
})

export type BusinessRecordsQuery = z.infer<typeof businessRecordsQuerySchema>

/** Returns the declaration of an adapter that answers with these fields. */
export function businessRecordsDeclaration(onRequest: string[]): PurposeDeclaration {
  return {
    purposes: ['business_records'],
    answerFields: { always: [], onRequest },
    query: [
      { name: 'businessId', label: 'Prospect', kind: 'business' },
      { name: 'fields', label: 'Fields', kind: 'answer_fields' },
      { name: 'provinces', label: 'Provinces', kind: 'provinces' },
      { name: 'maxRecords', label: 'Records', kind: 'number', min: 1, max: 1_000 },
    ],
  }
}

export const businessRecordSchema = z.strictObject({
  /** id of the record at the provider; two answers with the same reference are the same record */
  reference: z.string().min(1).max(200),
  observedAt: z.iso.datetime().nullable(),
  raw: z.string().refine((text) => Buffer.byteLength(text) <= MAX_RAW_BYTES, { error: 'is larger than 16 KiB.' }),
  fields: z.array(z.strictObject({ field: fieldName, value: z.string().max(MAX_VALUE_LENGTH) })).max(MAX_FIELDS),
})

export type BusinessRecord = z.infer<typeof businessRecordSchema>
