import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { instant, line, recordId, region, text } from '../../http/text.ts'
import { numeral } from '../../lib/numeral.ts'
import { auditEventSchema } from '../audit/audit.ts'
import { businessSchema } from '../businesses/businesses.ts'
import { channels } from '../contact-gate/contact-gate.ts'

/** Limits of the suppression centre; `docs/limits.md` lists them. */
export const limits = {
  valueLength: 320,
  reasonLength: 1_000,
  requestedByLength: 200,
  referenceLength: 200,
  checkedValues: 100,
  batchLines: 1_000,
  lineLength: 1_000,
  searchLength: 320,
  /** values of one prospect that can be suppressed in one change, and that are listed for this */
  valuesOfRecord: 200,
  /** emails, phones and domains of a prospect and of the records merged into it that are read for this list */
  identifiersOfFamily: 1_000,
} as const

const kindSchema = z.enum(['email', 'phone', 'domain'])
const scopeSchema = z
  .enum(['exact', 'with_subdomains'])
  .meta({ id: 'SuppressionScope', description: 'with_subdomains: a domain and every host below it.' })
const channelSchema = z
  .enum(channels)
  .meta({ id: 'SuppressionChannel', description: 'How the request reached the desk.' })

/** Origin of a suppression: reason, requesting person, channel, reference and time. An entry has its own; a batch has one for all of its entries. */
const provenance = {
  reason: text(limits.reasonLength),
  requestedBy: line(limits.requestedByLength).nullable().default(null),
  channel: channelSchema,
  reference: line(limits.referenceLength).nullable().default(null),
  requestedAt: instant.optional().describe('When they asked; defaults to now.'),
  expiresAt: instant
    .nullish()
    .describe(
      'Refused: entries do not expire, only an authorized removal ends one. A workspace can set a review term for all (`editTenant`).',
    ),
}

const acceptUnknownSuffix = z
  .boolean()
  .default(false)
  .describe(
    'true: the ending of the host is right although it is not in the list of suffixes. Without it, such a value is refused with the code `unknown_suffix`.',
  )

export const addSuppressionSchema = z.strictObject({
  kind: kindSchema,
  value: line(limits.valueLength),
  region: region.nullable().default(null),
  scope: scopeSchema.default('exact'),
  acceptUnknownSuffix,
  ...provenance,
})
export type AddSuppression = z.output<typeof addSuppressionSchema>
export type Provenance = Pick<
  AddSuppression,
  'reason' | 'requestedBy' | 'channel' | 'reference' | 'requestedAt' | 'expiresAt'
>

const lines = z
  .array(z.string().max(limits.lineLength, `At most ${numeral(limits.lineLength)} characters per line.`))
  .min(1, 'Paste at least one line.')
  .max(limits.batchLines)

const batchShape = {
  lines: lines.describe(
    'One address, number or domain per line. Other text on the line, such as further cells of a row, is ignored, and so are empty lines.',
  ),
  region: region.nullable().default(null).describe('The country of numbers in local form.'),
  domainScope: scopeSchema.default('exact').describe('For the lines that are domains.'),
  acceptUnknownSuffix,
}
export const previewBatchSchema = z.strictObject(batchShape)
export type PreviewBatch = z.output<typeof previewBatchSchema>
export const addBatchSchema = z.strictObject({ ...batchShape, ...provenance })
export type AddBatch = z.output<typeof addBatchSchema>

const valueOfRecord = z.strictObject({
  kind: kindSchema,
  value: line(limits.valueLength).describe('As in the list of values of the prospect.'),
  scope: scopeSchema.default('exact'),
})

/** The properties of a request that blocks a prospect and suppresses its values. */
const optOut = {
  reason: text(limits.reasonLength),
  alsoSuppress: z
    .array(valueOfRecord)
    .max(limits.valuesOfRecord)
    .default([])
    .describe(
      'Values of this prospect, or of one merged into it, that are suppressed in the same change. Requires suppression.add.',
    ),
  requestedBy: line(limits.requestedByLength).nullable().default(null).describe('For the entries of `alsoSuppress`.'),
}

export const blockBusinessSchema = z.strictObject({
  ...optOut,
  channel: channelSchema.nullable().default(null).describe('For the entries of `alsoSuppress`; required with them.'),
})
export type BlockBusiness = z.output<typeof blockBusinessSchema>

/** The block within a request of another room, which knows how the prospect asked. */
export const optOutSchema = z.strictObject(optOut)

