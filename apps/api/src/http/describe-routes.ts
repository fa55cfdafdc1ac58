import swagger from '@fastify/swagger'
import fastify, { type FastifySchema, type RouteOptions } from 'fastify'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { refusedWithout, replayable } from './conditional.ts'

const description = `Multi-tenant prospect management, operated by people.

Sign in with \`POST /api/v1/session\`; the cookie then speaks for you. Every change wants the session's \`csrfToken\` as \`X-CSRF-Token\`.
A \`PATCH\` wants \`If-Match\` with the ETag that was seen. Every \`POST\` that changes records takes an \`Idempotency-Key\` (sessions, sign-in, passwords, factors, people and links take none): a
replay answers the stored result with \`Idempotency-Replayed: true\` and does nothing. A key is unique in the tenant and answers the person who used it first; an identical
request of another person gets 422, or, where it creates a job, that job. What answers \`GET\` answers \`HEAD\`.
A list answers a page of \`items\`; it goes on while \`page.nextCursor\`, sent as \`cursor\`, is not null. Errors are problem documents (RFC 9457) with a \`code\`.`

export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

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
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'prospect_session',
            description: 'In production, which is reached over TLS alone, `__Host-prospect_session`',
          },
          csrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
        },
      },
      security: [{ session: [] }],
    },
    transform: createJsonSchemaTransform({}),
    transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document)),
  })
  for (const { method, url, schema } of routes) {
    app.route({ method, url, ...(schema === undefined ? {} : { schema: asRequired(schema) }), handler: notAnswered })
  }
  await app.ready()
  const document = inItsOrder.parse(app.swagger())
  await app.close()
  for (const route of routes) complete(document, route)
  return document
}

/** What a route refuses a request without, by an error of its own, is optional to its schema and to nobody else. */
function asRequired(schema: FastifySchema): FastifySchema {
  const { headers } = schema
  return headers instanceof z.ZodObject && refusedWithout.has(headers)
    ? { ...schema, headers: headers.required() }
    : schema
}

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
        responses: z.record(
          z.string(),
          z.looseObject({
            description: z.string(),
            content: z.record(z.string(), z.unknown()).optional(),
            headers: z.record(z.string(), z.unknown()).optional(),
          }),
        ),
      }),
    ),
  ),
})

/** The same object: a parse of its own would sort the keys, and every change of the document would show as another one. */
const inItsOrder = z.custom<z.infer<typeof documentSchema>>((value) => documentSchema.safeParse(value).success)

/** What is known of a route but not by its schemas: what it wants of whoever asks, the headers of its answers, and that errors are problems. */
function complete(document: z.infer<typeof documentSchema>, { method, url, schema, config }: DescribedRoute): void {
  const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[String(method).toLowerCase()]
  if (operation === undefined) return
  if (config?.open === true) operation.security = []
  else if (method !== 'GET') operation.security = [{ session: [], csrfToken: [] }]
  const { default: refused, ...done } = operation.responses
  if (refused !== undefined) {
    refused.description = 'Refused or failed'
    refused.content = { 'application/problem+json': Object.values(refused.content ?? {})[0] }
    refused.headers = headersNamed('Retry-After')
  }
  const told = headersNamed(
    ...(config?.tells?.includes('etag') === true ? (['ETag'] as const) : []),
    ...(config?.tells?.includes('location') === true ? (['Location'] as const) : []),
    ...(replayable.has(schema?.headers) ? (['Idempotency-Replayed'] as const) : []),
  )
  if (Object.keys(told).length > 0) for (const answer of Object.values(done)) answer.headers = told
}

const headerDescriptions = {
  ETag: 'The version of the record, as If-Match wants it',
  Location: 'Where what was made, or accepted, is read',
  'Idempotency-Replayed': 'true: this is the answer of before, and nothing was done',
  'Retry-After': 'Where waiting helps: for how many seconds',
}

function headersNamed(...names: (keyof typeof headerDescriptions)[]) {
  return Object.fromEntries(
    names.map((name) => [name, { description: headerDescriptions[name], schema: { type: 'string' } }]),
  )
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
