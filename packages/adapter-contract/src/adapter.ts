import { z } from 'zod'

/*
 * The interface between the API and its adapters.
 *
 *   adapter     declarations and a plan, configured by an operator in ADAPTERS_FILE; opens no connection
 *   transport   sends requests; `load()` imports it, so that dry runs and refusals never do
 *   request     one call of `transport.request`: one exchange with one other end. The API takes a permit before every call
 *   result      the way a request ended: answered, deferred or unavailable; a transport never throws
 */

/** `varying_targets`: web pages, name servers. A refusal then belongs to the target and opens no circuit. */
export const answersFrom = ['one_provider', 'varying_targets'] as const

/** Plain values and functions only. The loader copies an adapter, so `plan` and `load` must not use `this`. */
export type Adapter<Query = unknown, Settings = unknown> = {
  /** kebab-case, unique in ADAPTERS_FILE */
  readonly id: string
  /** incremented whenever the same query may be sent, judged or answered differently, because approvals are bound to it */
  readonly version: string
  readonly answersFrom: (typeof answersFrom)[number]
  /** must reject unknown properties */
  readonly querySchema: z.ZodType<Query>
  /** the part of a source contract that this adapter defines; must reject unknown properties */
  readonly settingsSchema: z.ZodType<Settings>
  /** the operator's values that a room must read, such as a model and its limits; never a secret, a path or an address */
  readonly details?: Readonly<Record<string, unknown>>
  /** pure and synchronous: the same input returns an equal plan, without I/O, clock or randomness */
  plan(input: { query: Query; settings: Settings }): Plan
  /** imports the transport; opens no connection */
  load(): Promise<Transport<Query, Settings>>
}

export type Plan =
  | {
      kind: 'planned'
      requests: PlannedRequest[]
      /** upper bounds for the whole query; the source contract may be lower */
      maxRequests: number
      maxBytes: number
      maxDurationMs: number
      maxRecords: number
      /** the fields that an answer can contain */
      fields: readonly string[]
    }
  /** `reason` is a code, `message` a sentence for the requester */
  | { kind: 'refused'; reason: string; message: string }

export type PlannedRequest = {
  /** a sentence such as "GET https://karoo.example/contact" */
  summary: string
  /** the exact body to send; null without a body */
  content: string | null
}

export type Transport<Query = unknown, Settings = unknown, Answer = unknown, Trace = unknown> = {
  /**
   * sends at most one request: no retry, no followed redirect, no second address; settles soon after `signal` aborts or `timeoutMs` ends, closes its
   * socket, and never rejects; `next` of a result is the request for the rest of the answer
   */
  request(input: RequestInput<Query, Settings>): Promise<TransportResult<Query, Answer, Trace>>
}

export type RequestInput<Query = unknown, Settings = unknown> = {
  query: Query
  settings: Settings
  signal: AbortSignal
  /** limit of the whole request; the adapter's own limits may be lower */
  timeoutMs: number
  /** limit of the answer; the adapter's own limits may be lower */
  maxBytes: number
  /** 1 for the first attempt; an adapter with several equal servers can choose one by it */
  attempt: number
  /** needed to convert a Retry-After date to a duration */
  now: () => Date
}

/** Causes for which the other end defers the request. */
export const deferredCauses = ['rate_limited', 'overloaded'] as const

export const unavailableCauses = [
  /** the other end does not permit access: 401, 403, 451 */
  'access_denied',
  'timeout',
  'connection_failed',
  /** 5xx */
  'server_error',
  /** another 4xx: the other end rejects the query */
  'request_rejected',
  'redirect_refused',
  'name_not_resolved',
  /** the address policy, the settings or the adapter forbid the destination, so nothing was sent */
  'destination_denied',
  'tls_failed',
  /** the answer breaks its protocol or its schema */
  'answer_invalid',
  'answer_too_large',
  /** the file of a secret cannot be read or contains no secret */
  'secret_unreadable',
  /** the caller's signal aborted */
  'cancelled',
] as const

export type UnavailableCause = (typeof unavailableCauses)[number]

/** True if a request may be repeated: only after a timeout, a connection failure or a 5xx. The source contract limits the attempts. */
export function isRetryable(cause: UnavailableCause): boolean {
  return cause === 'timeout' || cause === 'connection_failed' || cause === 'server_error'
}

/** `trace`: facts about the request itself, present with every outcome. Each purpose has its schema (`webTraceSchema`, `dnsTraceSchema`, …). */
export type TransportResult<Query = unknown, Answer = unknown, Trace = unknown> =
  | {
      outcome: 'answered'
      records: Answer[]
      /** false if the other end has more than this answer; only a complete and empty answer means "no results" */
      isComplete: boolean
      /** the request for the rest of the answer, which takes its own permit; null without a rest */
      next: Query | null
      trace: Trace
      bytesReceived: number
    }
  | {
      outcome: 'deferred'
      cause: (typeof deferredCauses)[number]
      /** at most MAX_RETRY_AFTER_MS; null if the other end named no time */
      retryAfterMs: number | null
      trace: Trace
      bytesReceived: number
    }
  | {
      outcome: 'unavailable'
      cause: UnavailableCause
      /**
       * `transport`: this side failed (its resolvers, its secret, its network). With varying targets only such a failure counts against the source.
       */
      fault: 'target' | 'transport'
      trace: Trace
      bytesReceived: number
    }

/** Maximum Retry-After; a longer one is shortened. */
export const MAX_RETRY_AFTER_MS = 7 * 86_400_000
export const MAX_RECORDS_PER_ANSWER = 1_000

/** Settings of an adapter whose source contract configures nothing. */
export type NoSettings = Record<string, never>

export const noSettingsSchema: z.ZodType<NoSettings> = z.strictObject({})

const ending = { trace: z.unknown(), bytesReceived: z.int().min(0) }

/** The form of any result. The schemas of the purpose validate records and trace. */
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

/** The form of an adapter. The test kit checks its behaviour. */
export const adapterSchema = z.strictObject({
  id: adapterIdSchema,
  version: z
    .string({ error: 'must be a text.' })
    .max(MAX_ADAPTER_VERSION_LENGTH, { error: `must have at most ${MAX_ADAPTER_VERSION_LENGTH} characters.` })
    .regex(/^[0-9A-Za-z][0-9A-Za-z.+-]*$/, { error: 'must be letters, digits, dots, plus signs and hyphens.' }),
  answersFrom: z.enum(answersFrom, { error: `must be ${answersFrom.join(' or ')}.` }),
  querySchema: schemaLike,
  settingsSchema: schemaLike,
  details: z.record(z.string(), z.unknown(), { error: 'must be an object.' }).exactOptional(),
  plan: z.custom<Adapter['plan']>(isFunction, { error: 'must be a function.' }),
  load: z.custom<Adapter['load']>(isFunction, { error: 'must be a function.' }),
})
