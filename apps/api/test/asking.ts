import { isDeepStrictEqual } from 'node:util'
import { newId } from '../src/lib/ids.ts'
import type { Place } from '../src/rooms/fixture.ts'
import type { Role } from '../src/rooms/identity/permissions.ts'
import type { Answer, TestApp, TestClient } from './build-app.ts'
import { addressOf, bodyOf, fill, type Operation } from './operations.ts'
import type { Problem } from './prospects.ts'
import type { Headers } from './test-client.ts'

/* Functions that send a test's requests to operations of the API. A place (`Place`) contains the ids of the records that the requests name. */

export const nameOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`

export type Asking = {
  client: TestClient
  headers?: Headers
  /** replaces the valid body; `null` sends no body */
  body?: unknown
  /** replaces the path values that the place provides */
  values?: Readonly<Record<string, string>>
}

/** Sends one request. A POST that requires an Idempotency-Key gets a fresh one if the headers have none. */
export function ask(
  operation: Operation,
  place: Place,
  { client, headers = {}, body, values }: Asking,
): Promise<Answer<Problem>> {
  const { method, needsKey, case: one } = operation
  const address = values === undefined ? addressOf(operation, place) : fill(operation, values)
  if (method === 'get') return client.get(address, headers)
  const sent = {
    ...(one.contentType === undefined ? {} : { 'content-type': one.contentType }),
    ...(needsKey ? { 'idempotency-key': newId() } : {}),
    ...headers,
  }
  const content = body === undefined ? bodyOf(operation, place) : body
  return client[method](address, content === null ? undefined : content, sent)
}

/** Returns the If-Match header that a PATCH requires; no header for any other operation. */
export async function seenVersion(operation: Operation, place: Place, client: TestClient): Promise<Headers> {
  if (!operation.wantsVersion) return {}
  const { headers } = await client.get(operation.case.versionAt?.(place) ?? addressOf(operation, place))
  return { 'if-match': String(headers.etag) }
}

/** Returns a client with its own session, because another operation may end a shared session. */
export async function freshClient(t: TestApp, role: Role): Promise<TestClient> {
  const { id: tenantId, users } = t.tenants.home
  return t.withSession(await t.startSession({ tenantId, userId: users[role].id, role }))
}

export type Asked = { operation: Operation; answer: Answer<Problem> }

/**
 * Sends every request as every given person. All of them must be rejected. Throws if any of them changed a row, except the given number of audit events
 * of refused attempts.
 */
export async function askRefused(
  t: TestApp,
  operations: readonly Operation[],
  place: Place,
  clients: readonly TestClient[],
  { headers = [{}], events = 0 }: { headers?: readonly Headers[]; events?: number } = {},
): Promise<Asked[]> {
  const asked: Asked[] = []
  const changes = await t.changes(async () => {
    for (const operation of operations)
      for (const client of clients)
        for (const sent of headers) {
          const answer = await ask(operation, place, { client, headers: { 'if-match': '"1"', ...sent } })
          asked.push({ operation, answer })
        }
  })
  if (!isDeepStrictEqual(changes, events === 0 ? {} : { audit_events: events }))
    throw new Error(`Refused requests changed ${JSON.stringify(changes)}`)
  return asked
}

export const seenAs = ({ operation, answer }: Asked): unknown[] => [nameOf(operation), answer.status, answer.body?.code]

export function isSuccess(status: number): boolean {
  return status === 200 || status === 201 || status === 202 || status === 204
}

/** Returns another body that the schema accepts, with one changed value; undefined if there is none. */
export function anotherBody(operation: Operation, place: Place): unknown {
  const body = bodyOf(operation, place)
  // A form ends with its boundary, so the last word of another line is changed.
  if (typeof body === 'string') return body.replace(/[a-z]+(?=\n)/, 'otherwise')
  return variants(body).find(
    (other) => !isDeepStrictEqual(other, body) && operation.body?.safeParse(other).success === true,
  )
}

/** Returns variants of this value, each with one inner value changed, or with one item of a list left out. */
function variants(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${value} otherwise`]
  if (typeof value === 'number') return [value + 1]
  if (typeof value === 'boolean') return [!value]
  if (Array.isArray(value))
    return [
      ...value.flatMap((item, at) => variants(item).map((other) => value.with(at, other))),
      ...value.map((_, at) => value.toSpliced(at, 1)),
    ]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => variants(item).map((other) => ({ ...value, [name]: other })))
}

export function picked(headers: Answer<unknown>['headers'], names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]))
}
