import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../../http/actor-ref.ts'
import { hashOfValues } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { flag, line, recordId } from '../../../http/text.ts'
import { auditEventSchema } from '../../audit/audit.ts'
import { contactHoursSchema } from '../../contact-hours/contact-hours.ts'
import { checkKeys, checkResults } from '../checks/checks.rules.ts'
import { causeCodes } from '../checks/snapshot.rules.ts'
import {
  channelSchema,
  contentShape,
  labelSchema,
  purposeSchema,
  reasonText,
  recipientKindSchema,
} from '../content/content.schema.ts'
import { draftStates, eventKinds } from '../drafts.table.ts'
import { limits } from '../limits.ts'

const title = line(limits.titleLength)

export const createDraftSchema = z.strictObject({
  businessId: recordId,
  title,
  ...contentShape,
  suggestionId: recordId
    .nullish()
    .describe('The approved suggestion as which the text starts; versions keep it, with its label'),
  assigneeId: recordId.nullish().describe('By default the author; their name is sender.name'),
})
export type CreateDraft = z.output<typeof createDraftSchema>

/** Absent properties stay; a list is replaced as a whole. */
export const saveDraftSchema = z.strictObject({
  title: title.optional(),
  assigneeId: recordId.optional(),
  jurisdiction: contentShape.jurisdiction.optional(),
  channel: contentShape.channel.optional(),
  purpose: contentShape.purpose.optional(),
  language: contentShape.language.optional(),
  recipient: contentShape.recipient.optional(),
  subject: contentShape.subject,
  text: contentShape.text.optional(),
  citations: contentShape.citations.unwrap().optional(),
  noCitationReason: contentShape.noCitationReason,
  acknowledgements: contentShape.acknowledgements.unwrap().optional(),
  templateId: contentShape.templateId,
})
export type SaveDraft = z.output<typeof saveDraftSchema>

export const checkSchema = z
  .object({
    key: z.enum(checkKeys),
    result: z.enum(checkResults).describe('unknown blocks like fail'),
    message: z.string(),
    action: z.string().nullable().describe('What to do'),
    path: z.string().nullable().describe('The part of the draft or of the record that it is about'),
  })
  .meta({ id: 'DraftCheck' })

const stateSchema = z.enum(draftStates).meta({ id: 'DraftState' })
const recordShape = {
  id: z.string(),
  version: z.int(),
  createdAt: z.string(),
  createdBy: actorRefSchema,
  updatedAt: z.string(),
}
const business = z.object({ id: z.string(), name: z.string(), doNotContact: z.boolean() })

export const draftSummarySchema = z
  .object({
    ...recordShape,
    title: z.string().describe('••• if the record is do not contact and the reader may not see its values'),
    state: stateSchema.describe('As stored: an approval that ended a moment ago may still be listed as approved'),
    business,
    jurisdiction: z.string(),
    channel: channelSchema,
    assignee: personRefSchema,
    staleSince: z.string().nullable(),
  })
  .meta({ id: 'DraftSummary' })
export type DraftSummary = z.infer<typeof draftSummarySchema>

export const draftPageSchema = pageOf(draftSummarySchema).meta({ id: 'DraftPage' })

export const listDraftsQuery = z
  .strictObject({
    businessId: recordId.optional().describe('Of this record and of those merged into it'),
    state: stateSchema.optional(),
    mine: flag.optional().describe('Open drafts that are assigned to the reader'),
    awaitingMyApproval: flag.optional().describe('Requests that the reader may decide'),
    ...pageQuery,
  })
  .refine(
    ({ businessId, state, mine, awaitingMyApproval }) =>
      [businessId, state, mine, awaitingMyApproval].filter((one) => one !== undefined && one !== false).length <= 1,
    'Filter by one of businessId, state, mine and awaitingMyApproval.',
  )
export type ListDrafts = z.output<typeof listDraftsQuery>

const citation = z.object({
  marker: z.int(),
  evidenceId: z.string(),
  evidenceHash: hashOfValues(),
  quote: z.string().nullable(),
})
const acknowledgement = z.object({ evidenceId: z.string(), reason: z.string() })
const recipient = z.object({ kind: recipientKindSchema, value: z.string() })

const writtenShape = {
  jurisdiction: z.string(),
  channel: channelSchema,
  purpose: purposeSchema,
  language: z.string(),
  recipient,
  subject: z.string().nullable(),
  text: z.string(),
  citations: z.array(citation),
  noCitationReason: z.string().nullable(),
  acknowledgements: z.array(acknowledgement),
  templateId: z.string().nullable(),
  suggestionId: z.string().nullable(),
  label: labelSchema,
  contentHash: hashOfValues(),
}

const rendered = z
  .object({ subject: z.string().nullable(), text: z.string() })
  .describe('With merge fields replaced and without markers: what a person would copy')

const causeSchema = z
  .object({
    code: z.enum(causeCodes),
    subject: z.string().describe('What changed: an id, a field or a part of the draft'),
    before: z.string().nullable(),
    after: z.string().nullable(),
    at: z.string().nullable().describe('When it happened, as far as the audit says'),
    by: actorRefSchema.nullable(),
  })
  .meta({ id: 'DraftCause' })
