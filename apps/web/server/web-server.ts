import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { expectedHosts } from '@prospect/hosts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { apiProxy, hasFailed } from './api-proxy.ts'
import { companyAnswer } from './company-answer.ts'
import { ConfigRefused, type WebConfig } from './config.ts'
import { indexPage } from './index-page.ts'
import { answerError, answerFrameworkError, refuseHost } from './problem.ts'
import { headersOf, workerSecurityPolicy } from './security-headers.ts'
import { lineTime, standardOutput } from './standard-output.ts'
import { answerUnreadable } from './unreadable-requests.ts'

/**
 * Timeout of a whole request including its body, long enough for a CSV file of 100 MB over a slow connection. Node limits the headers to 60 seconds.
 */
const UPLOAD_TIMEOUT_MS = 1_800_000

/** Paths that are never pages: assets, names with an extension, segments that start with a dot, and everything below node_modules. */
const namesFile = /^\/assets\/|\.[^./]+$|[/\\](?:\.|node_modules(?:[/\\]|$))/

/** Files of worker scripts, as the build names them, possibly compressed. */
const workerScript = /-worker-[\w-]+\.js(\.\w+)?$/

/** Health routes, including those of the API. Monitoring may call them by address or an internal name, so the check of host names skips them. */
const healthPaths = new Set(['/healthz', '/api/v1/health/live', '/api/v1/health/ready'])

/** Creates the web server: the built app, a health check and the proxy to the API. Throws if the app is not built. */
export async function createWebServer(
  config: Pick<WebConfig, 'apiUrl' | 'publicHosts' | 'trustedProxies' | 'logLevel'>,
  distFolder: string,
): Promise<FastifyInstance> {
  const indexFile = join(distFolder, 'index.html')
  if (!existsSync(indexFile)) {
    throw new ConfigRefused(
      'The web app is not built: run `npm run build -w @prospect/web`, or script/start, which does.',
    )
  }

  const app = Fastify({
    logger: { level: config.logLevel, stream: standardOutput, base: null, timestamp: lineTime },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    requestTimeout: UPLOAD_TIMEOUT_MS,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerUnreadable,
  })
  app.setErrorHandler(answerError)

  const hosts = expectedHosts(config.publicHosts, (details, sentence) => app.log.warn(details, sentence))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request))
    const refusal = hosts.refusalOf(request, { anyHost: healthPaths.has(pathOf(request)) })
    if (refusal === undefined) done()
    else refuseHost(reply, refusal)
  })
  app.addHook('onResponse', async (request, reply) => {
    // Log the route and never the address, which contains search texts and record ids. The API logs its own requests.
    const route = request.routeOptions.url ?? 'none'
    const { id: requestId, method } = request
    const entry = { requestId, method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    if (reply.statusCode >= 500) app.log.warn(entry, 'answered')
    else app.log.debug(entry, 'answered')
  })
  app.addHook('onRequestAbort', async (request) => {
    if (request.raw.complete || hasFailed(request)) return
    const { id: requestId, method, routeOptions } = request
    app.log.info({ requestId, method, route: routeOptions.url ?? 'none' }, 'the client aborted while sending the body')
  })

  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  /** Sends the page of the app, with `head` at the end of its head. */
  async function sendPage(request: FastifyRequest, reply: FastifyReply, head = ''): Promise<FastifyReply> {
    const template = await readTemplate(indexFile)
    if (template === null) return answerBuilding(reply)
    const page = indexPage(template.replace('</head>', `${head}</head>`), pathOf(request))
    return reply.headers(page.headers).send(page.html)
  }
  await app.register(companyAnswer, { sendPage })

  // The proxy plugin logs failures with a stack, some of them twice, so its log is off. Own lines use `app.log`.
  await app.register(apiProxy, { apiUrl: config.apiUrl, logLevel: 'silent' })

  // File names contain a hash of their content, so they can be cached forever. Compressed variants exist already.
  await app.register(fastifyStatic, {
    root: join(distFolder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    index: false,
    cacheControl: true,
    immutable: true,
    maxAge: '365d',
    setHeaders: (reply, path) => {
      if (workerScript.test(path)) void reply.header('content-security-policy', workerSecurityPolicy)
    },
  })
  app.get('/favicon.svg', (_request, reply) =>
    reply.sendFile('favicon.svg', distFolder, { maxAge: '1d', immutable: false }),
  )

  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    // Decoding cannot fail: the router has already rejected malformed paths.
    if (!isPage || namesFile.test(decodeURIComponent(pathOf(request)))) {
      return reply.code(404).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('Not found\n')
    }
    return sendPage(request, reply)
  })
  return app
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/**
 * Reads the page for each request, because a build under a running server replaces the files that the previous page names. Null while a build is
 * running.
 */
async function readTemplate(indexFile: string): Promise<string | null> {
  return readFile(indexFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
}

function answerBuilding(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('cache-control', 'no-store')
    .header('retry-after', '5')
    .type('text/plain; charset=utf-8')
    .send('The web app is being built. Load this page again in a moment.\n')
}
