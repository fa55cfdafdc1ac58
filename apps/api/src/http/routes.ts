import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProviderDefault,
  onRequestAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify'
import { z } from 'zod'
import type { UserActor } from '../lib/actor.ts'
import type { AuditAction, Permission } from '../lib/declared.ts'
import { withoutUndefined } from '../lib/map-values.ts'
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
import { actorOf, type Hold, requireFreshProof } from './session-guard.ts'

/** Stands for a schema that a route does not have. */
type None = z.ZodUndefined

/** A validated request, as the functions of a route get it. */
type Asked<P extends z.ZodType = None, Q extends z.ZodType = None, B extends z.ZodType = None, V = undefined> = {
  actor: UserActor
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
  /** the version in If-Match, for PATCH and PUT */
  version: V
}

type Operation<P, B> = {
  /** path without /api/v1 */
  url: string
  /** the name of the operation in the OpenAPI document and in the client */
  id: string
  summary: string
  description?: string
  /** the group of the operation in the document, if it is not the tag of `createRoutes` */
  tag?: string
  params?: P
  body?: B
}

type Guarded = {
  /** the permission that the route requires, and `change()` with it; null if any signed-in person may use the route */
  permission: Permission | null
  /** true for a dangerous route, which requires a recent proof of identity */
  stepUp?: true
  /** true for a route of the person's own account or screens, which accepts no access token */
  onlySession?: true
  /** the holds (steps that a session must complete first) during which the route may still be used */
  during?: readonly Hold[]
}

/** A route that answers from the store and changes nothing. One with a `body` is a POST, for example a preview; all others are GETs. */
type ReadRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = Operation<P, B> &
  Guarded &
  Pick<FastifyContextConfig, 'secret'> & {
    query?: Q
    response: R
    /** returns the version of the answered record, for the ETag */
    etag?(answer: z.input<R>): number
    answer(asked: Asked<P, Q, B>): z.input<R> | Promise<z.input<R>>
  }

/** The schema of the response, or one for each status if the status depends on the result. */
type Responses = z.ZodType | Readonly<Record<number, z.ZodType>>
type Answer<R extends Responses> = R extends z.ZodType
  ? z.input<R>
  : R extends Readonly<Record<number, z.ZodType>>
    ? z.input<R[keyof R]>
    : never

type Success = 200 | 201 | 202 | 204
/** Requires a function (an `object`, not a number) as the status of a route with several response schemas, and refuses one for all others. */
type StatusFor<R extends Responses> = R extends z.ZodType ? { status?: Success } : { status: object }

type ChangeMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type VersionFor<M extends ChangeMethod> = M extends 'PUT' | 'PATCH' ? number : undefined

/**
 * A route that changes records. A PATCH or PUT requires If-Match. A POST accepts an Idempotency-Key, or requires one. The response has the status,
 * Location, ETag and Idempotency-Replayed.
 */
type ChangeRoute<
  M extends ChangeMethod,
  P extends z.ZodType,
  B extends z.ZodType,
  R extends Responses,
  Value,
  Request = Asked<P, None, B, VersionFor<M>>,
> = Operation<P, B> &
  Guarded & {
    /** by default POST */
    method?: M
    action: AuditAction
    /** returns true for a body that makes the request dangerous, so that it requires a recent proof of identity */
    stepUpWhen?(asked: Request): boolean
    /** how refused attempts are recorded in the audit; for every route that approves something */
    refused?: RefusedAttempts
    response: R
    /** makes the Idempotency-Key of a POST required. The text completes the message of the error: "no report is made twice" */
    requiresKeySoThat?: string
    /** another person who sends an identical request with the same key also gets the stored result, as for jobs (Phase 4 §3) */
    answersAnybody?: true
    /** by default 201 for a route with `location` and 200 for all others; a function of the result if `response` has several schemas */
    status?: Success | ((value: Value, asked: Request) => keyof R & number)
    /** returns the URL of the created record, without /api/v1 */
    location?(value: Value, asked: Request): string
    /** returns the version of the answered record, for the ETag */
    etag?(answer: Answer<R>): number
    /** reads the response body from the store, for the first request and for every replay, so that both show what the person may see now */
    answer(value: Value, asked: Request): Answer<R> | Promise<Answer<R>>
  } & StatusFor<R> &
  Work<Request, Value>

