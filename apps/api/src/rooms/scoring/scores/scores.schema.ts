import { z } from 'zod'
import { freeText } from '../../../http/hidden-fields.ts'
import { pageOf } from '../../../http/pagination.ts'
import { contentSchema } from '../rules/content.schema.ts'
import { evidenceStates, reasonStates } from '../rules/outcomes.rules.ts'
import { scoreSchema } from './score.schema.ts'

const restSchema = z.object({
  evidenceId: z.string(),
  source: freeText().describe('The label or reference of the source; hidden with contact values'),
  capturedAt: z.string(),
  agrees: z.boolean().describe('false: it contradicts the value'),
})

const reasons = Object.keys(reasonStates) as [keyof typeof reasonStates, ...(keyof typeof reasonStates)[]]

const ruleSchema = z
  .object({
    id: z.string(),
    groupId: z.string(),
    words: freeText(),
    points: z.number(),
    state: z.enum(evidenceStates),
    stateReason: z.enum(reasons),
    stateWords: z.string(),
    holds: z.boolean().nullable().describe('null: undecided'),
    low: z.number().describe('Minimum of points that it contributes'),
    high: z.number().describe('Maximum of points that it contributes'),
    restsOn: z.array(restSchema),
    goesStaleAt: z.string().nullable().describe('When time alone may change its result'),
    wouldChange: z
      .object({ low: z.int(), high: z.int(), priority: z.string(), words: z.string() })
      .nullable()
      .describe('For an undecided rule: the score if it were decided in favour'),
  })
  .meta({ id: 'ScoredRule' })

const groupSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    min: z.number(),
    max: z.number(),
    low: z.number().describe('Within the limits of the group'),
    high: z.number(),
    rawLow: z.number().describe('The sum of its rules'),
    rawHigh: z.number(),
    isLimited: z.boolean(),
  })
  .meta({ id: 'ScoredGroup' })

const gateSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['requires', 'excludes']),
    words: freeText(),
    state: z.enum(evidenceStates),
    stateReason: z.enum(reasons),
    stateWords: z.string(),
    passes: z.boolean().nullable().describe('null: undecided'),
    restsOn: z.array(restSchema),
  })
  .meta({ id: 'ScoredGate' })

const explained = {
  rules: z.array(ruleSchema),
  groups: z.array(groupSchema),
  gates: z.array(gateSchema),
  next: z
    .object({ goesStaleAt: z.string(), rule: z.string() })
    .nullable()
    .describe('The first moment at which time alone may change it'),
}

export const explainedScoreSchema = z
  .object({
    ...scoreSchema.shape,
    ...explained,
    differs: z.boolean().describe('The stored score differs from a new evaluation; the record is scored again'),
  })
  .meta({ id: 'ExplainedScore' })
export type ExplainedScore = z.infer<typeof explainedScoreSchema>

export const trialSchema = z.strictObject({
  businessId: z.string().min(1).max(200).meta({ format: 'uuid' }),
  content: contentSchema.optional().describe('Evaluated instead of the stored content'),
})
export type TrialRequest = z.output<typeof trialSchema>
export const trialResultSchema = z
  .object({
    eligibility: z.enum(['eligible', 'unknown', 'ineligible', 'blocked']),
    low: z.int().nullable(),
    high: z.int().nullable(),
    priority: z.string().nullable(),
    reachable: z.string().nullable(),
    completeness: z.number(),
    asOf: z.string(),
    ...explained,
  })
  .meta({ id: 'ScoringTrial' })
export type Trial = z.infer<typeof trialResultSchema>

const side = z.object({ eligibility: z.string(), priority: z.string().nullable(), low: z.int().nullable() })
export const scoreChangeSchema = z
  .object({
    id: z.string(),
    at: z.string(),
    cause: z.enum(['record_changed', 'time_passed', 'activation']),
    reason: freeText().nullable().describe('For an activation: its reason'),
    ruleSetId: z.string(),
    version: z.int(),
    runId: z.string(),
    from: side.nullable().describe('null: not known, or no score before'),
    to: side.nullable().describe('null: the result has not changed since the scores were computed'),
  })
  .meta({ id: 'ScoreChange' })
export type ScoreChange = z.infer<typeof scoreChangeSchema>
export const scoreHistorySchema = pageOf(scoreChangeSchema).meta({ id: 'ScoreHistoryPage' })
