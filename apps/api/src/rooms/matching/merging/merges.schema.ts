import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { aboutBusiness, freeText, hashOfValues } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { recordId, text } from '../../../http/text.ts'
import { mapValues } from '../../../lib/map-values.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import {
  type IdentifierRecord,
  type MergedColumns,
  pipelineStateSchema,
  type StoredRecord,
} from '../../businesses/businesses.ts'
import { businessChildren } from '../../facts.ts'
import { limits } from '../matching.schema.ts'
import { choosableFields, type RecordState } from './merge-plan.rules.ts'
import type { MergeSnapshot } from './merge-snapshot.ts'
import { attemptStages, attemptStatuses, mergeStatuses } from './merges.table.ts'

const fieldSchema = z.enum(choosableFields).meta({ id: 'MergeField' })
const FINGERPRINT_LENGTH = 2_000

export const mergeBodySchema = z.strictObject({
  reason: text(limits.reasonLength),
  survivorId: recordId,
  fields: z
    .partialRecord(fieldSchema, recordId)
    .default({})
    .describe(
      'for each field, the record whose value is used; a difference of the pipeline state, or of the state before a pause, must be decided',
    ),
  fingerprint: z.string().max(FINGERPRINT_LENGTH).describe('fingerprint of both records at the time of the decision'),
})
export type MergeBody = z.output<typeof mergeBodySchema>

export const reversalBodySchema = z.strictObject({ reason: text(limits.reasonLength) })

const namedSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    doNotContact: z.boolean().describe('its current value'),
  })
  .meta({ id: 'MergedRecord' })

const countsSchema = z
  .object({
    ...mapValues(businessChildren, () => z.int()),
    sources: z.int().describe('pieces of evidence with a source reference'),
    audit: z.int(),
  })
  .meta({ id: 'MergeCounts' })
export type MergeCounts = z.infer<typeof countsSchema>

/** Counts of children by kind. A merge stored before a kind of child existed has no count of it, which reads as 0. */
const storedChildren = mapValues(businessChildren, () => z.int().default(0))
const storedCountsSchema = countsSchema.extend(storedChildren)

const choiceSchema = z
  .object({
    field: fieldSchema,
    value: z.string().nullable(),
    from: z.string().describe('the record whose value is used'),
    chosen: z.boolean().describe('false: no choice was needed'),
    alternative: z
      .object({ value: z.string(), from: z.string(), evidenceIds: z.array(z.string()) })
      .describe('the value of the other record, stored with its evidence'),
  })
  .meta({ id: 'MergeChoice' })
export const readChoices = jsonColumn(z.array(choiceSchema))
export type Choice = z.infer<typeof choiceSchema>

const valueCountsSchema = z.object({ identifiers: z.int(), tags: z.int() }).meta({ id: 'MergeValueCounts' })

const readBackSchema = z
  .object({
    survivor: countsSchema,
    loser: countsSchema,
    throughSurvivor: countsSchema.describe('shown on the survivor through the link'),
    leftOut: valueCountsSchema,
    doNotContact: z.boolean(),
  })
  .meta({ id: 'MergeReadBack', description: 'Counts read after the write and compared with the snapshot.' })
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
    kept: z.array(z.string()).describe('edited since the merge, and therefore not changed'),
    conflicts: z.array(fieldSchema).describe('not changed, although the merge had changed them too'),
    added: addedSchema.describe('added to the survivor since; stays with the survivor'),
    doNotContact: z
      .array(z.string())
      .describe(
        'The records that are do not contact afterwards. A reversal ends a block of the survivor only if the merge had copied it',
      ),
  })
  .meta({ id: 'ReversalOutcome' })
export const readOutcome = jsonColumn(reversalResultSchema.extend({ added: z.object(storedChildren) }))

/**
 * A row of a table. Its columns are those of the release that stored it, so only the values are validated; `renewed` and `renewedState` complete a
 * record, and the hash of a snapshot proves that its rows are as they were stored.
 */
const row = <Row>() => z.custom<Row>((value) => cells.safeParse(value).success, 'This is no row of a table.')
const cells = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

