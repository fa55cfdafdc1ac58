import { dirname } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyInstance } from 'fastify'

/**
 * Content security policy of the reference page. The page sets inline styles, so its policy permits them; everything else must come from this host.
 */
const REFERENCE_PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Builds an app that serves only the reference page of the OpenAPI document, under the path `routePrefix`. */
export async function buildReferencePage(file: string, routePrefix: string): Promise<FastifyInstance> {
  const app = fastify({ exposeHeadRoutes: false })
  await app.register(swagger, { mode: 'static', specification: { path: file, baseDir: dirname(file) } })
  await app.register(swaggerUi, {
    routePrefix,
    staticCSP: REFERENCE_PAGE_POLICY,
    theme: {
      title: 'Prospect Platform API',
      css: [{ filename: 'page.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
  await app.ready()
  return app
}
