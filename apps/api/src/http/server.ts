import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import { answerHeaders } from './answer-headers.ts'
import { routeHeadAsGet } from './head.ts'
import { MAX_BODY_BYTES, registerJsonBody } from './json-body.ts'
import { answerFrameworkError, answerUnreadable, type ErrorStatuses, registerProblems } from './problem.ts'
import { registerRequestLog } from './request-log.ts'
import { MAX_PARAMETER_LENGTH } from './text.ts'
import { newRequestId } from './trace-context.ts'
import {
  acceptMissingBodies,
  refuseUndeclaredQueries,
  refuseUnreadableQueries,
  serializerCompiler,
  validatorCompiler,
} from './validation.ts'

/** Time limit of a whole request with its body. The web server in front has the same limit. Node limits the time of the headers to 60 seconds. */
const REQUEST_TIMEOUT_MS = 1_800_000

export type ServerOptions = {
  config: Config
  logger: FastifyBaseLogger
  statuses: ErrorStatuses
  /** true in tests: every response is validated by its schema */
  checkAnswers: boolean
}

/** Creates a server without routes. It has limits, validation by Zod schemas, problem responses, common headers and the request log. */
export function createServer({ config, logger, statuses, checkAnswers }: ServerOptions) {
  const headersOf = answerHeaders({ isProduction: config.environment === 'production' })
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newRequestId,
    frameworkErrors: answerFrameworkError(headersOf, statuses),
    clientErrorHandler: answerUnreadable(headersOf, statuses),
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    return503OnClosing: true,
    rewriteUrl: routeHeadAsGet,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: unusedCompiler, buildSerializer: unusedCompiler } },
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler({ check: checkAnswers }))
  refuseUndeclaredQueries(app)
  acceptMissingBodies(app)
  refuseUnreadableQueries(app)
  registerProblems(app, statuses)
  registerJsonBody(app)
  registerRequestLog(app, headersOf)
  return app
}

/** Stands in for the compilers of JSON Schema, a hundred modules that Fastify otherwise loads before it gets those of Zod. */
function unusedCompiler(): never {
  throw new Error('Schemas are compiled by Zod only.')
}
