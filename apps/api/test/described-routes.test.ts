import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildTestApp } from './build-app.ts'
import { everyProperty } from './described-properties.ts'

/*
 * Tests the parts of the OpenAPI document other than its schemas. `build-app.ts` checks in every test that responses have the declared headers and no
 * others.
 */

type Parameter = { name: string; in: string; required?: boolean }
type Response = { content?: Record<string, unknown>; headers?: Record<string, unknown> }
type Operation = {
  'x-compressible'?: true
  'x-token'?: string
  summary?: string
  security?: object[]
  parameters?: Parameter[]
  responses: Record<string, Response>
}
type Schema = { $ref?: string; type?: string; maxItems?: number; properties?: Record<string, Schema> }
type Components = { schemas: { Problem: { properties: { code: { description: string } } } } }

const { paths, components }: { paths: Record<string, Record<string, Operation>>; components: Components } = JSON.parse(
  readFileSync(new URL('../src/http/openapi.json', import.meta.url), 'utf8'),
)
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
)
const operationOf = (name: string) => operations.find((operation) => operation.name === name)

test('an open route requires nothing; others require a session, a change with its CSRF token, or an access token where one can call it', async () => {
  const open = new Set<string>()
  await buildTestApp({
    onRoute: ({ method, url, config }) => {
      if (config?.open === true) open.add(`${method} ${url}`)
    },
  })
  for (const { name, security, 'x-token': use } of operations) {
    const session = name.startsWith('GET ') ? { session: [] } : { session: [], csrfToken: [] }
    const wanted = open.has(name) ? [] : [session, ...(use === 'refused' ? [] : [{ accessToken: [] }])]
    expect(security, name).toEqual(wanted)
  }
  expect(open.size).toBeGreaterThan(5)
})

test('every error is a problem, also of a route that returns a file', () => {
  for (const { name, responses } of operations) {
    expect(Object.keys(responses.default?.content ?? {}), name).toEqual(['application/problem+json'])
    expect(Object.keys(responses.default?.headers ?? {}), name).toEqual([
      'Retry-After',
      'WWW-Authenticate',
      'RateLimit',
    ])
  }
})

test('what may be compressed is JSON that a session reads: never a change, a file, a stream, an open route or a secret', () => {
  const compressible = operations.filter((operation) => operation['x-compressible'] === true)
  const secret = /csrf|secret|password$|token$|otpauth|recoverycodes$|^link$/i
  for (const { name, security, responses } of compressible) {
    expect(name).toMatch(/^GET /)
    expect(security, name).not.toEqual([])
    expect(Object.keys(responses['200']?.content ?? {}), name).toEqual(['application/json'])
    const secrets = everyProperty(responses['200'], components.schemas)
      .filter(({ name: property, schema }) => secret.test(property) && schema.type === 'string')
      .map((property) => property.name)
    expect([name, secrets]).toEqual([name, []])
  }
  expect(compressible.map(({ name }) => name)).toContain('GET /api/v1/businesses')
  const left = operations.filter(
    (operation) => operation.name.startsWith('GET ') && operation['x-compressible'] !== true,
  )
  expect(left.map(({ name }) => name.replace('GET /api/v1', '')).sort()).toEqual([
    '/changes/stream',
    '/exports/{exportId}/content',
    '/health/live',
    '/health/ready',
    '/holdings/{holdingId}/file',
    '/jobs/{jobId}/events/stream',
    '/registry-rounds/{roundId}/file',
    '/session',
    '/session/company',
  ])
})

test('the responses of the operations that are marked carry the mark of the web server, and no others', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const marked = async (path: string) => 'x-compressible' in (await administrator.get(path)).headers
  expect(await Promise.all(['/businesses', '/session', '/health/live', '/businesses/none'].map(marked))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

/** The members of an answer. The document refers to named schemas. */
function membersOf(response: Response | undefined): Record<string, Schema> {
  const schema = resolved((response?.content?.['application/json'] as { schema?: Schema } | undefined)?.schema)
  return schema?.properties ?? {}
}

function resolved(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas as unknown as Record<string, Schema>)[name]
}

test('a list has pages, or a cursor to continue from, or states how many rows it has at most', () => {
  const lists = operations.flatMap(({ name, responses }) => {
    const members = membersOf(responses['200'])
    const items = resolved(members.items)
    return name.startsWith('GET ') && items?.type === 'array' ? [{ name, members, items }] : []
  })
  expect(lists.length).toBeGreaterThan(50)
  const unbounded = lists.filter(
    ({ members, items }) =>
      !['page', 'nextAfter', 'nextCursor'].some((member) => member in members) && items.maxItems === undefined,
  )
  expect(unbounded.map(({ name }) => name)).toEqual([])
})

test('every operation has a summary of one line', () => {
  expect(operations.filter(({ summary }) => summary === undefined).map(({ name }) => name)).toEqual([])
})

test('the codes of problems are listed, each under its status', () => {
  const { description } = components.schemas.Problem.properties.code
  expect(description).toContain('412 version_conflict; 413 too_large;')
  expect(description).toContain('500 merge_stopped, internal_error;')
})

test.each([
  ['PATCH /api/v1/businesses/{businessId}', 'if-match', true],
  ['POST /api/v1/jobs', 'idempotency-key', true],
  ['POST /api/v1/businesses', 'idempotency-key', false],
])('%s: whether %s is required is %s', (name, header, required) => {
  expect(operationOf(name)?.parameters).toContainEqual(
    expect.objectContaining({ name: header, in: 'header', required }),
  )
})

test('no route of sessions, passwords, factors, people and links accepts an Idempotency-Key', () => {
  const secretive = /^\/api\/v1\/(?:session|password|mfa|users|one-time-links)(?:\/|$)/
  const posts = operations.filter(({ name }) => name.startsWith('POST ') && secretive.test(name.slice('POST '.length)))
  expect(posts.length).toBeGreaterThan(15)
  const taking = posts.filter(({ parameters }) => parameters?.some((one) => one.name === 'idempotency-key'))
  expect(taking.map(({ name }) => name)).toEqual([])
})

test.each([
  ['POST /api/v1/businesses', '201', ['ETag', 'Location', 'Idempotency-Replayed']],
  ['GET /api/v1/businesses/{businessId}', '200', ['ETag']],
  ['GET /api/v1/businesses', '200', []],
])('the headers of the responses of %s are listed', (name, status, headers) => {
  expect(Object.keys(operationOf(name)?.responses[status]?.headers ?? {})).toEqual(headers)
})
