import type { z } from 'zod'
import { invalidRequest } from '../../../http/validation.ts'
import type { Actor } from '../../../lib/actor.ts'
import type { Permission } from '../../../lib/declared.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Store } from '../../../store/store.ts'
import { describeFields, type JobField } from '../queue/job-fields.ts'
import type { Claim, Effect } from '../worker/job-effect.ts'
import type { JobProgress } from '../worker/job-interrupted.ts'

/** The context of a handler. All its writes are fenced, so a worker that lost its lease cannot write. */
export type JobContext = {
  store: Store
  /** for `askSource` only */
  adapters: LoadedAdapters
  tenantId: string
  jobId: string
  /** the first attempt's id, the same for all attempts */
  lineageId: string
  attempt: number
  /** the person who requested the job, with their current permissions */
  actor: Actor
  /** aborted with a JobInterrupted on cancellation, timeout, lost lease or shutdown; pass it to everything that waits */
  signal: AbortSignal
  /** the last checkpoint of this lineage */
  resume: JsonObject | null
  /** reports progress; the newest value is written at most twice a second, and at the end; never waits, never throws */
  progress(progress: JobProgress): void
  /**
   * stores the position to resume from, durably; throws JobInterrupted if the job must stop, because the right place to stop is after a checkpoint
   */
  checkpoint(state: JsonObject): Promise<void>
  /**
   * Runs an effect exactly once for the lineage and step. The work runs as a `change()` of `actor`, whose permission is checked again, and the ledger
   * stores its result in the same transaction. A later call with this step, in this or a later attempt, returns the stored result as JSON preserves
   * it. The work must record an audit event, as in every change; an `unchanged` result is not stored. Throws JobInterrupted if the job must stop, and
   * errors of the work; nothing is written then.
   */
  effect: Effect
  /**
   * returns the claim and the requesting person with their current permissions, for the next effects of a thread with its own store (`effectOf`);
   * throws as `effect` does
   */
  lend(): Promise<{ claim: Claim; actor: Actor }>
}

/** Description of a kind. */
export type JobKindFacts = {
  /** kebab-case and permanent, because it is stored with every job */
  kind: string
  /** title for people: "Verify the audit" */
  title: string
  /** the permission, in addition to `jobs.*`, to create, see, cancel or retry a job; checked again before each effect */
  permission: Permission
  /** time limit of one run; a resumed job gets the full time again */
  timeoutMs: number
  /** automatic attempts, including the first: 1 means only the requested one */
  maxAttempts: number
  /** true if it stops on request while it runs; a queued job can always be cancelled */
  isCancellable: boolean
  /** the data that it may read and write, in words, for the documentation */
  touches: string
  /** false if only its own room creates a job, not `POST /jobs` */
  isOffered: boolean
  /** fields of the form that starts a job; none if the kind takes no input or people cannot start it */
  fields: readonly JobField[]
}

export type JobKind<Input = unknown> = JobKindFacts & {
  /** returns the input in its stored form; errors: `invalid_request`, with paths below `input` */
  check(input: Input): JsonObject
  run(context: JobContext, stored: JsonObject): Promise<JsonObject | null>
}

type Definition<Schema extends z.ZodType<JsonObject>> = Omit<JobKindFacts, 'isOffered' | 'fields'> & {
  isOffered?: boolean
  /**
   * The schema is applied when the job is created and again when it starts, so it must accept its own output: defaults, but no transforms. For a kind
   * that people start, `meta({ title, description })` of each property is its label and hint in the form.
   */
  input: Schema
  run(context: JobContext, input: z.output<Schema>): Promise<JsonObject | undefined>
}

/**
 * Defines a kind: one file `<room>.jobs.ts` exports it, and `<room>.room.ts` lists it. A handler returns the job's result, which is stored
 * and shown (counts, never content), or throws: an `AppError` fails the job with its sentence; any other error fails it with a generic
 * sentence, and the details are only logged.
 */
export function defineJobKind<Schema extends z.ZodType<JsonObject>>(
  definition: Definition<Schema>,
): JobKind<z.input<Schema>> {
  const { input: schema, run, isOffered = true, ...facts } = definition
  const check = (input: unknown): z.output<Schema> => {
    const parsed = schema.safeParse(input)
    if (parsed.success) return parsed.data
    throw invalidRequest(parsed.error.issues.map((issue) => ({ ...issue, path: ['input', ...issue.path] })))
  }
  return {
    ...facts,
    isOffered,
    fields: isOffered ? describeFields(facts.kind, schema) : [],
    check,
    run: async (context, stored) => (await run(context, check(stored))) ?? null,
  }
}

/** Kinds of a build by name. */
export type JobKinds = ReadonlyMap<string, JobKind>

export function jobKindsOf(kinds: readonly JobKind[]): JobKinds {
  return new Map(kinds.map((kind) => [kind.kind, kind]))
}
