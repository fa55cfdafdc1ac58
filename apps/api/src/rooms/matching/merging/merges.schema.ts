import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { recordId, text } from '../../../http/text.ts'
import { mapValues } from '../../../lib/map-values.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import { pipelineStateSchema } from '../../businesses/businesses.ts'
import { businessChildren } from '../../facts.ts'
import { limits } from '../matching.schema.ts'
import { choosableFields } from './merge-plan.rules.ts'
import { attemptStages, attemptStatuses, mergeStatuses } from './merges.table.ts'

const fieldSchema = z.enum(choosableFields).meta({ id: 'MergeField' })
const FINGERPRINT_LENGTH = 500

export const mergeBodySchema = z.strictObject({
  reason: text(limits.reasonLength),
  survivorId: recordId,
  fields: z
    .partialRecord(fieldSchema, recordId)
    .default({})
    .describe(
      'for each field, the record whose value stands; a difference of the pipeline state, or of the one before a pause, must be decided',
    ),
  fingerprint: z.string().max(FINGERPRINT_LENGTH).describe('of both records as they were seen when this was decided'),
})
export type MergeBody = z.output<typeof mergeBodySchema>

export const reversalBodySchema = z.strictObject({ reason: text(limits.reasonLength) })

const namedSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    doNotContact: z.boolean().describe('as it is today'),
  })
  .meta({ id: 'MergedRecord' })

const countsSchema = z
  .object({
    ...mapValues(businessChildren, () => z.int()),
    sources: z.int().describe('pieces of evidence that name a source reference'),
    audit: z.int(),
  })
  .meta({ id: 'MergeCounts' })
export type MergeCounts = z.infer<typeof countsSchema>

/** A merge from before a room declared a further kind of child counted none of it. */
const storedChildren = mapValues(businessChildren, () => z.int().default(0))
const storedCountsSchema = countsSchema.extend(storedChildren)

const choiceSchema = z
  .object({
    field: fieldSchema,
    value: z.string().nullable(),
    from: z.string().describe('the record whose value stands'),
    chosen: z.boolean().describe('false: nobody had to choose'),
    alternative: z
      .object({ value: z.string(), from: z.string(), evidenceIds: z.array(z.string()) })
      .describe('what the other record says, kept with the evidence for it'),
  })
  .meta({ id: 'MergeChoice' })
export const readChoices = jsonColumn(z.array(choiceSchema))
export type Choice = z.infer<typeof choiceSchema>

const valueCountsSchema = z.object({ identifiers: z.int(), tags: z.int() }).meta({ id: 'MergeValueCounts' })

const readBackSchema = z
  .object({
    survivor: countsSchema,
    loser: countsSchema,
    throughSurvivor: countsSchema.describe('what is read on the survivor, through the link'),
    leftOut: valueCountsSchema,
    doNotContact: z.boolean(),
  })
  .meta({ id: 'MergeReadBack', description: 'Counted again after it was written, and compared with the snapshot.' })
export const readReadBack = jsonColumn(
  readBackSchema.extend({
    survivor: storedCountsSchema,
    loser: storedCountsSchema,
    throughSurvivor: storedCountsSchema,
  }),
)
export type ReadBack = z.infer<typeof readBackSchema>

const addedSchema = z.object(mapValues(businessChildren, () => z.int())).meta({ id: 'AddedSince' })
export type Added = z.infer<typeof addedSchema>

const reversalResultSchema = z
  .object({
    restored: z.array(z.string()),
    kept: z.array(z.string()).describe('edited since the merge, and therefore left as they are'),
    conflicts: z.array(fieldSchema).describe('kept although the merge had changed them too'),
    added: addedSchema.describe('added to the survivor since; it stays there'),
    doNotContact: z
      .array(z.string())
      .describe('the records that are do not contact afterwards; a reversal lifts no block'),
  })
  .meta({ id: 'ReversalOutcome' })
export const readOutcome = jsonColumn(reversalResultSchema.extend({ added: z.object(storedChildren) }))
export type ReversalOutcome = z.infer<typeof reversalResultSchema>

const mergeShape = {
  id: z.string(),
  status: z.enum(mergeStatuses),
  suggestionId: z.string(),
  snapshotId: z.string(),
  survivor: namedSchema,
  loser: namedSchema,
  mergedAt: z.string(),
  mergedBy: actorRefSchema,
  reason: z.string(),
  readBack: readBackSchema,
  reversal: z
    .object({ at: z.string(), by: actorRefSchema, reason: z.string(), outcome: reversalResultSchema })
    .nullable(),
}

export const mergeSummarySchema = z.object(mergeShape).meta({ id: 'MergeSummary' })
export type MergeSummary = z.infer<typeof mergeSummarySchema>

export const mergeSchema = z
  .object({
    ...mergeShape,
    snapshotHash: z.string(),
    snapshotAt: z.string(),
    choices: z
      .array(choiceSchema)
      .nullable()
      .describe('null: a record that the merge or its snapshot held was erased since, and with it what the two said'),
    reversible: z
      .object({
        possible: z.boolean(),
        hindrance: z.string().nullable(),
        firstReverse: z.string().nullable().describe('the later merge that has to be reversed before'),
        outcome: reversalResultSchema.nullable(),
      })
      .nullable()
      .describe('what a reversal would do now; null once it is reversed'),
  })
  .meta({ id: 'Merge' })
export type Merge = z.infer<typeof mergeSchema>

export const mergePageSchema = pageOf(mergeSummarySchema)

export const listMergesQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(mergeStatuses).optional(),
  businessId: recordId.optional(),
})
export type ListMerges = z.infer<typeof listMergesQuery>

export const mergeParams = z.object({ mergeId: recordId })

const attemptSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['merge', 'reversal']),
    suggestionId: z.string(),
    mergeId: z.string().nullable(),
    snapshotId: z.string().nullable(),
    survivor: namedSchema,
    loser: namedSchema,
    begunAt: z.string(),
    begunBy: actorRefSchema,
    status: z.enum(attemptStatuses),
    stage: z.enum(attemptStages),
    failure: z.string().nullable(),
    endedAt: z.string().nullable(),
  })
  .meta({
    id: 'MergeAttempt',
    description:
      'One that was cut off changed nothing. It is begun until the program, a minute or two later, says that it was stopped; nothing is tried again by itself.',
  })
export type Attempt = z.infer<typeof attemptSchema>
export const attemptPageSchema = pageOf(attemptSchema)
export const listAttemptsQuery = z.strictObject(pageQuery)

const sideSchema = z.object({
  id: z.string(),
  counts: countsSchema,
  merged: z.array(namedSchema),
  takenOver: valueCountsSchema.describe('what of the other record this one would take over, if this one went on'),
  leftOut: valueCountsSchema.describe('what of the other record would find no room on this one, if this one went on'),
})

export const mergePreviewSchema = z
  .object({
    fingerprint: z.string(),
    sides: z.array(sideSchema).length(2),
    fields: z.array(
      z.object({
        field: fieldSchema,
        values: z
          .array(z.string().nullable())
          .length(2)
          .describe('what either record says; its pipeline state, where it was set aside, with the one before'),
        evidence: z.array(z.int()).length(2).describe('how many observations speak of the field on either side'),
        differs: z.boolean(),
        mustChoose: z.boolean(),
      }),
    ),
    pipelineStates: z.array(pipelineStateSchema).length(2),
    doNotContact: z.string().describe('what becomes of do not contact, in words'),
  })
  .meta({ id: 'MergePreview', description: 'What would move, and what a person has to decide, before a merge.' })
export type MergePreview = z.infer<typeof mergePreviewSchema>
