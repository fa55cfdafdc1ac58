import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, freeText, hashOfValues } from '../../http/hidden-fields.ts'
import { pageOf } from '../../http/pagination.ts'
import { day, text } from '../../http/text.ts'
import { factFields } from '../businesses/businesses.ts'
import { agreementFields } from '../evidence/evidence.ts'
import { decisions, reasonCodes } from './review-decisions.table.ts'
import { reviewSummarySchema } from './review-summary.schema.ts'

/** Limits of reviews; `docs/limits.md` lists them. */
export const limits = {
  reasonLength: 1_000,
  deferralDays: 90,
  claimMinutes: 10,
  changesListed: 20,
  termDays: { min: 30, max: 730 },
} as const

const fingerprintIn = z
  .string()
  .max(100)
  .regex(/^\d+\.[0-9a-f]{64}$/, 'Send the fingerprint of the opening.')
const reason = text(limits.reasonLength)

/** Schema of a review. Each decision has a schema of its own, so that a request can contain only the fields of its decision. */
export const addReviewSchema = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('verify'),
    checkedFields: z.array(z.enum(factFields)).max(factFields.length).default([]),
    reason: reason.nullable().default(null),
    fingerprint: fingerprintIn,
  }),
  z
    .strictObject({
      decision: z.literal('reject'),
      reasonCode: z.enum(reasonCodes),
      reason: reason.nullable().default(null),
      fingerprint: fingerprintIn,
    })
    .refine(({ reasonCode, reason: words }) => reasonCode !== 'other' || words !== null, {
      path: ['reason'],
      message: 'Enter a reason.',
    }),
  z.strictObject({
    decision: z.literal('defer'),
    until: day,
    reason: reason.nullable().default(null),
    fingerprint: fingerprintIn,
  }),
  z.strictObject({ decision: z.literal('reopen'), reason, fingerprint: fingerprintIn }),
])
export type AddReview = z.output<typeof addReviewSchema>

export const reviewSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness().describe('The record that it was written for, which may have been merged since'),
    decision: z.enum(decisions),
    reasonCode: z.enum(reasonCodes).nullable(),
    reason: freeText().nullable(),
    checkedFields: z.array(z.enum(factFields)).describe('The facts that the reviewer found right'),
    until: z.string().nullable(),
    method: z.enum(['single', 'bulk']),
    bulkId: z.string().nullable(),
    undoes: z.string().nullable().describe('The review that this one undoes'),
    fingerprint: hashOfValues().describe('Of what the reviewer saw'),
    businessVersion: z.int(),
    at: z.string(),
    by: actorRefSchema,
  })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof reviewSchema>

export const reviewPageSchema = pageOf(reviewSchema)
  .extend({ standing: reviewSummarySchema.describe('The state of the record now') })
  .meta({ id: 'ReviewPage' })

const claimSchema = z.object({ by: personRefSchema, until: z.string(), isOwn: z.boolean() })

export const reviewOpeningSchema = z
  .object({
    businessId: z.string(),
    fingerprint: hashOfValues().describe('Send it with the decision'),
    stillMatches: z
      .boolean()
      .nullable()
      .describe('Whether the record matches the predicate that was sent; null: none was'),
    mergeEligible: z.boolean().describe('False for merged and inactive records'),
    doNotContact: z.boolean(),
    reviewState: reviewSummarySchema,
    contradictedFields: z.array(z.enum(factFields)),
    otherSpellings: z
      .array(
        z.object({
          field: z.enum(factFields),
          value: z.string().describe('The value of the record'),
          claimed: z.string().describe('The value of the newest evidence with this agreement'),
          ...agreementFields,
        }),
      )
      .describe('Values that evidence spells otherwise, at most one for each agreement; contact values are left out'),
    claim: claimSchema.nullable().describe('Who has the record open; null: it is not active'),
  })
  .meta({ id: 'ReviewOpening' })
export type ReviewOpening = z.infer<typeof reviewOpeningSchema>

const termDays = z.int().min(limits.termDays.min).max(limits.termDays.max).nullable()
export const reviewSettingsIn = z.strictObject({ termDays })
export const reviewSettingsSchema = z
  .object({
    version: z.int(),
    termDays: termDays.describe('A decision becomes outdated after so many days; null: never by time'),
    updatedAt: z.string().nullable(),
  })
  .meta({ id: 'ReviewSettings' })
export type ReviewSettings = z.infer<typeof reviewSettingsSchema>
