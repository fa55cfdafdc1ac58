import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { aboutBusiness, freeText, hashOfValues } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { recordId, text } from '../../../http/text.ts'
import { auditEventSchema } from '../../audit/audit.ts'
import { assistPurposes, suggestionStates } from '../assist.table.ts'
import { EVIDENCE_ITEMS, REASON_LENGTH } from '../bounds.ts'
import { type Claim, dropReasons, redactionKinds, withheldReasons } from './claims.ts'

/** Shown on every suggestion and on every text that started as one. */
export const SUGGESTION_LABEL = 'AI draft — human review required'

const MAX_EVIDENCE_SENT = 200

const selection = {
  businessId: recordId,
  purpose: z.enum(assistPurposes),
  // More than the selection accepts: it is refused by name, not as a malformed request.
  evidenceIds: z.array(recordId).min(1).max(MAX_EVIDENCE_SENT).describe(`1 to ${EVIDENCE_ITEMS}`),
}
export const previewRequestSchema = z.strictObject(selection)
export const requestSuggestionSchema = z.strictObject({ ...selection, contentHash: z.string().max(64) })
export type RequestSuggestion = z.output<typeof requestSuggestionSchema>

export const previewSchema = z
  .object({
    content: z.string().nullable().describe('The exact bytes that would be sent'),
    contentHash: z.string().nullable(),
    bytes: z.int(),
    redactions: z.array(z.object({ evidenceId: z.string(), kind: z.enum(redactionKinds), count: z.int() })),
    withheld: z
      .array(z.object({ evidenceId: z.string(), reason: z.enum(withheldReasons) }))
      .describe(
        'Observations that are not sent: a contact value is left after redaction, a text is too long to examine, or it has too many contact values',
      ),
    reservation: z
      .object({ tokens: z.int(), cost: z.int() })
      .describe('The worst case, which a request reserves before the call'),
    blocked: z
      .object({ code: z.string(), detail: z.string(), evidenceIds: z.array(z.string()) })
      .nullable()
      .describe('Why these bytes could not be sent now; content is then null'),
  })
  .meta({ id: 'AssistPreview' })
export type Preview = z.infer<typeof previewSchema>

const citationSchema = z.object({
  evidenceId: z.string(),
  hash: hashOfValues(z.string()),
  quotes: z.array(freeText(z.string())),
})
const claimSchema = z.object({
  text: freeText(z.string()),
  citations: z.array(citationSchema),
}) satisfies z.ZodType<Claim>
export const claimsSchema = z.array(claimSchema)

export const resultSchema = z.object({
  kind: z.enum(['full', 'partial', 'unknown', 'unavailable']),
  reason: z.string().nullable().describe('A code; null for a full result'),
  detail: z.string().nullable().describe('A sentence for people'),
  retryAfter: z.string().nullable(),
  dropped: z.array(z.object({ reason: z.enum(dropReasons), count: z.int() })),
})
export type Result = z.infer<typeof resultSchema>

export const versionsSchema = z.object({
  provider: z.string().describe('The source and the version of its contract'),
  adapter: z.string(),
  model: z.string(),
  adaptersFile: z.string().nullable(),
  policy: z.int(),
  redaction: z.int(),
  prompt: z.int(),
})
export type Versions = z.infer<typeof versionsSchema>

export const usageSchema = z.object({
  tokens: z.int(),
  cost: z.int(),
  reported: z.boolean().describe('false: the provider reported none, so the whole reservation counts'),
})
export type SuggestionUsage = z.infer<typeof usageSchema>

export const suggestionSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness(),
    purpose: z.enum(assistPurposes),
    label: z.literal(SUGGESTION_LABEL),
    state: z.enum(suggestionStates).describe('Computed now'),
    stateReason: z
      .object({ code: z.string(), since: z.string().nullable(), subject: z.string().nullable() })
      .nullable(),
    jobId: z.string(),
    result: resultSchema.nullable(),
    claims: z.array(claimSchema).describe('••• for readers who may not see the values of the record'),
    evidence: z.array(z.object({ evidenceId: z.string(), hash: hashOfValues() })),
    evidenceHash: hashOfValues(),
    fingerprint: hashOfValues(z.string(), { instead: null })
      .nullable()
      .describe('Covers result, claims, evidence and versions; a decision names it'),
    versions: versionsSchema.nullable(),
    fallbackUsed: z.boolean(),
    usage: usageSchema.nullable(),
    requestedAt: z.string(),
    requestedBy: actorRefSchema,
    decision: z
      .object({
        decision: z.enum(['approve', 'reject']),
        reason: freeText(),
        by: actorRefSchema,
        at: z.string(),
        auditEventId: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'AssistSuggestion' })
export type Suggestion = z.infer<typeof suggestionSchema>
export const suggestionPageSchema = pageOf(suggestionSchema).meta({ id: 'AssistSuggestionPage' })

export const suggestionParams = z.object({ assistSuggestionId: recordId })
export const suggestionQuery = z.strictObject({
  ...pageQuery,
  businessId: recordId.optional(),
  purpose: z.enum(assistPurposes).optional(),
  state: z
    .enum(suggestionStates)
    .optional()
    .describe('The stored state: what changed in the last seconds may still be listed under the former one'),
})

export const decideSchema = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  reason: text(REASON_LENGTH),
  fingerprint: z.string().max(64),
})
export type Decide = z.output<typeof decideSchema>

export const decidedSchema = z
  .object({ suggestion: suggestionSchema, event: auditEventSchema.describe('As it was read back') })
  .meta({ id: 'DecidedSuggestion' })

export const exchangeSchema = z
  .object({
    items: z
      .array(
        z.object({
          direction: z.enum(['sent', 'received']),
          body: z.string().nullable().describe('null: not stored, or emptied'),
          bytes: z.int(),
          sha256: z.string(),
          at: z.string(),
          deleteAfter: z.string().nullable(),
          emptiedAt: z.string().nullable(),
        }),
      )
      .max(2),
  })
  .meta({ id: 'AssistExchange', description: 'What was sent, and what was received.' })
export type Exchange = z.infer<typeof exchangeSchema>
