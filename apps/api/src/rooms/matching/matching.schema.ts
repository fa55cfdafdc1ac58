import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { hashOfValues } from '../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { recordId, text } from '../../http/text.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { businessSchema, pipelineStateSchema } from '../businesses/businesses.ts'
import { suggestionStatuses } from './matching.table.ts'
import { reasonFields } from './rules/findings.rules.ts'

/** Limits of decisions and searches; `docs/limits.md` lists them. */
export const limits = {
  reasonLength: 1_000,
  /** number of reasons that a list shows per suggestion; a single suggestion is shown with all reasons */
  reasonsInList: 4,
  searchLength: 200,
  /** maximum number of records that a text search may find; a search with more is rejected and not truncated */
  foundByText: 500,
} as const

const bandSchema = z.enum(['strong', 'review']).meta({ id: 'MatchBand' })
const statusSchema = z.enum(suggestionStatuses)

const reasonSchema = z.object({ field: z.enum(reasonFields), weight: z.number(), text: z.string() }).meta({
  id: 'MatchReason',
  description: 'Evidence for one business (above 0) or against it (below 0), in bits and in words.',
})

const canonicalSchema = z
  .object({
    names: z.array(z.string()),
    legalForm: z.string().nullable(),
    phones: z.array(z.string()),
    emails: z.array(z.string()),
    domains: z.array(z.string()),
    registrationNumber: z.string().nullable(),
    address: z.string().nullable(),
    doubts: z.array(z.string()),
  })
  .meta({
    id: 'CanonicalValues',
    description: 'A record as it was compared; doubts name values with two possible readings.',
  })

export const readCanonical = jsonColumn(z.array(canonicalSchema))

const findingSchema = z.object({
  field: z.enum(reasonFields),
  finding: z.string(),
  weight: z.number(),
  values: z.array(z.string()).exactOptional(),
  records: z.number().exactOptional(),
  places: z.number().exactOptional(),
})
export const readFindings = jsonColumn(z.array(findingSchema))

const conflictSchema = z.object({ field: z.string(), values: z.array(z.string()).length(2), text: z.string() }).meta({
  id: 'MatchConflict',
  description: 'A field in which the two records disagree and a person would have to decide.',
})

const candidateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    city: z.string().nullable(),
    pipelineState: pipelineStateSchema,
    doNotContact: z.boolean(),
  })
  .meta({ id: 'MatchCandidate' })

const shape = {
  id: z.string(),
  score: z.number(),
  band: bandSchema,
  status: statusSchema,
  reasons: z.array(reasonSchema),
  normalizationVersion: z.string(),
  algorithmVersion: z.string(),
  snapshotId: z.string().describe('The word counts of the workspace from which the score was computed'),
  createdAt: z.string(),
  updatedAt: z.string(),
}

export const suggestionSummarySchema = z
  .object({
    ...shape,
    businesses: z.array(candidateSchema).length(2),
    proposedAgain: z.boolean().describe('the pair, or a pair with a record merged since, was rejected before'),
  })
  .meta({ id: 'MatchSuggestionSummary' })
export type SuggestionSummary = z.infer<typeof suggestionSummarySchema>

export const suggestionSchema = z
  .object({
    ...shape,
    businesses: z.array(businessSchema).length(2),
    canonical: z.array(canonicalSchema).length(2),
    conflicts: z.array(conflictSchema),
    fingerprint: hashOfValues().describe(
      'of both records with all that hangs on them, and of band and kinds of reasons; another one when anything changed',
    ),
    snapshot: z.object({ id: z.string(), at: z.string(), records: z.int() }),
    decision: z.object({ at: z.string(), by: actorRefSchema, reason: z.string().nullable() }).nullable(),
    renews: z
      .object({ id: z.string(), rejectedAt: z.string(), reason: z.string() })
      .nullable()
      .describe(
        'the last rejection of this pair, or of a pair with a record merged since; the compared values have changed',
      ),
  })
  .meta({ id: 'MatchSuggestion' })
export type Suggestion = z.infer<typeof suggestionSchema>

export const suggestionPageSchema = pageOf(suggestionSummarySchema)

const bandCountsSchema = z.object({ strong: z.int(), review: z.int() }).meta({ id: 'MatchBandCounts' })

export const suggestionCountsSchema = z
  .object({
    counts: z.object({
      open: bandCountsSchema,
      rejected: bandCountsSchema,
      merged: bandCountsSchema,
      superseded: bandCountsSchema,
    }),
    asOf: z.string(),
  })
  .meta({ id: 'MatchSuggestionCounts', description: 'All suggestions of the workspace, by status and band.' })
export type SuggestionCounts = z.infer<typeof suggestionCountsSchema>

export const listSuggestionsQuery = z
  .strictObject({
    ...pageQuery,
    band: bandSchema.optional(),
    status: statusSchema.default('open'),
    businessId: recordId.optional(),
    q: text(limits.searchLength)
      .optional()
      .describe('At least three characters of the name, email address, phone or domain of either record.'),
  })
  .refine(({ q, businessId }) => q === undefined || businessId === undefined, {
    path: ['q'],
    message: 'Search for a text or for one record, not for both.',
  })
export type ListSuggestions = z.infer<typeof listSuggestionsQuery>

/** Input of starting a run. A run always compares all records, so the only field is an optional reason. */
export const startRunSchema = z.strictObject({ reason: text(limits.reasonLength).optional() })

export const suggestionParams = z.object({ suggestionId: recordId })
export const rejectionSchema = z.strictObject({ reason: text(limits.reasonLength) })
