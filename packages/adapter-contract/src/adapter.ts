import { z } from 'zod'
import { type Declaration, declarationSchema } from './declaration.ts'

/*
 * The interface between the API and its adapters.
 *
 *   adapter     declarations and a plan, configured by an operator in ADAPTERS_FILE; opens no connection
 *   transport   sends requests; only `load()` imports it, so that dry runs and rejected queries never load it
 *   request     one call of `transport.request`: one exchange with one server. The API takes a permit before every call
 *   result      the way a request ended: answered, deferred or unavailable; a transport never throws
 */

/**
 * Kind of servers that an adapter contacts. `varying_targets` means web pages or name servers. An access denial is then a property of the target and
 * opens no circuit.
 */
export const answersFrom = ['one_provider', 'varying_targets'] as const

/** An adapter. It consists of plain values and functions. The loader copies an adapter, so `plan` and `load` must not use `this`. */
export type Adapter<Query = unknown, Settings = unknown> = {
  /** id in kebab-case, unique in ADAPTERS_FILE */
  readonly id: string
  /**
   * version of the adapter. Increment it whenever the same query may be sent, evaluated or answered differently, because approvals are bound to it
   */
  readonly version: string
  readonly answersFrom: (typeof answersFrom)[number]
  /** what the adapter can be used for, and the fields of its queries and settings; a source contract must fit it */
  readonly declaration: Declaration
  /** schema of a query; must reject unknown properties */
  readonly querySchema: z.ZodType<Query>
  /** schema of the part of a source contract that this adapter defines; must reject unknown properties */
  readonly settingsSchema: z.ZodType<Settings>
  /** values from the operator's configuration that a room must read, such as a model and its limits; never a secret, a path or an address */
  readonly details?: Readonly<Record<string, unknown>>
  /** returns the requests that a query would send; pure and synchronous: the same input returns an equal plan, without I/O, clock or randomness */
  plan(input: { query: Query; settings: Settings }): Plan
  /** imports the transport; must not open a connection */
  load(): Promise<Transport<Query, Settings>>
}

export type Plan =
  | {
      kind: 'planned'
      requests: PlannedRequest[]
      /** upper limits for the whole query; the source contract may set lower ones */
      maxRequests: number
      maxBytes: number
      maxDurationMs: number
      maxRecords: number
      /** names of the fields that an answer can contain */
      fields: readonly string[]
    }
  /** the query is rejected before anything is sent; `reason` is a code, `message` a sentence for the requester */
  | { kind: 'refused'; reason: string; message: string }

export type PlannedRequest = {
  /** description of the request, such as "GET https://karoo.example/contact" */
  summary: string
  /** exact body to send; null if there is none */
  content: string | null
}

export type Transport<Query = unknown, Settings = unknown, Answer = unknown, Trace = unknown> = {
  /**
   * sends at most one request, without retry, followed redirect or second address. It settles soon after `signal` aborts or `timeoutMs` ends, closes
   * its socket, and never rejects. After an abort the cause is `causeOfAbort(signal)`. If the answer has a further part, `next` of the result is the
   * query for that part
   */
  request(input: RequestInput<Query, Settings>): Promise<TransportResult<Query, Answer, Trace>>
}

export type RequestInput<Query = unknown, Settings = unknown> = {
  query: Query
  settings: Settings
  /** aborted with a `TimeoutError` when `timeoutMs` ends, and with another reason when the request must stop before */
  signal: AbortSignal
  /** time limit of the whole request; the adapter's own limit may be lower */
  timeoutMs: number
  /** size limit of the answer; the adapter's own limit may be lower */
  maxBytes: number
  /** number of the attempt, starting with 1; an adapter with several equal servers can use it to choose one of them */
  attempt: number
  /** returns the current time, for converting a Retry-After date to a duration */
  now: () => Date
}

/** Causes for which the server defers the request. */
export const deferredCauses = ['rate_limited', 'overloaded'] as const

export const unavailableCauses = [
  /** the server denies access: 401, 403, 451 */
  'access_denied',
  'timeout',
  'connection_failed',
  /** status 5xx */
  'server_error',
  /** any other 4xx: the server rejects the query */
  'request_rejected',
  'redirect_refused',
  'name_not_resolved',
  /** the address policy, the settings or the adapter forbid the destination; nothing was sent */
  'destination_denied',
  'tls_failed',
  /** the answer violates its protocol or its schema */
  'answer_invalid',
  'answer_too_large',
  /** the file of a secret cannot be read or contains no secret */
  'secret_unreadable',
  /** the caller aborted the signal before the time limit ended */
  'cancelled',
] as const

export type UnavailableCause = (typeof unavailableCauses)[number]

