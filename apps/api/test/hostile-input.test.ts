import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../src/lib/ids.ts'
import type { Answer, TestClient } from './build-app.ts'
import { furnishedApp } from './furnished.ts'
import { operations } from './operations.ts'
import type { Problem } from './prospects.ts'

/*
 * Sends hostile requests to every operation: bodies, queries and identifiers that nearly match their schemas, with values that break careless code.
 * The response must always be one that the API declares, and never an internal error.
 */

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  format?: string
}
type Parameter = { name: string; in: string; schema?: Schema }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type OpenApi = {
  paths: Record<string, Partial<Record<Method, Operation>>>
  components: { schemas: Record<string, Schema> }
}
type Request = { method: Method; url: string; body: unknown }

const { paths, components }: OpenApi = JSON.parse(
  readFileSync(new URL('../src/http/openapi.json', import.meta.url), 'utf8'),
)

const streams = operations.filter((one) => one.case.isStream === true)

/** Operations that are excluded, because they end the session of the requesting person or never end. */
const leftOut = new Set([
  'delete /api/v1/session',
  'delete /api/v1/sessions',
  'post /api/v1/users/{id}/session-revocation',
  'post /api/v1/session/tenant',
  ...streams.map(({ method, path }) => `${method} /api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`),
])

const strangeTexts = [
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '😀',
    '\u202Eabc',
    '١٢٣',
    'a'.repeat(5_000),
    '0'.repeat(40),
    '%',
    '%00',
    '%_',
    '"*',
    'NEAR(a b)',
  ],
  ...[
    "'; DROP TABLE businesses;--",
    '<script>',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    '=1+1',
    '-',
    '@',
    'a@',
    '@b',
    'xn--',
    '+27',
  ],
  ...[
    '2026-02-30',
    '0000-00-00',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '2026-11-21T25:00:00Z',
    'Not/AZone',
  ],
  ...[
    '2026-11-21',
    '2026-11-21T08:00:00+02:00',
    'Africa/Johannesburg',
    'a@karoo.co.za',
    '+27821234567',
    'karoo.co.za',
    '-updatedAt',
  ],
]
const strange = fc.constantFrom<unknown>(...strangeTexts, null, -1, 0, 1.5, 1e308, 2 ** 53 + 2, true, [], {}, [null])

/** Generates mostly values of the type that the schema requires. Lengths and patterns can be wrong, so that the server must check them. */
function nearly(schema: Schema, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema, ids) }, { weight: 1, arbitrary: strange })
}

function fitting(schema: Schema, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { $ref, properties = {}, items = {}, format } = schema
  if ($ref !== undefined) return fitting(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, ids)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => nearly(choice, ids)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string'])
  const ofType = (type: string): fc.Arbitrary<unknown> => {
    if (type === 'object') {
      const parts = Object.entries(properties).map(([name, part]) => [name, nearly(part, ids)])
      return fc.record({ ...Object.fromEntries(parts), unknown: fc.constant(undefined) }, { requiredKeys: [] })
    }
    if (type === 'array') return fc.array(nearly(items, ids), { maxLength: 3 })
    if (type === 'integer' || type === 'number') return fc.constantFrom(1, 50, 200, 201, 0, -1, 0.5)
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (format === 'date') return fc.constantFrom('2026-11-01', '2026-11-21')
    if (format === 'date-time') return fc.constantFrom('2026-11-20T08:00:00Z', '2026-11-21T08:00:00+02:00')
    return fc.oneof(ids, fc.constantFrom(...strangeTexts))
  }
  return fc.oneof(...types.map(ofType))
}

/** Encodes a value as text that is valid in a URL. */
function encoded(value: unknown): string {
  return encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed())
}

function requestsOf(
  path: string,
  method: Method,
  operation: Operation,
  ids: fc.Arbitrary<string>,
): fc.Arbitrary<Request> {
  const segments = path
    .split('/')
    .slice(3)
    .map((part) => (part.startsWith('{') ? fc.oneof(ids, ids, strange).map(encoded) : fc.constant(part)))
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const query = fc.record(Object.fromEntries(inQuery.map(({ name, schema = {} }) => [name, nearly(schema, ids)])), {
    requiredKeys: [],
  })
  const [content] = Object.values(operation.requestBody?.content ?? {})
  return fc
    .tuple(fc.tuple(...segments), query, content === undefined ? fc.constant(undefined) : nearly(content.schema, ids))
    .map(([parts, asked, body]) => {
      const search = Object.entries(asked).map(([name, value]) => `${name}=${encoded(value)}`)
      return { method, url: `/${parts.join('/')}${search.length > 0 ? `?${search.join('&')}` : ''}`, body }
    })
}

function send(client: TestClient, { method, url, body }: Request): Promise<Answer<Problem | null>> {
  const headers = {
    'idempotency-key': newId(),
    ...(method === 'patch' || method === 'put' ? { 'if-match': '"1"' } : {}),
  }
  return method === 'get' ? client.get(url, headers) : client[method](url, body, headers)
}

test('every operation responds to any request as the interface declares', async () => {
  const named = Object.entries(paths).flatMap(([path, of]) => Object.keys(of).map((method) => `${method} ${path}`))
  expect([...leftOut].filter((name) => !named.includes(name))).toEqual([])
  const { t, place, foreign } = await furnishedApp()
  const client = await t.as('administrator')
  const ids = fc.constantFrom(...Object.values(place), foreign.businessId, newId(), 'nobody')
  for (const [path, of] of Object.entries(paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = of[method]
      if (operation === undefined || leftOut.has(`${method} ${path}`)) continue
      await fc.assert(
        fc.asyncProperty(requestsOf(path, method, operation, ids), async (request) => {
          const { status, body } = await send(client, request)
          expect(status).toBeLessThan(500)
          if (status >= 400)
            expect(body).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) })
          expect(body?.code).not.toBe('authentication_required')
        }),
        { numRuns: 15 },
      )
    }
  }
})
