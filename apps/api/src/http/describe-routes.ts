import swagger from '@fastify/swagger'
import fastify, { type RouteOptions } from 'fastify'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'

const description = `Multi-tenant prospect management, operated by people.

Sign in with \`POST /api/v1/session\`; the cookie then speaks for you. Every change wants the session's \`csrfToken\` as \`X-CSRF-Token\`.
A \`PATCH\` wants \`If-Match\` with the ETag that was seen. Every \`POST\` that changes records takes an \`Idempotency-Key\` (sign-in, factors, people and links take none): a
replay answers the stored result with \`Idempotency-Replayed: true\` and does nothing. What answers \`GET\` answers \`HEAD\`. Errors are problem documents (RFC 9457) with a \`code\`.`

export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>

/**
 * The OpenAPI document of an app, by its routes as they were declared. It is made from the same Zod schemas that check requests and
 * answers, so it cannot say something else. `packages/api-client/generate.ts` writes it to openapi.json, from where it is answered;
 * `npm run check:client` fails where that is not what this gives.
 */
export async function describeRoutes(routes: readonly DescribedRoute[]): Promise<object> {
  const app = fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
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
  for (const { method, url, schema } of routes) {
    app.route({ method, url, ...(schema === undefined ? {} : { schema }), handler: notAnswered })
  }
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}

function notAnswered(): never {
  throw new Error('This app only describes.')
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
