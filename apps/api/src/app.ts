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
import { answerFrameworkError, answerUnreadable, registerProblems } from './http/problem.ts'
import { registerRequestLog } from './http/request-log.ts'
import { registerSessionGuard } from './http/session-guard.ts'
import { MAX_PARAMETER_LENGTH } from './http/text.ts'
import {
  refuseUndeclaredQueries,
  refuseUnreadableQueries,
  serializerCompiler,
  validatorCompiler,
} from './http/validation.ts'
import { jobKinds } from './job-kinds.ts'
import { newId } from './lib/ids.ts'
import { type LoadedAdapters, noAdapters } from './load-adapters.ts'
import { auditRoutes } from './rooms/audit/audit.routes.ts'
import { businessRoutes } from './rooms/businesses/businesses.routes.ts'
import { sourceRoutes } from './rooms/csv-preview/csv-preview.routes.ts'
import { erasureRoutes } from './rooms/erasure/erasure.routes.ts'
import { evidenceRoutes } from './rooms/evidence/evidence.routes.ts'
import { exportRoutes } from './rooms/exports/exports.routes.ts'
import { operationsRoutes } from './rooms/health/health.routes.ts'
import { identityRoutes } from './rooms/identity/identity.routes.ts'
import { actorFinder, reportRefusedCookie, sessionCookieName } from './rooms/identity/identity.ts'
import { interactionRoutes } from './rooms/interactions/interactions.routes.ts'
import { jobRoutes } from './rooms/jobs/jobs.routes.ts'
import type { JobKinds } from './rooms/jobs/jobs.ts'
import { matchingRoutes } from './rooms/matching/matching.routes.ts'
import { mergeRoutes } from './rooms/matching/merging/merges.routes.ts'
import { normalizationRoutes } from './rooms/normalization/normalization.routes.ts'
import { noteRoutes } from './rooms/notes/notes.routes.ts'
import { pipelineRoutes } from './rooms/pipeline/pipeline.routes.ts'
import { reportRoutes } from './rooms/reports/reports.routes.ts'
import { suppressionRoutes } from './rooms/suppression/suppression.routes.ts'
import type { Store } from './store/store.ts'

/** A whole request, its body included: as long as the web server gives it. Its headers alone have Node's 60 seconds. */
const REQUEST_TIMEOUT_MS = 1_800_000

export type AppOptions = {
  store: Store
  config: Config
  logger: FastifyBaseLogger
  /** what `main.ts` loaded from ADAPTERS_FILE; none unless it did */
  adapters?: LoadedAdapters
  /** the kinds of jobs; those of this build unless a test brings its own */
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
  const { kinds = jobKinds(config) } = appOptions
  const hosts = expectedHosts(config.publicHosts, (details, sentence) => logger.warn(details, sentence))
  const headersOf = answerHeaders({ isProduction: config.environment === 'production' })
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newId,
    frameworkErrors: answerFrameworkError(headersOf),
    clientErrorHandler: answerUnreadable(headersOf),
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
  registerProblems(app)
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

  const options = { store, cursors: createCursors(store.keys), config, prefix: '/api/v1' }
  await app.register(operationsRoutes, { ...options, adapters })
  await app.register(identityRoutes, options)
  await app.register(auditRoutes, options)
  await app.register(jobRoutes, { ...options, kinds })
  await app.register(businessRoutes, options)
  await app.register(suppressionRoutes, options)
  await app.register(evidenceRoutes, options)
  await app.register(normalizationRoutes, options)
  await app.register(noteRoutes, options)
  await app.register(pipelineRoutes, options)
  await app.register(matchingRoutes, { ...options, kinds })
  await app.register(mergeRoutes, options)
  await app.register(interactionRoutes, options)
  await app.register(sourceRoutes, options)
  await app.register(reportRoutes, options)
  await app.register(exportRoutes, options)
  await app.register(erasureRoutes, options)
  return app
}

export type App = Awaited<ReturnType<typeof buildApp>>
