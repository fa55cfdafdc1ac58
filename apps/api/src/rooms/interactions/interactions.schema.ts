import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, freeText } from '../../http/hidden-fields.ts'
import { pageOf } from '../../http/pagination.ts'
import { day, instant, line, recordId, text } from '../../http/text.ts'
import { outcomes } from '../../lib/interaction-outcome.ts'
import { blockedBusinessSchema, optOutSchema } from '../suppression/suppression.ts'
import { channels, directions } from './interactions.table.ts'

/** Limits of an interaction; `docs/limits.md` lists them. */
export const limits = { summaryLength: 5_000, participants: 20, participantLength: 200 } as const

const channelSchema = z.enum(channels).meta({ id: 'InteractionChannel' })
const directionSchema = z.enum(directions).meta({ id: 'InteractionDirection' })
const outcomeSchema = z.enum(outcomes).meta({ id: 'InteractionOutcome' })

export const addInteractionSchema = z.strictObject({
  occurredAt: instant,
  channel: channelSchema,
  direction: directionSchema.nullish(),
  outcome: outcomeSchema,
  summary: text(limits.summaryLength).nullish(),
  participants: z.array(line(limits.participantLength)).max(limits.participants).default([]),
  followUpOn: day.nullish().describe('Today or later, in the time zone of the workspace'),
  acceptPastFollowUp: z
    .boolean()
    .optional()
    .describe('True: `followUpOn` may be before today, in a correction or in a record of earlier work'),
  correctsId: recordId.nullish(),
  personId: recordId.nullish().describe('The person at the prospect who took part'),
})
export type AddInteraction = z.output<typeof addInteractionSchema>

export const setFollowUpSchema = z.strictObject({
  followUpOn: day.nullable().describe('Today or later, in the time zone of the workspace; null clears the date'),
  acceptPastFollowUp: z.boolean().optional().describe('True: `followUpOn` may be before today'),
})
export type SetFollowUp = z.output<typeof setFollowUpSchema>

/** An interaction in which a prospect asked not to be contacted, with the block and the entries that follow from it. */
export const recordOptOutSchema = addInteractionSchema
  .omit({ outcome: true, followUpOn: true, acceptPastFollowUp: true, correctsId: true })
  .extend(optOutSchema.shape)
export type RecordOptOut = z.output<typeof recordOptOutSchema>

export const interactionSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness(),
    occurredAt: z.string(),
    channel: channelSchema,
    direction: directionSchema.nullable(),
    outcome: outcomeSchema,
    summary: freeText()
      .nullable()
      .describe('••• like the participants if the record is do not contact and the reader may not see its values'),
    participants: z.array(freeText()),
    followUpOn: z.string().nullable().describe('A note for yourself: nothing is scheduled or sent'),
    correctsId: z.string().nullable(),
    correctedById: z
      .string()
      .nullable()
      .describe('The interaction that corrects this one; this one then no longer counts'),
    personId: z.string().nullable().describe('The person at the prospect who took part'),
    onDoNotContact: z.boolean().describe('The prospect was do not contact when this was recorded'),
    createdAt: z.string(),
    createdBy: actorRefSchema,
  })
  .meta({ id: 'Interaction' })
export type Interaction = z.infer<typeof interactionSchema>

export const recordedOptOutSchema = z
  .object({ interaction: interactionSchema, business: blockedBusinessSchema })
  .meta({ id: 'RecordedOptOut' })

export const interactionPageSchema = pageOf(interactionSchema).meta({ id: 'InteractionPage' })
