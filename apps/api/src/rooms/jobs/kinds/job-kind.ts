import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { invalidRequest } from '../../../http/validation.ts'
import type { Actor } from '../../../lib/actor.ts'
import type { Permission } from '../../../lib/declared.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import type { HoldingRoom } from '../../held.ts'
import type { Ended } from '../jobs.rules.ts'
import { describeFields, type JobField } from '../queue/job-fields.ts'
import type { Claim, Effect } from '../worker/job-effect.ts'
import type { JobProgress } from '../worker/job-interrupted.ts'
import type { JobShortfall } from './job-shortfall.ts'

/** The context in which a handler runs. All its writes require the worker's lease, so a worker that lost its lease writes nothing. */
export type JobContext = {
  store: Store
  /** the adapters of this process, to pass to `askSource` */
  adapters: LoadedAdapters
  /** all rooms, for a job that collects what each of them contributes */
  rooms: readonly HoldingRoom[]
  tenantId: string
  jobId: string
  /** the id of the first attempt; all attempts of a job have the same lineage id */
  lineageId: string
  attempt: number
  /** the person who requested the job, with their current permissions */
  actor: Actor
  /** Aborted with a JobInterrupted on cancellation, timeout, lost lease or shutdown. Pass it to everything that waits. */
  signal: AbortSignal
  /** the state of the last checkpoint in this lineage; null before the first checkpoint */
  resume: JsonObject | null
  /** Reports progress. The newest value is written at most twice a second, and at the end. Never waits and never throws. */
  progress(progress: JobProgress): void
  /**
   * Durably stores the position to resume from. Throws JobInterrupted if the job must stop, so that a job stops directly after a checkpoint.
   */
  checkpoint(state: JsonObject): Promise<void>
  /**
   * Runs an effect exactly once for the lineage and step. The work runs as a `change()` of `actor`, whose permission is checked again. The ledger
   * stores its result in the same transaction. A later call with this step, in this or a later attempt, returns the stored result after a round trip
   * through JSON. The work must record an audit event, as in every change; an `unchanged` result is not stored. Throws JobInterrupted if the job must
   * stop, and errors of the work; nothing is written then.
   */
  effect: Effect
  /**
   * Returns the claim, and the person who requested the job with their current permissions. A thread with its own store needs both for its next
   * effects (`effectOf`). Throws as `effect` does.
   */
  lend(): Promise<{ claim: Claim; actor: Actor }>
}

/** The properties of a kind of job. */
export type JobKindFacts = {
  /** name of the kind in kebab-case; it must never change, because it is stored with every job */
  kind: string
  /** title for people, such as "Verify the audit" */
  title: string
  /** the permission that a person needs, in addition to `jobs.*`, to create, see, cancel or retry a job; checked again before each effect */
  permission: Permission
  /** time limit of one run; a resumed job gets the full time again */
  timeoutMs: number
  /** maximum number of attempts that run automatically, including the first; 1 means that a failed job is not repeated automatically */
  maxAttempts: number
  /** true if a running job stops on request; a queued job can always be cancelled */
  isCancellable: boolean
  /** the data that a job may read and write, as a text for the documentation */
  touches: string
  /** true if people may create a job with `POST /jobs`; false if only the room of the kind creates jobs */
  isOffered: boolean
  /** fields of the form that starts a job; empty if the kind takes no input or people cannot start it */
  fields: readonly JobField[]
}

/** How the last attempt of a job ended. `lineageId`: the first attempt, which the request names as its job. */
export type EndOfJob = { status: Ended; lineageId: string }

export type JobKind<Input = unknown> = JobKindFacts & {
  /** Validates the input and returns the form to store. Errors: `invalid_request`, with paths below `input`. */
  check(input: Input): JsonObject
  run(context: JobContext, stored: JsonObject): Promise<JsonObject | null>
  /** Ends the request of the job; see `defineJobKind`. Does nothing for an input that the schema no longer accepts, because no job ran for it. */
  onEnd(tx: Tx, stored: JsonObject, end: EndOfJob): Promise<void>
  /** Returns the first attempts of the jobs whose requests have no end yet; only for a kind with `onEnd`. */
  openRequests?(db: Kysely<Database>, tenantId: string, limit: number): Promise<string[]>
  /** Reads from a stored result why the request has no complete answer; null if it has one. */
  shortfallIn(result: JsonObject): JobShortfall | null
}

type Definition<Schema extends z.ZodType<JsonObject>> = Omit<JobKindFacts, 'isOffered' | 'fields'> & {
  isOffered?: boolean
  /**
   * The schema validates the input when the job is created and again when it starts, so it must accept its own output: it may have defaults, but no
   * transforms. For a kind that people start, `meta({ title, description })` of a property gives the label and the hint in the form.
   */
  input: Schema
  run(context: JobContext, input: z.output<Schema>): Promise<JsonObject | undefined>
  /**
   * Ends the request that the job answers, if the handler has not ended it. Runs in the transaction that ends the last attempt, whoever ends it: the
   * worker, a person who cancels the queued job, or another worker after the first was lost. Must record an audit event for what it writes, and must
   * do nothing for a request that has ended, because a later attempt of the same job ends too. An error rolls the end of the job back, and the worker
   * repeats it.
   */
  onEnd?(tx: Tx, input: z.output<Schema>, end: EndOfJob): Promise<void>
  /**
   * Returns the first attempts of the jobs whose requests have no end yet, by an index. The start of the program ends those whose job has ended: a
   * version without `onEnd` left them open.
   */
  openRequests?(db: Kysely<Database>, tenantId: string, limit: number): Promise<string[]>
  /** Reads from the result of a job that succeeded why its request has no complete answer; without it, every such request counts as answered. */
  shortfallIn?(result: JsonObject): JobShortfall | null
}

/**
 * Defines a kind of job. A file `<room>.jobs.ts` exports it, and `<room>.room.ts` lists it. The handler returns the job's result, which is stored and
 * shown (counts, never content), or throws. An `AppError` fails the job with its message. Any other error fails the job with a generic message, and
 * the details are only logged.
 */
export function defineJobKind<Schema extends z.ZodType<JsonObject>>(
  definition: Definition<Schema>,
): JobKind<z.input<Schema>> {
  const { input: schema, run, onEnd, shortfallIn = () => null, isOffered = true, ...facts } = definition
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
    onEnd: async (tx, stored, end) => {
      const input = schema.safeParse(stored)
      if (input.success) await onEnd?.(tx, input.data, end)
    },
    shortfallIn,
  }
}

/** All kinds of this program, by name. */
export type JobKinds = ReadonlyMap<string, JobKind>

export function jobKindsOf(kinds: readonly JobKind[]): JobKinds {
  return new Map(kinds.map((kind) => [kind.kind, kind]))
}