/** One check of the whole list: `z.array` took 20 ms for the ids of a record with the maximum of children. */
const ids = z.custom<string[]>((value) => Array.isArray(value) && value.every((one) => typeof one === 'string'))

const keptSchema = z.looseObject({ count: z.int(), ids, hash: z.string() })

/** Objects are loose, because the hash of a snapshot covers everything that its release stored. */
const snapshotSchema = z.looseObject({
  format: z.literal(1),
  survivorId: z.string(),
  loserId: z.string(),
  survivorFamily: z.array(z.string()),
  loserFamily: z.array(z.string()),
  records: z.array(
    z.looseObject({
      business: row<StoredRecord['business']>(),
      identifiers: z.array(row<IdentifierRecord>()),
      children: z.record(z.string(), keptSchema),
      sources: keptSchema,
      audit: z.looseObject({ count: z.int(), lastSequence: z.int() }),
      suppressions: z.array(z.string()),
    }),
  ),
})
export const readSnapshot: (text: string) => MergeSnapshot = jsonColumn(snapshotSchema)

const recordStateSchema = z.object({ columns: row<MergedColumns>(), identifiers: z.array(row<IdentifierRecord>()) })
export const readRecordState: (text: string) => RecordState = jsonColumn(recordStateSchema)
export type ReversalOutcome = z.infer<typeof reversalResultSchema>

const mergeShape = {
  id: z.string(),
  status: z.enum(mergeStatuses),
  suggestionId: z.string(),
  snapshotId: z.string(),
  survivor: aboutBusiness(namedSchema, 'id'),
  loser: aboutBusiness(namedSchema, 'id'),
  mergedAt: z.string(),
  mergedBy: actorRefSchema,
  reason: freeText(),
  readBack: readBackSchema,
  reversal: z
    .object({ at: z.string(), by: actorRefSchema, reason: freeText(), outcome: reversalResultSchema })
    .nullable(),
}

export const mergeSummarySchema = z.object(mergeShape).meta({ id: 'MergeSummary' })
export type MergeSummary = z.infer<typeof mergeSummarySchema>

export const mergeSchema = z
  .object({
    ...mergeShape,
    snapshotHash: hashOfValues(),
    snapshotAt: z.string(),
    choices: z
      .array(choiceSchema)
      .nullable()
      .describe('null: a record of the merge or its snapshot was erased since, and the values of both with it'),
    reversible: z
      .object({
        possible: z.boolean(),
        hindrance: z.string().nullable(),
        firstReverse: z.string().nullable().describe('the later merge that has to be reversed first'),
        outcome: reversalResultSchema.nullable(),
      })
      .nullable()
      .describe('the result of a reversal now; null once it is reversed'),
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
      'An interrupted attempt changed nothing. It is shown as begun until the server marks it as stopped, within two minutes; nothing is retried automatically.',
  })
export type Attempt = z.infer<typeof attemptSchema>
export const attemptPageSchema = pageOf(attemptSchema)
export const listAttemptsQuery = z.strictObject(pageQuery)

const sideSchema = z.object({
  id: z.string(),
  counts: countsSchema,
  merged: z.array(namedSchema),
  takenOver: valueCountsSchema.describe('values of the other record that this record would take over as the survivor'),
  leftOut: valueCountsSchema.describe(
    'values of the other record that would exceed the limits of this record as the survivor',
  ),
})

export const mergePreviewSchema = z
  .object({
    fingerprint: hashOfValues(),
    sides: z.array(sideSchema).length(2),
    fields: z.array(
      z.object({
        field: fieldSchema,
        values: z
          .array(z.string().nullable())
          .length(2)
          .describe(
            'the value of each record; for the pipeline state of a paused record, with the state before the pause',
          ),
        evidence: z.array(z.int()).length(2).describe('number of observations of the field on each side'),
        differs: z.boolean(),
        mustChoose: z.boolean(),
      }),
    ),
    pipelineStates: z.array(pipelineStateSchema).length(2),
    doNotContact: z.string().describe('the resulting do not contact status, in words'),
  })
  .meta({ id: 'MergePreview', description: 'Preview of a merge: what would move, and what a person has to decide.' })
export type MergePreview = z.infer<typeof mergePreviewSchema>
