import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, contactValue, freeText } from '../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { day, instant, line, recordId, text } from '../../http/text.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { requestKinds, requestOutcomes } from './requests.table.ts'

/** Limits of subject requests; `docs/limits.md` lists them. */
export const limits = {
  /** days within which a request is answered, counted from the day on which it was received */
  days: 30,
  /** days by which the one extension can move the due day */
  extensionDays: 30,
  /** days after the answer at which the data of the person are emptied */
  keptDays: 1_095,
  nameLength: 200,
  contactLength: 320,
  textLength: 2_000,
  acts: 20,
  /** acts of the prospect that the page of a request offers to link, the newest first */
  foundActs: 50,
} as const

export const requestParams = z.object({ requestId: recordId })

const kindSchema = z
  .enum(requestKinds)
  .meta({ id: 'SubjectRequestKind' })
  .describe('source: where the workspace has the data from')

const requesterInput = z.strictObject({
  name: line(limits.nameLength),
  contact: line(limits.contactLength)
    .nullable()
    .default(null)
    .describe('Where the person is answered. Accepted also while it is suppressed, and used for nothing else'),
})

export const addRequestSchema = z.strictObject({
  kind: kindSchema,
  receivedAt: instant,
  requester: requesterInput,
  identityCheck: text(limits.textLength).nullable().default(null).describe('How the identity was checked'),
  businessId: recordId.nullable().default(null).describe('The prospect that the request is about'),
})
export type AddRequest = z.output<typeof addRequestSchema>

export const editRequestSchema = z
  .strictObject({
    requester: requesterInput.optional(),
    identityCheck: text(limits.textLength).nullable().optional(),
    businessId: recordId.nullable().optional(),
  })
  .refine((edit) => Object.values(edit).some((value) => value !== undefined), 'Send at least one field.')
export type EditRequest = z.output<typeof editRequestSchema>

export const extendRequestSchema = z.strictObject({
  dueOn: day.describe(`At most ${limits.extensionDays} days after the due day. A request is extended once`),
  reason: text(limits.textLength),
})
export type ExtendRequest = z.output<typeof extendRequestSchema>

export const answerRequestSchema = z.strictObject({
  outcome: z.enum(requestOutcomes),
  how: text(limits.textLength).describe('How the person was answered, and what was answered'),
  acts: z
    .array(recordId)
    .max(limits.acts)
    .refine((ids) => new Set(ids).size === ids.length, 'Name each act once.')
    .default([])
    .describe('Ids of audit events that carried the request out, such as the block or the erasure'),
})
export type AnswerRequest = z.output<typeof answerRequestSchema>

const requestStatuses = ['open', 'overdue', 'answered'] as const
export const listRequestsQuery = z.strictObject({
  ...pageQuery,
  state: z
    .enum([...requestStatuses, 'upcoming'])
    .default('open')
    .describe(
      'open and overdue: the earliest due day first. overdue: open, and due before today. upcoming: the other open ones. answered: newest first',
    ),
})
export type ListRequests = z.output<typeof listRequestsQuery>

export const readActs = jsonColumn(z.array(z.string()))

const actSchema = z.object({
  eventId: z.string(),
  at: z.string(),
  actor: actorRefSchema,
  action: z.string(),
  label: z.string().describe('The action as a label'),
})
export type Act = z.infer<typeof actSchema>

const requestShape = {
  id: z.string(),
  version: z.int(),
  kind: kindSchema,
  receivedAt: z.string(),
  dueOn: z.string().describe('The last day, in the time zone of the workspace'),
  status: z.enum(requestStatuses),
  requester: z.object({
    name: freeText(),
    contact: contactValue('domain').nullable(),
  }),
  identityCheck: freeText().nullable(),
  business: z.object({ id: aboutBusiness(), name: z.string(), isErased: z.boolean() }).nullable(),
  extension: z
    .object({
      at: z.string(),
      by: actorRefSchema,
      from: z.string().describe('The due day before'),
      reason: freeText().nullable(),
    })
    .nullable(),
  answer: z
    .object({ at: z.string(), by: actorRefSchema, outcome: z.enum(requestOutcomes), how: freeText().nullable() })
    .nullable(),
  emptiedAt: z.string().nullable().describe('When the data of the person were emptied. The request itself remains'),
  createdAt: z.string(),
  createdBy: actorRefSchema,
}
export const listedRequestSchema = z.object(requestShape).meta({ id: 'ListedSubjectRequest' })
export type ListedRequest = z.infer<typeof listedRequestSchema>
export const requestPageSchema = pageOf(listedRequestSchema).meta({ id: 'SubjectRequestPage' })

export const requestSchema = z
  .object({
    ...requestShape,
    acts: z.array(actSchema).describe('The acts that the answer names'),
    foundActs: z
      .array(actSchema)
      .describe('The newest acts on the prospect since the request was received, which an answer can name'),
  })
  .meta({ id: 'SubjectRequest' })
export type SubjectRequest = z.infer<typeof requestSchema>
