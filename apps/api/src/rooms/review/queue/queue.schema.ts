import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import { recordId } from '../../../http/text.ts'
import {
  businessPageSchema,
  businessSummarySchema,
  conditionsInput,
  MAX_FILTER_BYTES,
  sorts,
} from '../../prospect-list/prospect-list.ts'
import { reviewOpeningSchema } from '../../review-decisions/review-decisions.ts'
import { predicateSchema } from './predicate.ts'

/** Maximum number of skipped records in a request for the next record. */
const MAX_SKIPPED = 200

export const reviewQueueQuery = z.strictObject({
  filterId: recordId.optional().describe('A saved filter, instead of conditions'),
  conditions: z
    .string()
    .max(MAX_FILTER_BYTES)
    .optional()
    .describe('The JSON of a Filter; without it, what is due and may be contacted'),
  sort: z.enum(sorts).optional().describe('Without it: best score first, and oldest first while there are no scores'),
  ...pageQuery,
})

export const reviewQueuePageSchema = businessPageSchema
  .extend({ predicate: predicateSchema })
  .meta({ id: 'ReviewQueuePage' })
export type ReviewQueuePage = z.infer<typeof reviewQueuePageSchema>

/** Fields of a request body that define the predicate of a person's queue. */
const predicateIn = {
  filterId: recordId.optional().describe('A saved filter, instead of conditions'),
  conditions: conditionsInput.optional(),
  sort: z.enum(sorts).optional(),
}

const isOne = ({ filterId, conditions }: { filterId?: unknown; conditions?: unknown }) =>
  filterId === undefined || conditions === undefined
const oneOfBoth = { path: ['filterId'], message: 'Send a saved filter or conditions, not both.' }

export const openReviewSchema = z.strictObject(predicateIn).refine(isOne, oneOfBoth)
export const nextReviewSchema = z
  .strictObject({
    ...predicateIn,
    skip: z.array(recordId).max(MAX_SKIPPED).default([]).describe('Records that were skipped or decided'),
  })
  .refine(isOne, oneOfBoth)

export const nextReviewAnswerSchema = z
  .object({
    business: businessSummarySchema.nullable().describe('null: nothing is left that nobody else has claimed'),
    opening: reviewOpeningSchema.nullable(),
    predicate: predicateSchema,
  })
  .meta({ id: 'NextReview' })