/**
 * Returns the cause of a request that ends because its signal was aborted: `timeout` if the reason is a `TimeoutError`, as of `AbortSignal.timeout`.
 * The caller's timer for `timeoutMs` can run before the one of the transport, and both must lead to the same cause.
 */
export function causeOfAbort({ reason }: AbortSignal): 'timeout' | 'cancelled' {
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'timeout' : 'cancelled'
}

/**
 * Returns true if a request may be repeated, which is the case only after a timeout, a connection failure or a 5xx. The source contract limits the
 * number of attempts.
 */
export function isRetryable(cause: UnavailableCause): boolean {
  return cause === 'timeout' || cause === 'connection_failed' || cause === 'server_error'
}

/**
 * Result of one request. `trace`: facts about the request itself, present with every outcome. Each purpose has its own trace schema
 * (`webTraceSchema`, `dnsTraceSchema`, …).
 */
export type TransportResult<Query = unknown, Answer = unknown, Trace = unknown> =
  | {
      outcome: 'answered'
      records: Answer[]
      /** false if the server has more than this answer; only an empty answer with `isComplete` means "no results" */
      isComplete: boolean
      /** query for the next part of the answer, which needs its own permit; null if there is none */
      next: Query | null
      trace: Trace
      bytesReceived: number
    }
  | {
      outcome: 'deferred'
      cause: (typeof deferredCauses)[number]
      /** time to wait, at most MAX_RETRY_AFTER_MS; null if the server stated none */
      retryAfterMs: number | null
      trace: Trace
      bytesReceived: number
    }
  | {
      outcome: 'unavailable'
      cause: UnavailableCause
      /**
       * side that failed. `transport`: this side (its resolvers, its secret, its network). With varying targets only such a failure counts against
       * the source
       */
      fault: 'target' | 'transport'
      trace: Trace
      bytesReceived: number
    }

/** Maximum waiting time from a Retry-After header. A longer time is reduced to it. */
export const MAX_RETRY_AFTER_MS = 7 * 86_400_000
export const MAX_RECORDS_PER_ANSWER = 1_000

/** Settings of an adapter that has nothing to configure in a source contract. */
export type NoSettings = Record<string, never>

export const noSettingsSchema: z.ZodType<NoSettings> = z.strictObject({})

const ending = { trace: z.unknown(), bytesReceived: z.int().min(0) }

/** Schema of any result. The schemas of the purpose validate records and trace. */
export const transportResultSchema = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('answered'),
    records: z.array(z.unknown()).max(MAX_RECORDS_PER_ANSWER),
    isComplete: z.boolean(),
    next: z.unknown(),
    ...ending,
  }),
  z.strictObject({
    outcome: z.literal('deferred'),
    cause: z.enum(deferredCauses),
    retryAfterMs: z.int().min(0).max(MAX_RETRY_AFTER_MS).nullable(),
    ...ending,
  }),
  z.strictObject({
    outcome: z.literal('unavailable'),
    cause: z.enum(unavailableCauses),
    fault: z.enum(['target', 'transport']),
    ...ending,
  }),
])

const MAX_ADAPTER_ID_LENGTH = 60
const MAX_ADAPTER_VERSION_LENGTH = 40

const isFunction = (value: unknown): boolean => typeof value === 'function'
const schemaLike = z.custom<z.ZodType>(
  (value) => value instanceof Object && 'safeParse' in value && isFunction(value.safeParse),
  { error: 'must be a Zod schema.' },
)

export const adapterIdSchema = z
  .string({ error: 'must be a text.' })
  .max(MAX_ADAPTER_ID_LENGTH, { error: `must have at most ${MAX_ADAPTER_ID_LENGTH} characters.` })
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, {
    error: 'must be lower-case letters and digits, with single hyphens between.',
  })

/** Schema of an adapter. The schema covers only the shape; the test kit checks the adapter's behaviour. */
export const adapterSchema = z.strictObject({
  id: adapterIdSchema,
  version: z
    .string({ error: 'must be a text.' })
    .max(MAX_ADAPTER_VERSION_LENGTH, { error: `must have at most ${MAX_ADAPTER_VERSION_LENGTH} characters.` })
    .regex(/^[0-9A-Za-z][0-9A-Za-z.+-]*$/, { error: 'must be letters, digits, dots, plus signs and hyphens.' }),
  answersFrom: z.enum(answersFrom, { error: `must be ${answersFrom.join(' or ')}.` }),
  declaration: declarationSchema,
  querySchema: schemaLike,
  settingsSchema: schemaLike,
  details: z.record(z.string(), z.unknown(), { error: 'must be an object.' }).exactOptional(),
  plan: z.custom<Adapter['plan']>(isFunction, { error: 'must be a function.' }),
  load: z.custom<Adapter['load']>(isFunction, { error: 'must be a function.' }),
})
