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

/** What a handler works with. Everything that it writes is fenced: a worker that lost its lease cannot write any more. */
export type JobContext = {
  store: Store
  /** for `askSource` alone */
  adapters: LoadedAdapters
  tenantId: string
  jobId: string
  /** the first attempt's id, the same for all attempts */
  lineageId: string
  attempt: number
  /** whoever asked for the job, with what they may do now */
  actor: Actor
  /** aborted with a JobInterrupted: cancellation asked for, time-out, lease lost, shutdown; pass it to whatever waits */
  signal: AbortSignal
  /** the last checkpoint of this lineage */
  resume: JsonObject | null
  /** Tells how far it is; the newest is written twice a second at most, and at the end. Never waits, never throws. */
  progress(progress: JobProgress): void
  /** Keeps where to go on from, durably. Throws JobInterrupted when the job must stop: the place to do so is after a checkpoint. */
  checkpoint(state: JsonObject): Promise<void>
  /**
   * Does something exactly once for the lineage and step: the work runs as a `change()` of `actor` (its permission asked again), and the
   * ledger keeps what it answered in the same transaction. A later call with this step, in this or a later attempt, gets the kept answer
   * as JSON keeps it. The work must record an audit event, as in every change; what it answers `unchanged` is not kept.
   * Throws JobInterrupted when the job must stop, and whatever the work throws; then nothing was written.
   */
  effect: Effect
  /** For the next effects of a thread that has a store of its own (`effectOf`): whoever asked, as they are now. Throws as `effect` does. */
  lend(): Promise<{ claim: Claim; actor: Actor }>
}

/** What is known of a kind without running it. */
export type JobKindFacts = {
  /** kebab-case, for good: stored with every job */
  kind: string
  /** for people: "Verify the audit" */
  title: string
  /** what a person must hold beside `jobs.*` to create, see, cancel or retry one; asked again before each effect */
  permission: Permission
  /** how long one run may take; a job that is reclaimed or handed back begins anew */
  timeoutMs: number
  /** attempts that are made by themselves, the first included: 1 is none but the one asked for */
  maxAttempts: number
  /** whether it stops when asked to while it runs; a queued job can always be cancelled */
  isCancellable: boolean
  /** in words, for the documents: what it may read and write */
  touches: string
  /** false: only its own room creates one, `POST /jobs` does not */
  isOffered: boolean
  /** what a form asks for to start one; none where the kind takes nothing, or nobody starts one */
  fields: readonly JobField[]
}

export type JobKind<Input = unknown> = JobKindFacts & {
  /** The input as it is stored. Errors: `invalid_request`, with paths below `input`. */
  check(input: Input): JsonObject
  run(context: JobContext, stored: JsonObject): Promise<JsonObject | null>
}

type Definition<Schema extends z.ZodType<JsonObject>> = Omit<JobKindFacts, 'isOffered' | 'fields'> & {
  isOffered?: boolean
  /**
   * Checked when the job is created and when it starts, so it must accept what it has parsed: defaults, but no transforms. Of a kind that is
   * offered, `meta({ title, description })` of each property is its label and hint in the form.
   */
  input: Schema
  run(context: JobContext, input: z.output<Schema>): Promise<JsonObject | undefined>
}

/**
 * Makes a kind: one file `<room>.jobs.ts` exports it, `<room>.room.ts` lists it, and everything else is there. A handler answers what is
 * kept and shown as the job's result (counts, never content), or throws: an `AppError` fails the job with its sentence; anything else
 * fails it with one that gives nothing away, and the details are in the log alone.
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

/** The kinds of a build, by name. */
export type JobKinds = ReadonlyMap<string, JobKind>

export function jobKindsOf(kinds: readonly JobKind[]): JobKinds {
  return new Map(kinds.map((kind) => [kind.kind, kind]))
}
