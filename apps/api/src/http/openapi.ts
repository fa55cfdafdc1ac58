import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * The file with the OpenAPI document. `describe-routes.ts` generates it at build time, because generating it blocks the event loop for half a second.
 */
export const DOCUMENT_FILE = fileURLToPath(new URL('openapi.json', import.meta.url))

/** Serves the OpenAPI document to every signed-in person. */
export function registerOpenApi(app: FastifyInstance): void {
  app.get('/api/v1/openapi.json', { schema: { hide: true }, config: { permission: null } }, openApiDocument)
}

function openApiDocument(_request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  reply.type('application/json; charset=utf-8')
  return readFile(DOCUMENT_FILE)
}
