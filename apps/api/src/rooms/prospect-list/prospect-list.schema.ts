import { z } from 'zod'
import { personRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, contactValue, freeText, isHiddenFlag } from '../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { flag, instant, recordId, text } from '../../http/text.ts'
import { inDigits } from '../../lib/digits.ts'
import { pipelineStates } from '../../lib/pipeline-state.ts'
import {
  businessLimits,
  callCountrySchema,
  fold,
  listedAnswers,
  numberFacts,
  pipelineStateSchema,
  placeDoubtSchema,
  provinceCodeSchema,
  statusSchema,
} from '../businesses/businesses.ts'
import { findProvinceCode, provinceCodes } from '../normalization/normalization.ts'
import { reviewFilterValues, reviewSummarySchema } from '../review-decisions/review-decisions.ts'
import { scoreSchema } from '../scoring/scoring.ts'

export const businessSummarySchema = z
  .object({
    id: aboutBusiness(),
    version: z.int(),
    name: z.string(),
    isNameKnown: z.boolean().describe('False: `name` is the trading name, the registered name is not known.'),
    ...listedAnswers,
    pipelineState: pipelineStateSchema,
    doNotContact: z.boolean(),
    status: statusSchema,
    primaryEmail: contactValue('email').nullable(),
    primaryPhone: contactValue('phone').nullable().describe('As entered'),
    primaryPhoneNormalized: contactValue('phone', z.string(), { instead: null })
      .nullable()
      .describe('The E.164 form of `primaryPhone`; null if it cannot be normalized, or if values are hidden'),
    primaryDomain: contactValue('domain').nullable(),
    city: z.string().nullable(),
    province: z.string().nullable(),
    valuesHidden: isHiddenFlag(),
    provinceCode: provinceCodeSchema.nullable(),
    placeDoubts: z.array(placeDoubtSchema),
    tags: z.array(z.string()),
    assignee: personRefSchema.nullable(),
    hasEvidence: z.boolean(),
    evidenceCount: z
      .int()
      .describe(
        'The number of observations in the evidence list of the record: its own and those of records merged into it, including superseded ones',
      ),
    people: z
      .array(
        z.object({
          id: z.string(),
          businessId: aboutBusiness().describe('The record for which the person was added'),
          name: freeText(),
          role: freeText().nullable(),
        }),
      )
      .describe('The first three people who have not left and are not do not contact, longest recorded first'),
    furtherPeople: z.int().describe('The number of such people beyond those'),
    score: scoreSchema,
    review: reviewSummarySchema,
    lastInteractionAt: z.string().nullable(),
    callCountry: callCountrySchema,
    followUpOn: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'BusinessSummary' })
export type BusinessSummary = z.infer<typeof businessSummarySchema>

const provinceFilter = z.string().transform((typed, context) => {
  if (typed === 'none' || typed === 'other') return typed
  const code = findProvinceCode(typed)
  if (code === undefined) {
    context.addIssue({
      code: 'custom',
      message: `Use a province's code (${provinceCodes.join(', ')}) or name, other or none.`,
    })
    return z.NEVER
  }
  return code
})

export const sorts = [
  '-updatedAt',
  'updatedAt',
  'name',
  '-name',
  'createdAt',
  '-createdAt',
  'score',
  '-score',
  'state',
  '-state',
  'assignee',
  '-assignee',
  'city',
  '-city',
  'lastInteractionAt',
  '-lastInteractionAt',
  'followUpOn',
  '-followUpOn',
  'mayBeCalled',
  ...numberFacts.flatMap((field) => [field, `-${field}`] as const),
] as const
export type Sort = (typeof sorts)[number]

/** Maximum size of a filter as text in a query, and of a saved filter. */
export const MAX_FILTER_BYTES = 4_096
export const MAX_WITHIN_DAYS = 3_650

const bandFilter = z.string().trim().min(1).max(40)
const scoreBound = inDigits(z.int().min(0).max(100))

export const listBusinessesQuery = z.strictObject({
  q: text(businessLimits.searchLength)
    .refine((typed) => fold(typed) !== '', 'Enter a search text.')
    .optional()
    .describe(
      'Parts of names, numbers, email addresses and domains, in any order; with one or two characters the beginning of the name.',
    ),
  state: z.enum(pipelineStates).optional(),
  assignee: z.union([z.literal('me'), z.literal('none'), recordId.min(1)]).optional(),
  tag: z.string().trim().min(1).max(businessLimits.tagLength).optional(),
  province: provinceFilter.optional(),
  doNotContact: flag.optional(),
  hasEvidence: flag.optional(),
  updatedFrom: instant.optional(),
  updatedTo: instant.optional(),
  priority: bandFilter.optional().describe('The id of a band of the active version, or unknown'),
  reachable: bandFilter.optional().describe('The id of the band that the record could reach'),
  eligibility: z.enum(['eligible', 'ineligible', 'unknown', 'blocked']).optional(),
  scoreFrom: scoreBound.optional(),
  scoreTo: scoreBound.optional(),
  review: z.enum(reviewFilterValues).optional().describe('The state of the review, or due'),
  updatedWithinDays: inDigits(z.int().min(1).max(MAX_WITHIN_DAYS))
    .optional()
    .describe('Changed since the start of the day so many days ago, in the time zone of the workspace'),
  status: z.literal('inactive').optional().describe('Only deactivated records, instead of active ones'),
  conditions: z
    .string()
    .max(MAX_FILTER_BYTES)
    .optional()
    .describe('Further conditions, as the JSON of a Filter: any of several values, exclusions, absent values'),
  sort: z.enum(sorts).default('-updatedAt'),
  ...pageQuery,
})
export type ListBusinesses = z.output<typeof listBusinessesQuery>

export const businessPageSchema = pageOf(businessSummarySchema).meta({ id: 'BusinessPage' })

export const findRemovedValuesQuery = z.strictObject({
  conditions: z.string().max(MAX_FILTER_BYTES).default('[]').describe('The conditions, as the JSON of a Filter'),
})

export const removedFilterValueSchema = z
  .object({
    field: z.enum(['assignee', 'tag', 'sourceLabel', 'priority', 'reachable']),
    value: contactValue('domain'),
    name: z.string().nullable().describe('The name of a former member; otherwise null'),
    effect: z
      .enum(['matches_nothing', 'ignored', 'still_matches'])
      .describe(
        'matches_nothing: the condition matches no record. ignored: only its other values count. still_matches: the records that are still assigned to a former member count',
      ),
  })
  .meta({ id: 'RemovedFilterValue' })
export type RemovedFilterValue = z.infer<typeof removedFilterValueSchema>
export const removedFilterValuesSchema = z
  .object({ removed: z.array(removedFilterValueSchema) })
  .meta({ id: 'RemovedFilterValues' })
