import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { pageOf } from '../../../http/pagination.ts'
import { instant, recordId, text } from '../../../http/text.ts'
import { factFields } from '../../businesses/businesses.ts'
import { assistPurposes, policyStates } from '../assist.table.ts'
import { BUDGET_LIMITS, REASON_LENGTH } from '../bounds.ts'

const policyLimits = { ...BUDGET_LIMITS, freshnessDays: 3_650 } as const

const dataClasses = ['claims', 'observations'] as const
export const retentions = { none: null, days_30: 30, days_90: 90 } as const
export type Retention = keyof typeof retentions
const retentionNames = ['none', 'days_30', 'days_90'] as const

const isUnique = (values: readonly string[]) => new Set(values).size === values.length
const TWICE = 'The same value is listed twice.'
const upTo = (max: number) => z.int().min(0).max(max)

const budgetsSchema = z
  .strictObject({
    callsPerMinute: upTo(policyLimits.calls),
    callsPerDay: upTo(policyLimits.calls),
    tokensPerDay: upTo(policyLimits.tokens),
    costPerDay: upTo(policyLimits.cost),
    costPerMonth: upTo(policyLimits.cost),
  })
  .describe('Costs in minor units of the currency of the prices')
export type Budgets = z.output<typeof budgetsSchema>

const pricesSchema = z.strictObject({
  inputPerMillionTokens: upTo(policyLimits.cost),
  outputPerMillionTokens: upTo(policyLimits.cost),
  currency: z.string().regex(/^[A-Z]{3}$/, 'Enter a currency of three letters, such as ZAR.'),
})
export type Prices = z.output<typeof pricesSchema>

/** In the order in which an incomplete policy names them. */
export const policyItems = [
  'purposes',
  'sourceId',
  'sourceVersion',
  'dataClasses',
  'redactionVersion',
  'retention',
  'freshnessDays',
  'budgets',
  'prices',
  'ownerId',
] as const
export type PolicyItem = (typeof policyItems)[number]

const contentShape = {
  purposes: z.array(z.enum(assistPurposes)).min(1).max(2).refine(isUnique, TWICE).optional(),
  sourceId: recordId.optional(),
  sourceVersion: z.int().min(1).optional().describe('The version of the contract in the source registry'),
  dataClasses: z.array(z.enum(dataClasses)).min(1).max(2).refine(isUnique, TWICE).optional(),
  redactionVersion: z.int().min(1).optional(),
  retention: z.enum(retentionNames).optional(),
  freshnessDays: z
    .partialRecord(z.enum([...factFields, 'observation']), z.int().min(1).max(policyLimits.freshnessDays))
    .optional()
    .describe('Evidence older than this, by field, is stale; a field without a value has no limit'),
  budgets: budgetsSchema.optional(),
  prices: pricesSchema.optional(),
  ownerId: recordId.optional(),
  fallbackSourceId: recordId.optional(),
}

export const createPolicySchema = z
  .strictObject(contentShape)
  .describe('May be incomplete; only a complete version can be submitted')
export type PolicyContent = z.output<typeof createPolicySchema>
export type CompletePolicy = { [Item in PolicyItem]-?: Exclude<PolicyContent[Item], undefined> } & Pick<
  PolicyContent,
  'fallbackSourceId'
>

export const policyParams = z.object({ assistPolicyId: recordId })
export const approvePolicySchema = z.strictObject({
  fingerprint: z.string().max(64),
  reason: text(REASON_LENGTH),
  endsAt: instant,
})
export type ApprovePolicy = z.output<typeof approvePolicySchema>
export const rejectPolicySchema = z.strictObject({ fingerprint: z.string().max(64), reason: text(REASON_LENGTH) })
export type RejectPolicy = z.output<typeof rejectPolicySchema>
export const withdrawPolicySchema = z.strictObject({ reason: text(REASON_LENGTH) })

export const policySchema = z
  .object({
    id: z.string(),
    version: z.int(),
    ...contentShape,
    missing: z.array(z.enum(policyItems)),
    state: z.enum(policyStates).describe('Computed now: an approval whose end is reached is expired'),
    fingerprint: z.string(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    submittedAt: z.string().nullable(),
    submittedBy: actorRefSchema.nullable(),
    decision: z
      .object({ by: actorRefSchema, at: z.string(), reason: freeText(), endsAt: z.string().nullable() })
      .nullable(),
  })
  .meta({
    id: 'AssistPolicy',
    description: 'A numbered version; never edited, and used once another person approved it.',
  })
export type AssistPolicy = z.infer<typeof policySchema>
export const policyPageSchema = pageOf(policySchema).meta({ id: 'AssistPolicyPage' })