/** The effect of the `alsoSuppress` of a request. */
export const suppressedSchema = z
  .object({
    added: z.int().describe('Number of new entries.'),
    repeated: z.int().describe('Number of values with an entry; the request was added to its history.'),
    marked: z.int().describe('Number of other prospects that the new entries marked as do not contact.'),
  })
  .optional()
  .describe('Only for a request with `alsoSuppress`.')
export type Suppressed = NonNullable<z.infer<typeof suppressedSchema>>

export const blockedBusinessSchema = businessSchema
  .extend({ suppressed: suppressedSchema })
  .meta({ id: 'BlockedBusiness' })
export type BlockedBusiness = z.infer<typeof blockedBusinessSchema>

export const valuesOfRecordSchema = z
  .object({
    items: z
      .array(
        z.object({
          kind: kindSchema,
          value: z.string(),
          label: z.string().nullable(),
          normalized: z.string().nullable().describe('The form that an entry would have; null: it would be refused.'),
          refusal: z.string().nullable().describe('Why there can be no entry for it.'),
          isSuppressed: z.boolean(),
          others: z
            .int()
            .describe(
              'Number of other prospects that an entry for it would mark as do not contact, counted up to 1,000. The entry of a domain includes its subdomains.',
            ),
        }),
      )
      .max(limits.valuesOfRecord),
    isComplete: z.boolean().describe(`false: the prospect has more than ${limits.valuesOfRecord} values.`),
  })
  .meta({ id: 'ValuesToSuppress' })
export type ValuesOfRecord = z.infer<typeof valuesOfRecordSchema>

