import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'

const description = `Multi-tenant prospect management, operated by people.

Sign in with \`POST /api/v1/session\`; the cookie then speaks for you. Every change wants the session's \`csrfToken\` as \`X-CSRF-Token\`.
A \`PATCH\` wants \`If-Match\` with the ETag that was seen. Every \`POST\` takes an \`Idempotency-Key\`: a replay answers the stored
result with \`Idempotency-Replayed: true\` and does nothing. Errors are problem documents (RFC 9457) with a \`code\`.`

/** The reference page sets styles on its elements; it gets that and nothing from elsewhere. */
const REFERENCE_PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The document is made from the same Zod schemas that check requests and answers, so it cannot say something else. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Prospect Platform', version: '1', description },
      servers: [{ url: '/' }],
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'prospect_session' } } },
      security: [{ session: [] }],
    },
    transform: createJsonSchemaTransform({}),
    transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document)),
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/v1/docs',
    staticCSP: REFERENCE_PAGE_POLICY,
    theme: {
      title: 'Prospect Platform API',
      css: [{ filename: 'page.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
  app.get('/api/v1/openapi.json', { schema: { hide: true }, config: { permission: null } }, () => app.swagger())
}

type Document = ReturnType<typeof jsonSchemaTransformObject>

/** Every named schema comes in two forms, for what is sent and for what is answered; the form that nothing refers to goes. */
function withoutUnused(document: Document): Document {
  const schemas = 'components' in document ? (document.components?.schemas ?? {}) : {}
  const isUnused = (name: string) =>
    name.endsWith('Input') && !JSON.stringify(document).includes(`"#/components/schemas/${name}"`)
  for (
    let unused = Object.keys(schemas).filter(isUnused);
    unused.length > 0;
    unused = Object.keys(schemas).filter(isUnused)
  ) {
    for (const name of unused) delete schemas[name]
  }
  return document
}
