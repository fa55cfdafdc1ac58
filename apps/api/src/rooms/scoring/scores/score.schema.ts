import { z } from 'zod'

const scoreStatuses = ['scored', 'stale', 'blocked', 'not_scored'] as const
const scoreReasons = [
  'record_changed',
  'time_passed',
  'recalculation_needed',
  'do_not_contact',
  'no_active_scores',
  'new_record',
  'could_not_be_scored',
  'record_ended',
] as const
const scorePoints = z.int().min(0).max(100).nullable()

/** Schema of a record's score by the active version. Lists read it by a join. */
export const scoreSchema = z
  .object({
    status: z
      .enum(scoreStatuses)
      .describe('stale: the score is about to be recomputed. blocked: do not contact, so there is no score.'),
    reason: z.enum(scoreReasons).nullable().describe('null for an up-to-date score'),
    low: scorePoints.describe('The score if all undecided evidence turns out against the record'),
    high: scorePoints.describe('The score if all undecided evidence turns out in its favour'),
    priority: z.string().nullable().describe('The id of a band, or unknown'),
    reachable: z.string().nullable().describe('The id of the band of `high`'),
    eligibility: z.enum(['eligible', 'ineligible', 'unknown', 'blocked']).nullable(),
    completeness: z.number().nullable().describe('The share of weight that is decided, 0 to 1'),
    ruleSetId: z.string().nullable(),
    version: z.int().nullable(),
    algorithmVersion: z.string().nullable(),
    runId: z.string().nullable(),
    scoredAt: z.string().nullable(),
    holdsUntil: z.string().nullable().describe('When time alone may change it'),
  })
  .meta({ id: 'Score' })
export type Score = z.infer<typeof scoreSchema>