export const suppressionSchema = z
  .object({
    id: z.string(),
    kind: kindSchema,
    scope: scopeSchema,
    original: z.string().nullable().describe('null: a tombstone, which has only a hash.'),
    normalized: z.string().nullable(),
    region: z.string().nullable(),
    rulesVersion: z.string(),
    reason: z.string(),
    requestedBy: z.string().nullable(),
    channel: channelSchema,
    reference: z.string().nullable(),
    requestedAt: z.string(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    tombstone: z.boolean(),
    status: z.enum(['active', 'removed']),
    termEndsOn: z
      .string()
      .nullable()
      .describe(
        'The last day, in UTC, of the review term that the workspace set; null: none is set, or the entry has ended.',
      ),
    isPastTerm: z.boolean().describe('true: it is due for review. It stays active until it is removed.'),
    removal: z.object({ at: z.string(), by: actorRefSchema, reason: z.string() }).nullable(),
  })
  .meta({
    id: 'Suppression',
    description: 'An address, a number or a domain that must not be contacted, with the requester.',
  })
export type Suppression = z.infer<typeof suppressionSchema>

export const addedSuppressionSchema = z
  .object({
    suppression: suppressionSchema,
    created: z.boolean().describe('false: it already existed; the repeated request is in its history.'),
    marked: z.int().describe('Number of businesses that this marked as do not contact.'),
    ignored: z.string().nullable().describe('The text beside the value. It is not stored.'),
  })
  .meta({ id: 'AddedSuppression' })
export type AddedSuppression = z.infer<typeof addedSuppressionSchema>

const lineShape = {
  line: z.int().describe('Counts from 1.'),
  text: z.string(),
  kind: kindSchema.nullable(),
  normalized: z.string().nullable(),
  ignored: z.string().nullable().describe('The text beside the value. It is not stored.'),
  code: z
    .string()
    .nullable()
    .describe('Why a line is refused. `unknown_suffix`: it is accepted with `acceptUnknownSuffix`.'),
  message: z.string().nullable(),
}
export const previewLineSchema = z
  .object({
    ...lineShape,
    outcome: z.enum(['would_add', 'stands_already', 'repeated', 'refused', 'empty']),
    records: z.int().nullable().describe('Number of businesses that have it now, counted up to 1,000.'),
  })
  .meta({ id: 'SuppressionPreviewLine' })
export type PreviewLine = z.infer<typeof previewLineSchema>
export const previewAnswerSchema = z
  .object({
    items: z.array(previewLineSchema),
    records: z.int().describe('Number of businesses that the batch would mark as do not contact, counted up to 1,000.'),
  })
  .meta({ id: 'SuppressionPreview' })

export const batchLineSchema = z
  .object({
    ...lineShape,
    outcome: z.enum(['added', 'stood_already', 'repeated', 'refused', 'empty']),
    suppressionId: z.string().nullable(),
    marked: z.int(),
  })
  .meta({ id: 'SuppressionBatchLine' })
export type BatchLine = z.infer<typeof batchLineSchema>
export const batchAnswerSchema = z
  .object({ items: z.array(batchLineSchema), added: z.int(), marked: z.int() })
  .meta({ id: 'SuppressionBatch' })
export type BatchAnswer = z.infer<typeof batchAnswerSchema>

export const checkSchema = z.strictObject({
  values: z
    .array(
      z.strictObject({ kind: kindSchema, value: line(limits.valueLength), region: region.nullable().default(null) }),
    )
    .min(1, 'Send at least one value.')
    .max(limits.checkedValues),
})
export const checkAnswerSchema = z
  .object({
    items: z.array(
      z.object({
        kind: kindSchema,
        value: z.string(),
        suppressed: z.boolean(),
        suppressions: z.array(suppressionSchema),
        found: z
          .array(
            z.object({
              suppressionId: z.string(),
              text: z.string().describe('The part of the value that the entry matches.'),
              read: z
                .enum(['plain', 'obfuscated', 'decoded', 'joined'])
                .describe(
                  'How it was read. obfuscated: a sign is written out, as in `[at]`; decoded: behind escapes, as in `%40`; joined: over the end of a line.',
                ),
            }),
          )
          .describe('The text that each entry matches.'),
      }),
    ),
  })
  .meta({ id: 'SuppressionCheck' })

export const removeSuppressionSchema = z.strictObject({ reason: text(limits.reasonLength) })
export const removedSuppressionSchema = z
  .object({
    suppression: suppressionSchema,
    freed: z.int().describe('Number of businesses that it blocked; those with another block stay blocked.'),
    event: auditEventSchema.describe('The audit event of this removal, as it was read back.'),
  })
  .meta({ id: 'RemovedSuppression' })
export type RemovedSuppression = z.infer<typeof removedSuppressionSchema>

export const evaluationSchema = z
  .object({
    rulesVersion: z.string().describe('The rules of this build, by which values are read now'),
    evaluated: z
      .object({ rulesVersion: z.string(), at: z.string() })
      .nullable()
      .describe(
        'The rules by which all entries and records were last evaluated; null: never as a whole, only as they were written',
      ),
    jobId: z.string().nullable().describe('The job that evaluates all of them now'),
  })
  .meta({ id: 'SuppressionEvaluation' })
export type Evaluation = z.infer<typeof evaluationSchema>

export const listSuppressionsQuery = z.strictObject({
  q: text(limits.searchLength)
    .optional()
    .describe(
      'A whole email address, number or domain, in any form. A part of one finds nothing, so no result does not prove that contact is allowed.',
    ),
  kind: kindSchema.optional(),
  status: z
    .enum(['active', 'removed', 'past_term'])
    .optional()
    .describe('past_term: active and due for review; the one whose term began last comes first.'),
  ...pageQuery,
})
export type ListSuppressions = z.output<typeof listSuppressionsQuery>
export const suppressionPageSchema = pageOf(suppressionSchema).meta({ id: 'SuppressionPage' })

export const historySchema = z
  .object({
    id: z.string(),
    at: z.string(),
    by: actorRefSchema,
    action: z.enum(['added', 'requested_again', 'removed', 'reevaluated']),
    reason: z.string(),
    requestedBy: z.string().nullable(),
    channel: channelSchema.nullable(),
    reference: z.string().nullable(),
    requestedAt: z.string().nullable(),
    records: z.int().describe('Number of businesses that it marked or freed.'),
  })
  .meta({ id: 'SuppressionHistoryItem' })
export type HistoryItem = z.infer<typeof historySchema>
export const historyPageSchema = pageOf(historySchema).meta({ id: 'SuppressionHistoryPage' })

const causeSchema = z.enum(['entry', 'record', 'merge', 'reevaluation'])
export const matchSchema = z
  .object({
    business: z.object({
      id: z.string(),
      name: z.string(),
      status: z.enum(['active', 'merged', 'inactive']),
      doNotContact: z.boolean(),
    }),
    at: z.string(),
    cause: causeSchema,
    live: z.boolean().describe('false: the entry has ended.'),
  })
  .meta({ id: 'SuppressionMatch' })
export type Match = z.infer<typeof matchSchema>
export const matchPageSchema = pageOf(matchSchema).meta({ id: 'SuppressionMatchPage' })

export const businessSuppressionSchema = z
  .object({ suppression: suppressionSchema, at: z.string(), cause: causeSchema, live: z.boolean() })
  .meta({ id: 'BusinessSuppression' })
export type BusinessSuppression = z.infer<typeof businessSuppressionSchema>
export const businessSuppressionPageSchema = pageOf(businessSuppressionSchema).meta({ id: 'BusinessSuppressionPage' })

export const suppressionParams = z.object({ suppressionId: recordId })
