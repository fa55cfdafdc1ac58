import type { FastifySchema, RouteOptions } from 'fastify'
import { z } from 'zod'
import { replayable, requiredIdempotencyHeaders, versionHeaders } from '../src/http/conditional.ts'
import type { RefusedAttempts } from '../src/http/refused-attempts.ts'
import type { Permission } from '../src/lib/declared.ts'
import { type FixtureCase, loadFixtures, type Place, type RoomFixture } from '../src/rooms/fixture.ts'
import { rooms } from '../src/rooms/index.ts'
import { closeTestApp, openTestApp } from './build-app.ts'

/* Every operation of the API: its declared route, together with its case in the room's fixture. */

export type Operation = {
  id: string
  room: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** path as the app declares it, without /api/v1: `/businesses/:businessId` */
  path: string
  /** names of the parameters in the path */
  parameters: readonly string[]
  /** required permission; null if any session is sufficient */
  permission: Permission | null
  isOpen: boolean
  schema: FastifySchema
  /** schema of the JSON body */
  body: z.ZodType | undefined
  /** true if the successful response is a page of a list */
  isList: boolean
  takesKey: boolean
  needsKey: boolean
  wantsVersion: boolean
  /** how refused attempts are recorded in the audit; undefined if they are not */
  refused: RefusedAttempts | undefined
  case: FixtureCase
}

export const fixtures: ReadonlyMap<string, RoomFixture> = await loadFixtures(rooms)

/** All declared operations, with or without a case. */
export const declared: readonly RouteOptions[] = await declaredRoutes()

async function declaredRoutes(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = []
  await closeTestApp(await openTestApp({ onRoute: (route) => routes.push(route) }))
  return routes.filter(({ schema }) => schema?.operationId !== undefined)
}

export const operations: readonly Operation[] = [...fixtures].flatMap(([room, { cases }]) =>
  Object.entries(cases).flatMap(([id, one]) => {
    const route = declared.find(({ schema }) => schema?.operationId === id)
    return route === undefined ? [] : [operationOf(room, id, route, one)]
  }),
)

/** Returns, by room, the operations for which `is` returns true. Rooms without such an operation are omitted. */
export function byRoom(is: (operation: Operation) => boolean): [room: string, operations: Operation[]][] {
  return [...Map.groupBy(operations.filter(is), ({ room }) => room)]
}

function operationOf(
  room: string,
  id: string,
  { method, url, schema = {}, config }: RouteOptions,
  one: FixtureCase,
): Operation {
  const path = url.replace('/api/v1', '')
  return {
    id,
    room,
    method: methodOf(method),
    path,
    parameters: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    permission: config?.permission ?? null,
    isOpen: config?.open === true,
    schema,
    body: schema.body instanceof z.ZodType && one.contentType === undefined ? schema.body : undefined,
    isList: isPage(schema.response),
    takesKey: replayable.has(schema.headers),
    needsKey: schema.headers === requiredIdempotencyHeaders,
    wantsVersion: schema.headers === versionHeaders,
    refused: config?.refused,
    case: one,
  }
}

function methodOf(method: RouteOptions['method']): Operation['method'] {
  switch (method) {
    case 'GET':
      return 'get'
    case 'POST':
      return 'post'
    case 'PUT':
      return 'put'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return 'delete'
    default:
      throw new Error(`No route of the interface is a ${String(method)}.`)
  }
}

/** Returns true for a schema made by `pageOf`: items, and a page with a cursor. */
function isPage(response: unknown): boolean {
  const schema = z.object({ 200: z.instanceof(z.ZodObject) }).safeParse(response).data?.[200]
  const page = schema?.shape.page
  return page instanceof z.ZodObject && 'nextCursor' in page.shape
}

/** Returns the values of the operation's path parameters. */
export function pathValues(operation: Operation, place: Place): Record<string, string> {
  const named = { ...place, ...operation.case.path?.(place) }
  return Object.fromEntries(
    operation.parameters.map((name) => {
      const value = Object.entries(named).find(([key]) => key === name)?.[1]
      if (typeof value !== 'string')
        throw new Error(`No value for ${name} of ${operation.id}: add it to the room's fixture.`)
      return [name, value]
    }),
  )
}

export function fill({ path, case: { query } }: Operation, values: Readonly<Record<string, string>>): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? `no-${name}`)
  return query === undefined ? filled : `${filled}?${query}`
}

export function addressOf(operation: Operation, place: Place): string {
  return fill(operation, pathValues(operation, place))
}

/** Returns the alternative bodies of the operation, which use further properties. */
export function otherBodiesOf({ case: { otherBodies = [] } }: Operation, place: Place): object[] {
  return otherBodies.map((body) => (typeof body === 'function' ? body(place) : body))
}

/** Returns a valid body; undefined if the operation takes none. */
export function bodyOf({ case: { body } }: Operation, place: Place): object | string | undefined {
  return typeof body === 'function' ? body(place) : body
}
