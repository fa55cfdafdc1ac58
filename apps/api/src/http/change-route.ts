import type { FastifyRequest, FastifySchema, FastifyTypeProviderDefault } from 'fastify'
import type { z } from 'zod'
import type { UserActor } from '../lib/actor.ts'
import type { AuditAction, Permission } from '../lib/declared.ts'
import { type ChangeOptions, type ChangeResult, change, type Tx, type Unchanged } from '../store/change/change.ts'
import type { Store } from '../store/store.ts'
import {
  expectedVersion,
  idempotencyHeaders,
  idempotencyOf,
  requiredIdempotencyHeaders,
  requiredIdempotencyOf,
  setEntityTag,
  versionHeaders,
} from './conditional.ts'
import { type RefusedAttempts, recordingRefusals } from './refused-attempts.ts'
import type { RoomApp } from './room.ts'
import { actorOf, requireFreshProof } from './session-guard.ts'

type ChangeSchema = {
  operationId: string
  tags: string[]
  summary: string
  params?: z.ZodType
  headers?: typeof idempotencyHeaders | typeof requiredIdempotencyHeaders | typeof versionHeaders
  body?: z.ZodType
  response: Readonly<Record<number, z.ZodType>>
}

/** A validated request, as the functions of a route get it. */
type Asked<Schema extends ChangeSchema> = {
  actor: UserActor
  params: Schema['params'] extends z.ZodType ? z.output<Schema['params']> : undefined
  body: Schema['body'] extends z.ZodType ? z.output<Schema['body']> : undefined
  /** the version in If-Match; only if the route's `headers` are `versionHeaders` */
  version: Schema['headers'] extends typeof versionHeaders ? number : undefined
}

type ChangeRoute<Schema extends ChangeSchema, Value> = {
  method: 'POST' | 'PUT' | 'PATCH'
  /** path without /api/v1 */
  url: string
  /** the permission that the route and `change()` require; null if any signed-in person may use the route */
  permission: Permission | null
  action: AuditAction
  /** true for a dangerous route, which requires a recent proof of identity */
  stepUp?: true
  /** returns true for a body that makes the request dangerous, so that it requires a recent proof of identity */
  stepUpWhen?(asked: Asked<Schema>): boolean
  /** how refused attempts are recorded in the audit; for every route that approves something */
  refused?: RefusedAttempts
  /** schemas of the request and the response; `headers` decide whether the route accepts or requires an Idempotency-Key, or requires If-Match */
  schema: Schema
  status: 200 | 201 | 202
  /** the damage that a required Idempotency-Key prevents, for the error message: "no report is made twice" */
  lest?: string
  /** another person who sends an identical request with the same key also gets the stored result, as for jobs (Phase 4 §3) */
  answersAnybody?: true
  /** returns the URL of the created record, without /api/v1 */
  location?(value: Value, asked: Asked<Schema>): string
  /** returns the version of the answered record, for the ETag */
  etag?(body: Answer<Schema>): number
  /** reads the response body from the store, for the first request and for every replay, so that both show what the person may see now */
  answer(value: Value, asked: Asked<Schema>): Answer<Schema> | Promise<Answer<Schema>>
} & (
  | {
      /**
       * the operation of the room; it runs inside one `change()` transaction. If the route takes an Idempotency-Key, the returned value is stored with
       * the key: it consists of ids and of what cannot be read again, such as a version or a flag (`MAX_STORED_RESULT_BYTES`)
       */
      work(tx: Tx, asked: Asked<Schema>): Promise<Value | Unchanged<Value>>
    }
  | {
      /** the operation of the room, if it calls `change()` itself because it needs several commits or its own idempotency */
      run(options: ChangeOptions, asked: Asked<Schema>): Promise<ChangeResult<Value>>
    }
)

type Answer<Schema extends ChangeSchema> = z.input<Schema['response'][keyof Schema['response']]>

/**
 * Registers a route that changes records. It checks the permission and the Idempotency-Key or If-Match header, and runs the work in `change()`. The
 * response has the status, Location, ETag and Idempotency-Replayed.
 */
export function changeRoute<Schema extends ChangeSchema, Value>(
  app: RoomApp,
  store: Store,
  route: ChangeRoute<Schema, Value>,
): void {
  const { method, url, permission, refused, status, location, etag, answer } = route
  const stepUp = route.stepUp ?? (route.stepUpWhen === undefined ? undefined : 'some_bodies')
  const tells = [
    ...(etag === undefined ? [] : ['etag' as const]),
    ...(location === undefined ? [] : ['location' as const]),
  ]
  const schema: FastifySchema = route.schema
  app.withTypeProvider<FastifyTypeProviderDefault>().route({
    method,
    url,
    schema,
    config: {
      permission,
      ...(stepUp === undefined ? {} : { stepUp }),
      ...(tells.length === 0 ? {} : { tells }),
      ...(refused === undefined ? {} : { refused }),
    },
    ...(refused === undefined ? {} : { errorHandler: recordingRefusals(store, refused) }),
    handler: async (request, reply) => {
      const asked = read<Schema>(request)
      if (route.stepUpWhen?.(asked) === true) requireFreshProof(request)
      const { value, replayed } = await perform(store, route, optionsOf(route, request), asked)
      const body = await answer(value, asked)
      reply.code(status)
      if (replayed) reply.header('idempotency-replayed', 'true')
      if (location !== undefined) reply.header('location', `/api/v1${location(value, asked)}`)
      if (etag !== undefined) setEntityTag(reply, etag(body))
      return body
    },
  })
}

/** Returns the request with the types of its schemas. The cast is safe, because the schemas validated params and body before the handler runs. */
function read<Schema extends ChangeSchema>(request: FastifyRequest): Asked<Schema> {
  const { params, body, routeOptions } = request
  const version = routeOptions.schema?.headers === versionHeaders ? expectedVersion(request) : undefined
  return { actor: actorOf(request), params, body, version } as Asked<Schema>
}

type Options = Pick<ChangeRoute<ChangeSchema, never>, 'schema' | 'permission' | 'action' | 'lest' | 'answersAnybody'>

function optionsOf(route: Options, request: FastifyRequest): ChangeOptions {
  const { permission, action, answersAnybody } = route
  const key = keyOf(route, request)
  const idempotency = key !== undefined && answersAnybody === true ? { ...key, answersAnybody } : key
  return { permission, action, idempotency }
}

function keyOf({ schema, lest }: Options, request: FastifyRequest): ChangeOptions['idempotency'] {
  if (schema.headers === idempotencyHeaders) return idempotencyOf(request)
  if (schema.headers !== requiredIdempotencyHeaders) return undefined
  return requiredIdempotencyOf(request, lest ?? 'it is not done twice')
}

function perform<Schema extends ChangeSchema, Value>(
  store: Store,
  route: ChangeRoute<Schema, Value>,
  options: ChangeOptions,
  asked: Asked<Schema>,
): Promise<ChangeResult<Value>> {
  if ('run' in route) return route.run(options, asked)
  return change(store, asked.actor, options, (tx) => route.work(tx, asked))
}