type Work<Request, Value> =
  | {
      /**
       * the operation of the room; it runs inside one `change()` transaction. If the route takes an Idempotency-Key, the returned value is stored
       * with the key: it consists of ids and of what cannot be read again, such as a version or a flag (`MAX_STORED_RESULT_BYTES`)
       */
      work(tx: Tx, asked: Request): Promise<Value | Unchanged<Value>>
    }
  | {
      /** the operation of the room, if it calls `change()` itself because it needs several commits or its own idempotency */
      run(options: ChangeOptions, asked: Request): Promise<ChangeResult<Value>>
    }

type RequestOf<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  Params: z.output<P>
  Querystring: z.output<Q>
  Body: z.output<B>
}

/** A route that needs the request or the reply themselves, for example for a stream, a file, a form, a cookie or a request without a session. */
type CustomRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Responses> = Operation<P, B> &
  (Guarded | ({ open: true } & Pick<FastifyContextConfig, 'anyHost'>)) &
  Pick<FastifyContextConfig, 'secret' | 'tells' | 'maxFormBytes'> &
  Pick<FastifySchema, 'security' | 'consumes' | 'produces'> & {
    method: 'GET' | ChangeMethod
    query?: Q
    headers?: z.ZodType
    response: R
    /** by default 200; `handle` sets the status if `response` has several schemas */
    status?: Success
    onRequest?: onRequestAsyncHookHandler
    preValidation?: preValidationAsyncHookHandler
    handle(
      request: FastifyRequest<RequestOf<P, Q, B>>,
      reply: FastifyReply,
    ): Answer<R> | FastifyReply | Promise<Answer<R> | FastifyReply>
  }

export type Routes = {
  read<R extends z.ZodType, P extends z.ZodType = None, Q extends z.ZodType = None, B extends z.ZodType = None>(
    route: ReadRoute<P, Q, B, R>,
  ): void
  change<
    R extends Responses,
    Value,
    M extends ChangeMethod = 'POST',
    P extends z.ZodType = None,
    B extends z.ZodType = None,
  >(route: ChangeRoute<M, P, B, R, Value>): void
  custom<R extends Responses, P extends z.ZodType = None, Q extends z.ZodType = None, B extends z.ZodType = None>(
    route: CustomRoute<P, Q, B, R>,
  ): void
}

/**
 * Returns the functions that register the routes of a file. Each takes one flat declaration, with defaults for what most routes have in common. `tag`
 * is the group of the routes in the OpenAPI document.
 */
export function createRoutes(roomApp: RoomApp, options: { store: Store; tag: string }): Routes {
  const app = roomApp.withTypeProvider<FastifyTypeProviderDefault>()
  return {
    read: (route) => registerRead({ app, ...options }, route),
    change: (route) => registerChange({ app, ...options }, route),
    custom: (route) => registerCustom({ app, ...options }, route),
  }
}

type Registrar = { app: FastifyInstance; store: Store; tag: string }

function registerRead<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  { app, tag }: Registrar,
  route: ReadRoute<P, Q, B, R>,
): void {
  const { url, response, etag, answer } = route
  app.route({
    method: route.body === undefined ? 'GET' : 'POST',
    url,
    schema: schemaOf(tag, route, { querystring: route.query, response: { 200: response } }),
    config: configOf(route, { etag }),
    handler: async (request, reply) => {
      const shown: z.input<R> = await answer(askedOf<P, Q, B, undefined>(request))
      if (etag !== undefined) setEntityTag(reply, etag(shown))
      return shown
    },
  })
}

function registerChange<M extends ChangeMethod, P extends z.ZodType, B extends z.ZodType, R extends Responses, Value>(
  { app, store, tag }: Registrar,
  route: ChangeRoute<M, P, B, R, Value>,
): void {
  const { method = 'POST', url, refused, stepUpWhen, requiresKeySoThat, response, location, etag, answer } = route
  const status = route.status ?? (location === undefined ? 200 : 201)
  const headers = headersOf(method, requiresKeySoThat)
  const config = stepUpWhen === undefined ? route : { stepUp: 'some_bodies' as const, ...route }
  app.route({
    method,
    url,
    schema: schemaOf(tag, route, { headers, response: byStatus(response, status) }),
    config: configOf(config, { etag, location }),
    ...(refused === undefined ? {} : { errorHandler: recordingRefusals(store, refused) }),
    handler: async (request, reply) => {
      const asked = askedOf<P, None, B, VersionFor<M>>(request)
      if (stepUpWhen?.(asked) === true) requireFreshProof(request)
      const { value, replayed } = await perform(store, route, optionsOf(route, request), asked)
      const body = await answer(value, asked)
      reply.code(typeof status === 'function' ? status(value, asked) : status)
      if (replayed) reply.header('idempotency-replayed', 'true')
      if (location !== undefined) reply.header('location', `/api/v1${location(value, asked)}`)
      if (etag !== undefined) setEntityTag(reply, etag(body))
      return body
    },
  })
}

