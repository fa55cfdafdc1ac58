import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { recordId } from '../../../http/text.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { contentSchema } from '../rules/content.schema.ts'
import { distributionSchema } from '../runs/runs.schema.ts'

export const previewLimits = { keptDays: 7, movesPerCell: 1_000, sample: 2_000, perVersion: 20 } as const

/**
 * Returns the expiry time of a full preview: `keptDays` after the given time. Called at the request of the preview and again when the preview ends.
 */
export function endOfPreview(from: string): string {
  return daysAfter(from, previewLimits.keptDays)
}

export const createPreviewSchema = z.strictObject({
  against: z
    .union([z.literal('active'), z.strictObject({ ruleSetId: recordId, version: z.int().min(1) })])
    .default('active')
    .describe('The version that the content is compared with'),
})
export const createSampleSchema = z.strictObject({
  content: contentSchema.optional().describe('Evaluated instead of the stored content'),
})

export type CreatePreview = z.output<typeof createPreviewSchema>
export const previewParams = z.object({ previewId: recordId })

const matrix = z
  .object({
    cells: z.array(z.string()).describe('Rows and columns, in this order'),
    counts: z.array(z.array(z.int())).describe('Records by cell before (row) and after (column)'),
  })
  .meta({ id: 'ScoringMatrix' })

const resultSchema = z
  .object({
    asOf: z.string().describe('The time of the snapshot that was read'),
    records: z.int(),
    failed: z.int(),
    before: distributionSchema.nullable().describe('null: nothing to compare with'),
    after: distributionSchema,
    priority: matrix,
    eligibility: matrix,
  })
  .meta({ id: 'ScoringPreviewResult' })
export type PreviewResult = z.infer<typeof resultSchema>
export const storedPreviewSchema = resultSchema
export const storedAgainstSchema = z.object({ ruleSetId: z.string(), version: z.int() })

export const previewSchema = z
  .object({
    id: z.string(),
    ruleSetId: z.string(),
    version: z.int(),
    contentHash: z.string().describe('Of the content that was previewed'),
    against: storedAgainstSchema.nullable().describe('null: no scores were active'),
    jobId: z.string(),
    status: z.enum(['queued', 'running', 'complete', 'failed', 'cancelled']),
    algorithmVersion: z.string().nullable(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    completedAt: z.string().nullable(),
    expiresAt: z.string(),
    result: resultSchema.nullable(),
  })
  .meta({ id: 'ScoringPreview' })
export type Preview = z.infer<typeof previewSchema>

const range = z.object({ low: z.int(), high: z.int() }).nullable()
const moveSchema = z
  .object({
    businessId: z.string(),
    name: z.string(),
    doNotContact: z.boolean(),
    from: z.string(),
    to: z.string(),
    before: range,
    after: range,
  })
  .meta({ id: 'ScoringMove' })
export type PreviewMove = z.infer<typeof moveSchema>
export const movePageSchema = pageOf(moveSchema).meta({ id: 'ScoringMovePage' })
export const movesQuery = z.strictObject({
  of: z.enum(['priority', 'eligibility']).default('priority').describe('The matrix'),
  from: z.string().max(40).optional().describe('The cell before; every cell when absent'),
  to: z.string().max(40).optional().describe('The cell after'),
  ...pageQuery,
})

export const sampleSchema = z
  .object({
    sampled: z.int().describe('Records that were read, spread over the workspace'),
    of: z.int().describe('Active records of the workspace'),
    failed: z.int(),
    asOf: z.string(),
    distribution: distributionSchema.describe('Counts of the sample'),
    active: distributionSchema
      .nullable()
      .describe('The same records by the active version; null: no scores are active'),
  })
  .meta({ id: 'ScoringSample' })
export type Sample = z.infer<typeof sampleSchema>
