import { z } from 'zod'
import { actorRefSchema, tokenRefSchema } from '../../http/actor-ref.ts'
import { hashOfValues } from '../../http/hidden-fields.ts'
import { declaredList, pageOf, pageQuery } from '../../http/pagination.ts'
import { instant } from '../../http/text.ts'
import { inDigits } from '../../lib/digits.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { auditActionNames, auditSubjectTypes } from '../facts.ts'
import { headSchema } from './heads/head.ts'

const bodySchema = z.record(z.string(), z.unknown())
export const readBody = jsonColumn(bodySchema)
const body = bodySchema.nullable()

export const auditEventSchema = z
  .object({
    id: z.string(),
    sequence: z.int().describe('Counts the events of the workspace from 1, without gaps.'),
    at: z.string(),
    actor: actorRefSchema,
    token: tokenRefSchema.nullable().describe('The access token with which a program acted for the actor.'),
    action: z.string().describe('`<room>.<verb>`, such as `business.create`.'),
    subject: z.object({
      type: z.string().describe('One of `subjects` of `GET /audit-actions`, or a type of an earlier release.'),
      id: z.string(),
      name: z
        .string()
        .nullable()
        .describe('Name of the user or the access token, or of the invited person while the invitation is open.'),
    }),
    businessId: z.string().nullable().describe('The business whose activity lists this event.'),
    businessName: z.string().nullable().describe('Its current name; the chain stores ids only.'),
    businessDoNotContact: z.boolean().nullable().describe('Whether it is currently do not contact.'),
    before: body,
    after: body,
    reason: z.string().nullable(),
    erased: z.boolean().describe('The content was erased with a record; the event itself remains.'),
    correlationId: z
      .string()
      .describe(
        'The X-Request-Id of the request that caused it. If the request had a valid traceparent header, it begins with the trace id.',
      ),
    hash: hashOfValues(),
    previousHash: hashOfValues(),
  })
  .meta({ id: 'AuditEvent', description: 'A recorded change, chained to the previous event by its hash.' })

export type AuditEvent = z.infer<typeof auditEventSchema>

export const auditPageSchema = pageOf(auditEventSchema).meta({ id: 'AuditPage' })

export const auditActionsSchema = z
  .object({
    items: declaredList(
      z.object({
        action: z.enum(auditActionNames),
        label: z.string().describe('The action as a label: `Note added`.'),
        isSecurity: z.boolean().describe('True if `GET /security-events` lists events with this action.'),
      }),
    ),
    subjects: declaredList(
      z.object({
        type: z.enum(auditSubjectTypes),
        label: z.string().describe('The type of record as a label: `Draft`.'),
      }),
    ),
  })
  .meta({
    id: 'AuditActions',
    description:
      'Every action that this release records, and every type of record that its events are about, with labels.',
  })

export const auditInclusionSchema = z
  .object({
    eventId: z.string(),
    sequence: z.int(),
    hash: hashOfValues(),
    coveredBy: z.int().describe('The sequence of the next signed checkpoint.'),
    lines: z
      .array(hashOfValues())
      .describe(
        'Lines of a proof without any content (docs/proof-format.md). Stored as a file, `proof/verify.mjs` verifies them.',
      ),
  })
  .meta({ id: 'AuditInclusion', description: 'Shows without content that an event is in the signed chain.' })

export const auditHeadsSchema = z
  .object({
    items: declaredList(headSchema).describe('The head of the chain of the workspace. Empty without an event.'),
    publicKey: z.string().describe('The key that signs heads and checkpoints, in PEM. Keep it with the heads.'),
  })
  .meta({ id: 'AuditHeads', description: 'The signed ends of the audit chains that the reader may verify.' })

const word = z.string().min(1).max(200)

/** The conditions of the list and of an export of it. */
const auditConditions = {
  actor: word.describe("A user's id, or the name of a part of the system.").optional(),
  action: z.enum(auditActionNames).optional(),
  subjectType: word.optional(),
  subjectId: word.optional(),
  businessId: word.describe('Events of this business and of its records, such as notes.').optional(),
  field: z
    .string()
    .regex(/^\w{1,50}$/)
    .describe('With `businessId`: events that have this field among their values, such as `phones`.')
    .optional(),
  from: instant.describe('At this time or later.').optional(),
  to: instant.describe('Before this time.').optional(),
}

export const listAuditEventsQuery = z.strictObject({ ...pageQuery, ...auditConditions })
export type ListAuditEvents = z.infer<typeof listAuditEventsQuery>

export const auditFilterSchema = z
  .strictObject(auditConditions)
  .refine(({ field, businessId }) => field === undefined || businessId !== undefined, {
    path: ['businessId'],
    message: 'Name the business whose changes of a field to list.',
  })
export type AuditFilter = z.infer<typeof auditFilterSchema>

export const listSecurityEventsQuery = z.strictObject({
  ...pageQuery,
  user: word.describe('The account that the event is about, or its actor.').optional(),
  action: word.optional(),
  from: instant.describe('At this time or later.').optional(),
  to: instant.describe('Before this time.').optional(),
})

export type ListSecurityEvents = z.infer<typeof listSecurityEventsQuery>
export type SecurityFilter = Omit<ListSecurityEvents, keyof typeof pageQuery>

export const verifyAuditChainQuery = z.strictObject({
  after: inDigits(z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0)).describe(
    'Continue after this sequence: `nextAfter` of the previous response.',
  ),
})

export const auditVerificationSchema = z
  .object({
    status: z
      .enum(['intact', 'unproven', 'broken', 'partial'])
      .describe(
        'intact: proven by signed checkpoints up to `provenTo`, not compared with a copy. unproven: nothing contradicts the history, but the checkpoints do not prove it. partial: the checked events are chained, and more follow; request again with `nextAfter`.',
      ),
    checkedEvents: z.int(),
    fromSequence: z.int(),
    toSequence: z.int(),
    nextAfter: z.int().nullable(),
    firstBroken: z
      .object({
        sequence: z.int().describe('0 when the file of checkpoints is damaged rather than an event.'),
        reason: z.string(),
      })
      .nullable(),
    unproven: z.string().nullable().describe('Why the checkpoints do not prove the history.'),
    provenTo: z.int().describe('The newest event that a checkpoint covers; 0 without one, and before the last part.'),
    checkpoints: z.object({
      checked: z.int(),
      latest: z.object({ sequence: z.int(), at: z.string() }).nullable(),
    }),
    verifiedAt: z.string(),
  })
  .meta({ id: 'AuditVerification', description: 'Whether the history is unchanged since it was written and signed.' })

export type AuditVerification = z.infer<typeof auditVerificationSchema>
