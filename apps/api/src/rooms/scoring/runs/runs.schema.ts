import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { freeText } from '../../../http/hidden-fields.ts'
import { pageOf } from '../../../http/pagination.ts'
import { recordId, text } from '../../../http/text.ts'
import { bandSchema } from '../rules/content.schema.ts'
import type { Distribution } from './distribution.rules.ts'

const REASON_LENGTH = 1_000

export const createRunSchema = z.strictObject({
  ruleSetId: recordId,
  version: z.int().min(1),
  reason: text(REASON_LENGTH),
  activate: z
    .enum(['when_complete', 'by_hand'])
    .default('by_hand')
    .describe(
      'when_complete: the scores are activated once every record was scored; requires a recent proof of identity',
    ),
})
export type CreateRun = z.output<typeof createRunSchema>

export const activateRunSchema = z.strictObject({
  expectedActiveRunId: recordId.nullable().describe('The active run that the person saw; null: none'),
  reason: text(REASON_LENGTH),
  acceptPartial: z.boolean().default(false).describe('Activates a run that could not score some records'),
})
export type ActivateRun = z.output<typeof activateRunSchema>

const countsSchema = z.object({
  processed: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  blocked: z.int(),
  unknown: z.int().describe('Records whose eligibility is unknown'),
})
export type RunCounts = z.infer<typeof countsSchema>
export const storedCountsSchema = countsSchema

const readBackSchema = z.object({
  events: z.int().describe('Audit events of the run that were read back'),
  complete: z.boolean(),
})
export const storedReadBackSchema = readBackSchema

export const runSchema = z
  .object({
    id: z.string(),
    ruleSetId: z.string(),
    version: z.int(),
    contentHash: z.string(),
    algorithmVersion: z.string().nullable(),
    cutoff: z
      .object({ sequence: z.int(), at: z.string() })
      .nullable()
      .describe('The last audit event and the time of the snapshot that was read'),
    actor: actorRefSchema,
    jobId: z.string().describe('The newest attempt of its job'),
    reason: freeText(),
    activate: z.enum(['when_complete', 'by_hand']),
    status: z.enum(['queued', 'running', 'complete', 'partial', 'stopped', 'cancelled']),
    isActive: z.boolean(),
    isKept: z.boolean().describe('Its scores are stored, so that it can be activated'),
    activatedAt: z.string().nullable(),
    supersededAt: z.string().nullable(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    counts: countsSchema.nullable().describe('null until it has ended'),
    digest: z.string().nullable().describe('SHA-256 of the scores in the order of records'),
    readBack: readBackSchema.nullable(),
    stoppedBecause: z.string().nullable(),
  })
  .meta({ id: 'ScoringRun' })
export type Run = z.infer<typeof runSchema>
export const runPageSchema = pageOf(runSchema).meta({ id: 'ScoringRunPage' })
export const runParams = z.object({ runId: recordId })

export const failurePageSchema = pageOf(
  z
    .object({ businessId: z.string(), name: z.string(), doNotContact: z.boolean(), reason: z.string() })
    .meta({ id: 'ScoringFailure' }),
).meta({ id: 'ScoringFailurePage' })

const count = z.int()
export const distributionSchema = z
  .object({
    total: count,
    eligibility: z.object({ eligible: count, unknown: count, ineligible: count, blocked: count, notScored: count }),
    priority: z
      .array(z.object({ id: z.string(), name: z.string(), count }))
      .describe('By band, best first, then unknown'),
    reachable: z.array(z.object({ id: z.string(), name: z.string(), count })),
    scores: z
      .array(z.object({ from: z.int(), to: z.int(), count }))
      .describe('Records by their lowest score, in steps of 5 points'),
  })
  .meta({ id: 'ScoringDistribution' }) satisfies z.ZodType<Distribution>

export const activeScoringSchema = z
  .object({
    active: z
      .object({
        ruleSet: z.object({ id: z.string(), name: freeText() }),
        version: z.int(),
        contentHash: z.string(),
        runId: z.string(),
        previousRunId: z
          .string()
          .nullable()
          .describe('The run to roll back to; null: its scores are gone, or there is none'),
        algorithmVersion: z.string(),
        asOf: z.string().describe('The time of the snapshot of the run'),
        activatedAt: z.string(),
        sequence: z.int().describe('The audit event up to which changes are in the scores'),
        isCurrent: z.boolean().describe('No record awaits scoring'),
        waiting: z
          .object({
            count: z.int(),
            isExact: z.boolean().describe('False: at least as many records wait'),
            since: z.string().nullable().describe('The time of the oldest change; null if it has none'),
          })
          .nullable()
          .describe('The records whose score lacks a change or has ended by time; null: none'),
        needsRecalculation: z
          .boolean()
          .describe(
            'This build evaluates differently from the build of the run: changed records stay out of date until all are recalculated',
          ),
        bands: z.array(bandSchema),
        distribution: distributionSchema,
      })
      .nullable()
      .describe('null: no scores are active'),
  })
  .meta({ id: 'ActiveScoring' })
export type ActiveScoring = z.infer<typeof activeScoringSchema>