export type ToldCause = z.infer<typeof causeSchema>

const eventSchema = z
  .object({
    id: z.string(),
    kind: z.enum(eventKinds),
    version: z.int(),
    reason: z.string().nullable(),
    at: z.string(),
    by: actorRefSchema,
  })
  .meta({ id: 'DraftEvent' })

const capSchema = z.object({ used: z.int(), most: z.int(), freeAt: z.string().nullable() })

export const draftSchema = z
  .object({
    ...recordShape,
    title: z.string(),
    business,
    assignee: personRefSchema,
    ...writtenShape,
    textHidden: z.boolean().describe('The reader may not see values of this do not contact record'),
    rendered: rendered.nullable(),
    state: stateSchema.describe('As the checks of this moment judge it'),
    snapshotHash: hashOfValues(),
    checks: z.array(checkSchema),
    request: z
      .object({
        by: actorRefSchema,
        at: z.string(),
        endsAt: z.string(),
        contentHash: hashOfValues(),
        snapshotHash: hashOfValues(),
        mayDecide: z.boolean(),
        refusal: z.string().nullable().describe('Why the reader may not decide'),
      })
      .nullable(),
    approval: z
      .object({
        by: actorRefSchema,
        at: z.string(),
        reason: z.string(),
        endsAt: z.string(),
        contentHash: hashOfValues(),
        snapshotHash: hashOfValues(),
      })
      .nullable(),
    stale: z.object({ since: z.string(), causes: z.array(causeSchema) }).nullable(),
    newSinceApproval: z.array(z.object({ evidenceId: z.string(), at: z.string() })),
    lastApprovedVersion: z.int().nullable(),
    copies: z.object({ count: z.int(), last: z.string().nullable() }),
    contactHours: contactHoursSchema
      .extend({ isRefused: z.boolean().describe('The policy refuses copies at this time') })
      .meta({ id: 'DraftContactHours' }),
    caps: z.object({ recipient: capSchema, person: capSchema, tenant: capSchema }),
    versions: z.object({
      policy: z.string().nullable(),
      snapshotRules: z.int(),
      suggestion: z.string().nullable(),
      provider: z.string().nullable(),
      assistPolicy: z.string().nullable(),
    }),
    history: z.array(eventSchema).describe(`The newest ${limits.historyShown} events, newest first`),
  })
  .meta({ id: 'Draft' })
export type Draft = z.infer<typeof draftSchema>

export const versionSchema = z
  .object({
    number: z.int(),
    ...writtenShape,
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'DraftVersion' })
export type DraftVersion = z.infer<typeof versionSchema>
export const versionPageSchema = pageOf(versionSchema).meta({ id: 'DraftVersionPage' })
export const listVersionsQuery = z.strictObject(pageQuery)

export const draftParams = z.object({ draftId: recordId })

export const checkDraftSchema = z.strictObject({
  ...createDraftSchema.shape,
  draftId: recordId.nullish().describe('The draft that it would be saved to, whose assignee is the sender'),
})
export type CheckUnsaved = z.output<typeof checkDraftSchema>
export const checkedSchema = z
  .object({
    rendered: rendered.nullable(),
    checks: z.array(checkSchema),
    label: labelSchema,
    contentHash: hashOfValues(),
    snapshotHash: hashOfValues(),
  })
  .meta({ id: 'CheckedDraft' })
export type Checked = z.infer<typeof checkedSchema>

const hash = z.string().regex(/^[0-9a-f]{64}$/, 'Send the hash of the draft that you saw.')
const seenShape = { contentHash: hash, snapshotHash: hash }

export const requestApprovalSchema = z.strictObject(seenShape)
export type Seen = z.output<typeof requestApprovalSchema>
export const approveDraftSchema = z.strictObject({
  ...seenShape,
  reason: reasonText,
  endsInDays: z.int().min(1).max(limits.longestApprovalDays).default(limits.approvalDays),
})
export type ApproveDraft = z.output<typeof approveDraftSchema>
export const approvedDraftSchema = z.object({
  draft: draftSchema,
  event: auditEventSchema.describe('The audit event of this approval, as it was read back'),
})
export const rejectDraftSchema = z.strictObject({
  reason: reasonText,
  contentHash: hash
    .optional()
    .describe('The content that you saw. The rejection is refused if another version waits meanwhile'),
})
export type RejectDraft = z.output<typeof rejectDraftSchema>
export const withdrawRequestSchema = z.strictObject({ reason: reasonText.nullish() })
export const closeDraftSchema = z.strictObject({ reason: reasonText })

export const approvalRequestSchema = z
  .object({
    id: z.string(),
    draft: draftSummarySchema,
    version: z.int(),
    by: actorRefSchema,
    at: z.string(),
    endsAt: z.string(),
    contentHash: hashOfValues(),
    snapshotHash: hashOfValues(),
    mayDecide: z.boolean(),
  })
  .meta({ id: 'DraftApprovalRequest' })
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>
export const approvalRequestPageSchema = pageOf(approvalRequestSchema).meta({ id: 'DraftApprovalRequestPage' })
export const listRequestsQuery = z.strictObject(pageQuery)
