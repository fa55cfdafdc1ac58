import { expectedHosts } from '@prospect/hosts'
import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from './config.ts'
import { answerHeaders } from './http/answer-headers.ts'
import { registerExpectedHosts } from './http/expected-hosts.ts'
import { routeHeadAsGet } from './http/head.ts'
import { MAX_BODY_BYTES, registerJsonBody } from './http/json-body.ts'
import { registerOpenApi } from './http/openapi.ts'
import { createCursors } from './http/pagination.ts'
import { answerFrameworkError, answerUnreadable, errorStatuses, registerProblems } from './http/problem.ts'
import { registerRequestLog } from './http/request-log.ts'
import { registerSessionGuard } from './http/session-guard.ts'
import { MAX_PARAMETER_LENGTH } from './http/text.ts'
import {
  refuseUndeclaredQueries,
  refuseUnreadableQueries,
  serializerCompiler,
  validatorCompiler,
} from './http/validation.ts'
import { newId } from './lib/ids.ts'
import { type LoadedAdapters, noAdapters } from './load-adapters.ts'
import { roomErrors } from './rooms/facts.ts'
import { actorFinder, reportRefusedCookie, sessionCookieName } from './rooms/identity/identity.ts'
import { rooms as allRooms, jobKindsIn } from './rooms/index.ts'
import type { JobKinds } from './rooms/jobs/jobs.ts'
import type { Room, RoomContext } from './rooms/room.ts'
import type { Store } from './store/store.ts'

/** A whole request, its body included: as long as the web server gives it. Its headers alone have Node's 60 seconds. */
const REQUEST_TIMEOUT_MS = 1_800_000

export type AppOptions = {
  store: Store
  config: Config
  logger: FastifyBaseLogger
  /** what `main.ts` loaded from ADAPTERS_FILE; none unless it did */
  adapters?: LoadedAdapters
  /** those of this build unless a test brings its own */
  rooms?: readonly Room[]
  /** the kinds of jobs; those of the rooms unless a test brings its own */
  kinds?: JobKinds
  /** is told of every request that was answered */
  onAnswer?: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined
  /** tests check every answer against its schema */
  checkAnswers?: boolean
  /** tests look at every route as it is declared */
  onRoute?: (route: RouteOptions) => void
}

/** Stands where Fastify would load the compilers of its own before it is told of ours: 500 kB of code that nobody runs. */
function notBuilt(): never {
  throw new Error('Schemas are compiled by http/validation.ts alone.')
}

/** The whole API. `main.ts` listens with it, tests inject into it: there is no other way to make it. */
export async function buildApp(appOptions: AppOptions) {
  const { store, config, logger, adapters = noAdapters, onAnswer, checkAnswers = false, onRoute } = appOptions
  const { rooms = allRooms } = appOptions
  const { kinds = jobKindsIn(rooms, config.environment) } = appOptions
  const hosts = expectedHosts(config.publicHosts, (details, sentence) => logger.warn(details, sentence))
  const headersOf = answerHeaders({ isProduction: config.environment === 'production' })
  const statuses = errorStatuses(roomErrors)
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newId,
    frameworkErrors: answerFrameworkError(headersOf, statuses),
    clientErrorHandler: answerUnreadable(headersOf, statuses),
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    return503OnClosing: true,
    rewriteUrl: routeHeadAsGet,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: notBuilt, buildSerializer: notBuilt } },
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler({ check: checkAnswers }))
  refuseUndeclaredQueries(app)
  refuseUnreadableQueries(app)
  if (onAnswer !== undefined) app.addHook('onResponse', async (request, reply) => onAnswer(request, reply))
  if (onRoute !== undefined) app.addHook('onRoute', onRoute)
  registerProblems(app, statuses)
  registerJsonBody(app)
  registerRequestLog(app, headersOf)
  registerExpectedHosts(app, hosts)
  registerSessionGuard(app, {
    keys: store.keys,
    cookieName: sessionCookieName(config),
    hosts,
    findActor: actorFinder(store, config, logger),
    onRefusedCookie: (token, request) => reportRefusedCookie(store, token, request),
  })

  registerOpenApi(app)

  const context: RoomContext = { store, cursors: createCursors(store.keys), config, adapters, kinds, rooms }
  for (const { routes = [] } of rooms)
    for (const register of routes) await app.register(register, { ...context, prefix: '/api/v1' })
  return app
}

export type App = Awaited<ReturnType<typeof buildApp>>
