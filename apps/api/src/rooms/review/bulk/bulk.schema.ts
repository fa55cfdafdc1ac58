import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { line, recordId, text } from '../../../http/text.ts'
import { businessLimits } from '../../businesses/businesses.ts'
import { conditionsInput } from '../../prospect-list/prospect-list.ts'
import { reasonCodes } from '../../review-decisions/review-decisions.ts'
import { predicateSchema } from '../queue/predicate.ts'
import { bulkActions, outcomeCodes } from './bulk.table.ts'

/** Limits of bulk actions; `docs/limits.md` lists them. */
export const limits = {
  selection: 10_000,
  excluded: 1_000,
  ids: 2_000,
  previewMinutes: 15,
  openPreviews: 5,
  examples: 5,
  reasonLength: 1_000,
} as const

const excludedIds = z.array(recordId).max(limits.excluded).default([])
const outcomes = ['changed', 'unchanged', 'refused', 'not_done'] as const

const selectionIn = z.union([
  z.strictObject({ ids: z.array(recordId).min(1).max(limits.ids) }).describe('Records one by one'),
  z.strictObject({ filter: conditionsInput, excludedIds }).describe('All that match, but for some'),
  z.strictObject({ filterId: recordId, excludedIds }).describe('All that match a saved filter, but for some'),
  z
    .strictObject({ bulkId: recordId, outcome: z.enum(outcomes), code: z.enum(outcomeCodes).optional() })
    .describe('Those of another bulk with this outcome'),
])
export type SelectionIn = z.output<typeof selectionIn>

const tag = line(businessLimits.tagLength, z.string().trim().normalize('NFC'))
export const previewBulkSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('verify'), selection: selectionIn }),
  z.strictObject({ action: z.literal('reject'), reasonCode: z.enum(reasonCodes), selection: selectionIn }),
  z.strictObject({ action: z.literal('assign'), assigneeId: recordId.nullable(), selection: selectionIn }),
  z.strictObject({ action: z.literal('add_tag'), tag, selection: selectionIn }),
  z.strictObject({ action: z.literal('remove_tag'), tag, selection: selectionIn }),
])
export type PreviewBulk = z.output<typeof previewBulkSchema>

const doneTo = {
  action: z.enum(bulkActions),
  assigneeId: z.string().nullable(),
  tag: z.string().nullable(),
  reasonCode: z.enum(reasonCodes).nullable(),
  undoes: z.string().nullable().describe('The bulk that this one undoes'),
}

const selectionSchema = z.object({
  size: z.int(),
  max: z
    .int()
    .describe(`Maximum size of such a selection: ${limits.ids} ids, or ${limits.selection} by a filter or a bulk`),
  counts: z.literal('matching_set'),
  asOf: z.string(),
  excluded: z.int(),
  predicate: predicateSchema.nullable().describe('null: the records were named one by one or by a bulk'),
})

export const bulkPreviewSchema = z
  .object({
    id: z.string(),
    ...doneTo,
    expiresAt: z.string(),
    selection: selectionSchema,
    wouldChange: z.int(),
    unchanged: z.int(),
    refused: z.array(z.object({ code: z.enum(outcomeCodes), count: z.int(), examples: z.array(personRefSchema) })),
    fingerprint: z.string(),
    usedBy: z.string().nullable().describe('The bulk that was made of it'),
  })
  .meta({ id: 'BulkPreview' })
export type BulkPreview = z.infer<typeof bulkPreviewSchema>

export const confirmBulkSchema = z.strictObject({
  previewId: recordId,
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/, 'Send the fingerprint of the preview.'),
  reason: text(limits.reasonLength).optional().describe('Required to verify and to reject'),
})
export type ConfirmBulk = z.output<typeof confirmBulkSchema>

const bulkStatuses = ['queued', 'running', 'done', 'cancelled', 'failed'] as const

export const bulkSchema = z
  .object({
    id: z.string(),
    ...doneTo,
    previewId: z.string(),
    jobId: z.string().describe('The first attempt; a retry continues with what is not done'),
    correlationId: z.string(),
    status: z.enum(bulkStatuses),
    selection: selectionSchema,
    counts: z.object({ changed: z.int(), unchanged: z.int(), refused: z.int(), notDone: z.int() }),
    readBack: z
      .object({ outcomes: z.int(), events: z.int(), complete: z.boolean() })
      .nullable()
      .describe('The outcomes and their audit events as they were read back at the end'),
    digest: z.string().nullable().describe('Over all outcomes, as the audit event of the batch holds it'),
    reason: freeText().nullable(),
    requestedBy: actorRefSchema,
    createdAt: z.string(),
    endedAt: z.string().nullable(),
  })
  .meta({ id: 'BulkReview' })
export type Bulk = z.infer<typeof bulkSchema>
export const bulkPageSchema = pageOf(bulkSchema).meta({ id: 'BulkReviewPage' })

const values = z.record(z.string(), z.unknown()).nullable()
export const outcomeSchema = z
  .object({
    businessId: z.string(),
    name: z.string().nullable(),
    outcome: z.enum(outcomes),
    code: z.enum(outcomeCodes).nullable(),
    before: values,
    after: values,
    auditEventId: z.string().nullable(),
  })
  .meta({ id: 'BulkOutcome' })
export type Outcome = z.infer<typeof outcomeSchema>
export const outcomePageSchema = pageOf(outcomeSchema).meta({ id: 'BulkOutcomePage' })
export const listOutcomesQuery = z.strictObject({
  outcome: z.enum(outcomes).optional(),
  code: z.enum(outcomeCodes).optional(),
  ...pageQuery,
})
export type ListOutcomes = z.output<typeof listOutcomesQuery>

export const bulkParams = z.object({ bulkId: recordId })
export const previewParams = z.object({ previewId: recordId })
