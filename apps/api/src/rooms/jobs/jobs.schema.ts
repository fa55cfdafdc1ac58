import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { declaredList, pageOf, pageQuery } from '../../http/pagination.ts'
import { recordId } from '../../http/text.ts'
import { inDigits } from '../../lib/digits.ts'
import { permissionSchema } from '../identity/identity.ts'
import { jobEventTypes, jobStatuses } from './jobs.table.ts'
import { shortfallStates } from './kinds/job-shortfall.ts'
import { jobFieldSchema } from './queue/job-fields.ts'

export const jobParams = z.object({ jobId: recordId })

const json = z.record(z.string(), z.unknown())

const errorSchema = z.object({ code: z.string(), message: z.string() })

export const jobSummarySchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    title: z.string().describe('The kind, for people.'),
    status: z.enum(jobStatuses),
    attempt: z.int().describe('Counts the attempts of the lineage from 1.'),
    lineageId: z.string().describe('The first attempt; the same for all attempts.'),
    retryOf: z.string().nullable(),
    progress: z.object({ done: z.int(), total: z.int().nullable(), unit: z.string() }).nullable(),
    error: errorSchema.nullable(),
    shortfall: z
      .object({ state: z.enum(shortfallStates), reason: z.string().nullable() })
      .nullable()
      .describe(
        'Why the request of a job that succeeded has no complete answer, such as deferred or unavailable. Null: the answer is complete, or the job has not succeeded.',
      ),
    requestedBy: actorRefSchema.describe('For an automatic attempt: the job worker.'),
    automaticRetry: z
      .object({ because: errorSchema, runsAs: actorRefSchema })
      .nullable()
      .describe(
        'For an attempt that the job worker queued: the error of the previous attempt, and the person with whose permissions it runs. Null: requested.',
      ),
    cancelRequested: z.object({ at: z.string(), by: actorRefSchema }).nullable(),
    reclaims: z.int().describe('How often it was resumed because its worker was lost.'),
    lastSequence: z.int().describe('The sequence of its newest event.'),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    permitted: z
      .object({ cancel: z.boolean(), retry: z.boolean() })
      .describe('Actions that the state of the job and your permissions allow.'),
  })
  .meta({ id: 'JobSummary' })
export type JobSummary = z.infer<typeof jobSummarySchema>

export const jobPageSchema = pageOf(jobSummarySchema).meta({ id: 'JobPage' })

const attemptSchema = z.object({
  id: z.string(),
  attempt: z.int(),
  status: z.enum(jobStatuses),
  isAutomatic: z.boolean().describe('Queued by the job worker after a failure.'),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})

export const jobSchema = jobSummarySchema
  .extend({
    input: json,
    result: json.nullable(),
    attempts: z.array(attemptSchema).describe('The lineage, first to last, including this one.'),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof jobSchema>

export const listJobsQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(jobStatuses).optional(),
  kind: z.string().min(1).max(100).optional(),
})
export type ListJobs = z.infer<typeof listJobsQuery>

export const createJobSchema = z.strictObject({
  kind: z.string().min(1).max(100),
  input: json.default({}),
})

/** The body of a change without input. */
export const nothingSchema = z.strictObject({})

export const cancelledSchema = z
  .object({
    outcome: z
      .enum(['cancelled', 'requested', 'too_late'])
      .describe('too_late: the job had already ended; see its status. requested: it stops at its next checkpoint.'),
    job: jobSchema,
  })
  .meta({ id: 'JobCancellation' })

const sequence = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export const eventCursor = inDigits(sequence)

export const listEventsQuery = z.strictObject({
  after: inDigits(sequence.default(0)).describe('The sequence of the last event that was received.'),
  limit: pageQuery.limit,
})

export const streamQuery = z.strictObject({
  after: eventCursor
    .optional()
    .describe('The sequence of the last event that was received; a Last-Event-ID header takes precedence.'),
})

export const jobEventSchema = z
  .object({
    jobId: z.string(),
    sequence: z.int().describe('Counts the events of the job from 1, without gaps.'),
    type: z.enum(jobEventTypes),
    at: z.string(),
    data: json,
  })
  .meta({ id: 'JobEvent' })
export type JobEvent = z.infer<typeof jobEventSchema>

const forgottenSchema = z.object({ from: z.int(), through: z.int() })
export type ForgottenEvents = z.infer<typeof forgottenSchema>

export const jobEventPageSchema = z
  .object({
    items: z.array(jobEventSchema),
    nextAfter: z.int().describe('The cursor to continue from.'),
    forgotten: forgottenSchema
      .nullable()
      .describe('Events after the cursor that are no longer stored: the list is incomplete.'),
    isOver: z
      .boolean()
      .describe('No further events: the job has ended, and its last event is in this page or an earlier one.'),
  })
  .meta({ id: 'JobEventPage' })

export const jobKindsSchema = z
  .object({
    items: declaredList(
      z.object({
        kind: z.string(),
        title: z.string(),
        permission: permissionSchema,
        touches: z.string().describe('What such a job reads and writes.'),
        timeoutSeconds: z.int(),
        maxAttempts: z.int().describe('Automatic attempts; 1: only the requested one.'),
        isCancellable: z.boolean(),
        isOffered: z.boolean().describe('Whether you may create one with POST /jobs.'),
        fields: z.array(jobFieldSchema).describe('The fields of a form; empty when the kind takes no input.'),
      }),
    ),
    hidden: z.int().describe('Number of kinds that you may not use; their jobs are hidden from you'),
  })
  .meta({ id: 'JobKinds' })
