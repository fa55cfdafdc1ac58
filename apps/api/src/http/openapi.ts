import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../lib/app-error.ts'

const DOCUMENT = fileURLToPath(new URL('openapi.json', import.meta.url))
const REFERENCE_PAGE = '/api/v1/docs'
/** Headers that belong to the connection between the two apps, not to the answer that is handed on. */
const hopByHop = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

/**
 * The OpenAPI document and its readable page, for whoever is signed in. The document is a file that `describe-routes.ts` makes: to make it
 * holds everybody else for half a second. The page is an app of its own, loaded when it is first asked for: few ask, and it is an
 * eighth of all modules.
 */
export function registerOpenApi(app: FastifyInstance): void {
  let loading: Promise<FastifyInstance> | undefined
  const page = () => {
    loading ??= import('./reference-page.ts').then(({ buildReferencePage }) =>
      buildReferencePage(DOCUMENT, REFERENCE_PAGE),
    )
    return loading
  }

  async function answerPage(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    const answer = await (await page()).inject({ url: request.url, headers: request.headers })
    if (answer.statusCode === 404) throw notFound()
    for (const [name, value] of Object.entries(answer.headers)) {
      if (!hopByHop.includes(name)) reply.header(name, value)
    }
    reply.code(answer.statusCode)
    return answer.rawPayload
  }

  const hidden = { schema: { hide: true }, config: { permission: null } }
  app.get('/api/v1/openapi.json', hidden, openApiDocument)
  app.get(REFERENCE_PAGE, hidden, answerPage)
  app.get(`${REFERENCE_PAGE}/*`, hidden, answerPage)
}

function openApiDocument(_request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  reply.type('application/json; charset=utf-8')
  return readFile(DOCUMENT)
}
