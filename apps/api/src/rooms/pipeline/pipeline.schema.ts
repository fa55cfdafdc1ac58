import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, freeText } from '../../http/hidden-fields.ts'
import { pageOf } from '../../http/pagination.ts'
import { text } from '../../http/text.ts'
import { pipelineStates } from '../../lib/pipeline-state.ts'
import { businessSchema, pipelineStateSchema } from '../businesses/businesses.ts'

export const REASON_LENGTH = 1_000

/** Reason of a move that was made without one: each change records a reason (specification, States). */
export const NO_REASON = 'No reason given.'

export const moveSchema = z.strictObject({
  to: z.enum(pipelineStates),
  reason: text(REASON_LENGTH).nullish().describe(`Stored in the history; “${NO_REASON}” if there is none`),
})
export type Move = z.output<typeof moveSchema>

export const transitionSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness(),
    from: pipelineStateSchema,
    to: pipelineStateSchema,
    reason: freeText().nullable(),
    at: z.string(),
    actor: actorRefSchema,
    correlationId: z.string(),
    idempotencyKey: z
      .string()
      .nullable()
      .describe(
        'The idempotency key that this reader sent with the move; null if none was sent, or by another person.',
      ),
    mergeId: z
      .string()
      .nullable()
      .describe('The merge that took the state over, or whose reversal restored it. null: a person moved the prospect'),
  })
  .meta({ id: 'Transition' })
export type Transition = z.infer<typeof transitionSchema>

export const movedSchema = z
  .object({
    business: businessSchema,
    transition: transitionSchema
      .nullable()
      .describe('null: the prospect was already in that state, and nothing was written'),
  })
  .meta({ id: 'Moved' })
export type Moved = z.infer<typeof movedSchema>

export const transitionPageSchema = pageOf(transitionSchema).meta({ id: 'TransitionPage' })

const configurationShape = { pausedEnabled: z.boolean(), disqualifiedEnabled: z.boolean() }

export const pipelineSchema = z
  .object({
    version: z.int(),
    states: z.array(
      z.object({
        state: pipelineStateSchema,
        kind: z.enum(['open', 'closed', 'set_aside']),
        enabled: z.boolean(),
        count: z.int(),
      }),
    ),
    transitions: z.array(z.object({ from: pipelineStateSchema, to: pipelineStateSchema, reasonRequired: z.boolean() })),
    configuration: z.object(configurationShape),
    asOf: z.string(),
  })
  .meta({
    id: 'Pipeline',
    description: 'The states, the permitted moves, and the number of active prospects in each state.',
  })
export type Pipeline = z.infer<typeof pipelineSchema>

export const configurePipelineSchema = z.strictObject({
  pausedEnabled: z.boolean().optional(),
  disqualifiedEnabled: z.boolean().optional(),
})
export type ConfigurePipeline = z.output<typeof configurePipelineSchema>