function registerCustom<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Responses>(
  { app, tag }: Registrar,
  route: CustomRoute<P, Q, B, R>,
): void {
  const { method, url, query, headers, security, consumes, produces, response, status = 200 } = route
  const { onRequest, preValidation, handle } = route
  app.route<RequestOf<P, Q, B>>({
    method,
    url,
    schema: schemaOf(tag, route, {
      querystring: query,
      headers,
      response: byStatus(response, status),
      ...withoutUndefined({ security, consumes, produces }),
    }),
    config: configOf(route),
    ...withoutUndefined({ onRequest, preValidation }),
    handler: (request, reply) => {
      reply.code(status)
      return handle(request, reply)
    },
  })
}

/** Properties that are undefined are left out, because Fastify treats them differently from missing ones. */
function schemaOf(fileTag: string, operation: Operation<z.ZodType, z.ZodType>, others: FastifySchema): FastifySchema {
  const { id: operationId, tag = fileTag, summary, description, params, body } = operation
  return withoutUndefined({ operationId, tags: [tag], summary, description, params, body, ...others })
}

function byStatus(response: Responses, status: unknown): Readonly<Record<number, z.ZodType>> {
  return response instanceof z.ZodType ? { [Number(status)]: response } : response
}

function configOf(route: FastifyContextConfig, has: { etag?: unknown; location?: unknown } = {}): FastifyContextConfig {
  const { permission, open, anyHost, during, stepUp, onlySession, refused, secret, maxFormBytes } = route
  const tells = route.tells ?? (['etag', 'location'] as const).filter((header) => has[header] !== undefined)
  return withoutUndefined({
    permission,
    open,
    anyHost,
    during,
    stepUp,
    onlySession,
    refused,
    secret,
    maxFormBytes,
    tells,
  })
}

/** Returns the header schema of a change, which also decides what the handler requires. */
function headersOf(method: ChangeMethod, requiresKeySoThat: string | undefined) {
  if (method === 'DELETE') return undefined
  if (method !== 'POST') return versionHeaders
  return requiresKeySoThat === undefined ? idempotencyHeaders : requiredIdempotencyHeaders
}

type Options = Pick<ChangeOptions, 'permission' | 'action'> & {
  method?: ChangeMethod
  requiresKeySoThat?: string
  answersAnybody?: true
}

function optionsOf(route: Options, request: FastifyRequest): ChangeOptions {
  const { permission, action, answersAnybody } = route
  const key = keyOf(route, request)
  const idempotency = key !== undefined && answersAnybody === true ? { ...key, answersAnybody } : key
  return { permission, action, idempotency }
}

function keyOf({ method = 'POST', requiresKeySoThat }: Options, request: FastifyRequest): ChangeOptions['idempotency'] {
  if (method !== 'POST') return undefined
  return requiresKeySoThat === undefined ? idempotencyOf(request) : requiredIdempotencyOf(request, requiresKeySoThat)
}

function perform<Request extends { actor: UserActor }, Value>(
  store: Store,
  route: Work<Request, Value>,
  options: ChangeOptions,
  asked: Request,
): Promise<ChangeResult<Value>> {
  if ('run' in route) return route.run(options, asked)
  return change(store, asked.actor, options, (tx) => route.work(tx, asked))
}

/** Returns the request with the types of its route. The cast is safe, because the schemas validated it before the handler runs. */
function askedOf<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, V>(
  request: FastifyRequest,
): Asked<P, Q, B, V> {
  const { params, query, body, routeOptions } = request
  const version = routeOptions.schema?.headers === versionHeaders ? expectedVersion(request) : undefined
  return { actor: actorOf(request), params, query, body, version } as Asked<P, Q, B, V>
}
