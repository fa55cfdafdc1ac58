import swagger from '@fastify/swagger'
import fastify, { type FastifySchema, type RouteOptions } from 'fastify'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Permission } from '../lib/declared.ts'
import { isCompressible } from './compressible.ts'
import { refusedWithout, replayable } from './conditional.ts'
import { type TokenRefusal, tokenRefusalOf } from './token-access.ts'
import { takesNothing } from './validation.ts'

const description = `Multi-tenant prospect management, operated by people.

Sign in with \`POST /api/v1/session\`; the session cookie authenticates later requests. Every change requires the session's \`csrfToken\` as \`X-CSRF-Token\`.
A program signs in with an access token instead: \`Authorization: Bearer pp_…\`, without a cookie and without \`X-CSRF-Token\`. A request with a token ignores its cookie. \`x-token\` states
per operation whether a token can call it: \`allowed\`, \`some_bodies\` (without a fresh proof only), or \`refused\` (403 \`session_required\`), and \`x-permission\` the permission that it requires.
A \`PATCH\` requires \`If-Match\` with the ETag of the version that you read. Every \`POST\` that changes records accepts an \`Idempotency-Key\` (sessions, sign-in, passwords, factors, tokens, people and links do not): a
replay returns the result of the first request as it is now, with \`Idempotency-Replayed: true\`, and changes nothing. A key is unique in the workspace and belongs to the person who used it first; an identical
request of another person gets 422 or, where it creates a job, that job. Routes that support \`GET\` support \`HEAD\`.
An operation with \`x-fresh-proof\` requires that the person proved their identity within the last 15 minutes, always or for some bodies; otherwise it answers 403
\`step_up_required\`. Prove it with \`POST /api/v1/session/mfa\`, then repeat the request with the same \`Idempotency-Key\`.
A list returns a page of \`items\`. While \`page.nextCursor\` is not null, send it as \`cursor\` to get the next page. Errors are problem documents (RFC 9457) with a \`code\`.`

export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>

/**
 * Builds the OpenAPI document of an app from its declared routes and from the Zod schemas that validate requests and responses.
 * `grantable`: the permissions that an access token
 * can have. `packages/api-client/generate.ts` writes the document to openapi.json, which the API serves. `npm run check:client` fails if that file differs from
 * this document.
 */
export async function describeRoutes(
  routes: readonly DescribedRoute[],
  grantable: ReadonlySet<Permission>,
): Promise<object> {
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
            description: 'In production, which is reached over TLS only, the name is `__Host-prospect_session`.',
          },
          csrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An access token of a member, created with `POST /tokens` or on the page Settings · Access tokens.',
          },
        },
      },
      security: [{ session: [] }, { accessToken: [] }],
    },
    transform: createJsonSchemaTransform({}),
    transformObject: (document) => withSortedSchemas(withoutUnused(jsonSchemaTransformObject(document))),
  })
  for (const { method, url, schema } of routes) {
    app.route({ method, url, ...(schema === undefined ? {} : { schema: asRequired(schema) }), handler: notAnswered })
  }
  await app.ready()
  const document = inItsOrder.parse(app.swagger())
  await app.close()
  for (const route of routes) complete(document, route, grantable)
  return document
}

/** Marks headers as required that the schema makes optional only so that the route can return its own error. */
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
        requestBody: z.looseObject({ required: z.boolean().optional() }).optional(),
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

/**
 * Schema that checks the generated object without copying it, so that it can be edited in place. A copy would have its keys in another order, and
 * every diff of openapi.json would be large.
 */
const inItsOrder = z.custom<z.infer<typeof documentSchema>>((value) => documentSchema.safeParse(value).success)

/**
 * Adds the parts of an operation that its schemas do not declare: required session, permission and headers, response headers, and the problem bodies
 * of errors.
 */
function complete(
  document: z.infer<typeof documentSchema>,
  route: DescribedRoute,
  grantable: ReadonlySet<Permission>,
): void {
  const { method, url, schema, config } = route
  const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[String(method).toLowerCase()]
  if (operation === undefined) return
  const { requestBody } = operation
  if (takesNothing(schema?.body) && requestBody !== undefined) requestBody.required = false
  if (isCompressible(route)) operation['x-compressible'] = true
  if (config?.stepUp !== undefined) operation['x-fresh-proof'] = config.stepUp === true ? 'always' : 'some_bodies'
  if (config?.open === true) operation.security = []
  else {
    const refusal = tokenRefusalOf({ method: String(method), config: config ?? {} }, grantable)
    operation['x-permission'] = config?.permission ?? null
    operation['x-token'] = refusal !== undefined ? 'refused' : config?.stepUp === undefined ? 'allowed' : 'some_bodies'
    if (refusal !== undefined) operation['x-token-refused'] = refusal
    operation.security = securityOf(method !== 'GET', refusal)
  }
  const { default: refused, ...done } = operation.responses
  if (refused !== undefined) {
    refused.description = 'Refused or failed'
    refused.content = { 'application/problem+json': Object.values(refused.content ?? {})[0] }
    refused.headers = headersNamed('Retry-After', 'WWW-Authenticate', 'RateLimit')
  }
  const told = headersNamed(
    ...(config?.tells?.includes('etag') === true ? (['ETag'] as const) : []),
    ...(config?.tells?.includes('location') === true ? (['Location'] as const) : []),
    ...(replayable.has(schema?.headers) ? (['Idempotency-Replayed'] as const) : []),
  )
  if (Object.keys(told).length > 0) for (const answer of Object.values(done)) answer.headers = told
}

/** Returns the credentials of which an operation requires one: a session, with the CSRF token for a change, or an access token. */
function securityOf(changes: boolean, refusal: TokenRefusal | undefined): Record<string, string[]>[] {
  const session = changes ? { session: [], csrfToken: [] } : { session: [] }
  return refusal === undefined ? [session, { accessToken: [] }] : [session]
}

const headerDescriptions = {
  ETag: 'The version of the record, to send as If-Match',
  Location: 'Address of the created or accepted resource',
  'Idempotency-Replayed': 'true: an earlier request with this key did the work, and nothing was changed now',
  'Retry-After': 'Seconds to wait before a retry, where waiting helps',
  'WWW-Authenticate': 'With 401 for an access token: why it is refused',
  RateLimit:
    'With an access token: requests that are left (`r`) and seconds until the next window (`t`); RateLimit-Policy states the limit',
}

function headersNamed(...names: (keyof typeof headerDescriptions)[]) {
  return Object.fromEntries(
    names.map((name) => [name, { description: headerDescriptions[name], schema: { type: 'string' } }]),
  )
}

function notAnswered(): never {
  throw new Error('This app only describes routes.')
}

type Document = ReturnType<typeof jsonSchemaTransformObject>

/** Removes schemas that no operation uses. Every named schema exists in an input and an output form, and often only one of them is used. */
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

/** Sorts the named schemas. Otherwise they have the order in which modules are loaded, and a moved file would change the whole document. */
function withSortedSchemas(document: Document): Document {
  if (!('components' in document) || document.components?.schemas === undefined) return document
  const schemas = Object.entries(document.components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))
  document.components.schemas = Object.fromEntries(schemas)
  return document
}
