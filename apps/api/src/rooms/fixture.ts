import { existsSync } from 'node:fs'
import type { Permission } from '../lib/declared.ts'
import type { LoadedAdapters } from '../load-adapters.ts'
import type { Store } from '../store/store.ts'

/*
 * A room with routes has a `<room>.fixture.ts`, which creates one of each record and gives a valid request for each operation. Tests and the
 * acceptance run derive their cross-cutting checks from the fixtures of all rooms; no other code imports them.
 */

/**
 * Identifiers of the records that fixtures created in one tenant, by the name of the path parameter: `noteId`. Each fixture declares its
 * own by declaration merging. `businessId` is a prospect with two of every child.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the fixtures
export interface Place {}

/** The client of a test or of an acceptance run. Paths omit /api/v1. */
export type FixtureClient = {
  get(path: string): Promise<FixtureAnswer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<FixtureAnswer>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<FixtureAnswer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<FixtureAnswer>
}
export type FixtureAnswer = { status: number; body: unknown }

export type FixtureWorld = {
  /** an administrator of the tenant who has recently signed in */
  client: FixtureClient
  /** an administrator's other session */
  signIn(): Promise<FixtureClient>
  password: string
  /** the records of earlier fixtures, in the order of rooms */
  place: Place
  /** returns text that no other call returns, for values that can be used once */
  unique(): string
  /** resolves with the result of `find` once a background loop has created it */
  eventually<T>(find: () => Promise<T | undefined>): Promise<T>
  /** for records that no route creates; absent when the service runs in another process */
  store?: Store
  /** the loaded adapters of the service; present with `store` */
  adapters?: LoadedAdapters
}

export type FixtureCase = {
  /** permission of the route, repeated so that a test compares both; null for any session */
  permission: Permission | null | 'open'
  /** the values of path parameters that are not named as in `Place` */
  path?: (place: Place) => Record<string, string>
  /** a request that is accepted unchanged */
  body?: object | string | ((place: Place) => object)
  /** other forms of the body; together with `body` they contain each property that the request accepts, except identifiers */
  otherBodies?: readonly (object | ((place: Place) => object))[]
  /** media type of a body that is no JSON */
  contentType?: string
  /** identifiers in the body, by their path, with the record of `Place` that they name and the response to an identifier of another tenant */
  refersTo?: Record<string, { names: keyof Place; answers: number; beside?: object }>
  /** identifiers in the query, with the record of `Place` that they name; an identifier of another tenant matches nothing, or results in 404 */
  filtersBy?: Record<string, keyof Place | { names: keyof Place; answers: 404 }>

  // Guarantees of a route that its schema does not state.
  /** a POST that stores nothing, so it accepts no Idempotency-Key */
  asksOnly?: true
  /** a POST of accounts, sessions and factors, which accepts no Idempotency-Key (`docs/security.md`) */
  isOfAccounts?: true
  /** an identical repeat by another person returns the job of the first */
  createsJob?: true
  /** a property that the body repeats from the response of a POST about `businessId`, as the sender saw it just before */
  repeats?: { property: string; of: (place: Place) => string }
  /** status of the same request with another key, after the first one has succeeded */
  answersAgain?: number
  /** status of the valid request, if the fixtures cannot create a state in which it succeeds */
  answers?: number
  /** visible only to the author of the record; other people get 404 */
  isOfItsMaker?: true
  /** another permission, without which the record is not found */
  needsAlso?: Permission
  /** ends or replaces sessions of the requesting person */
  endsSessions?: true
  /** a stream, which stays open until its record ends */
  isStream?: true
}

export type RoomFixture = {
  /** creates the room's records, two of each that a list shows, and returns their identifiers */
  records?(world: FixtureWorld): Promise<Partial<Place>>
  /** true if the records are in the memory of the process, and thus lost at a restart */
  isHeldInMemory?: true
  /** by operationId: one for each operation of the room, in an order in which all of them succeed */
  cases: Readonly<Record<string, FixtureCase>>
}

/** Returns a property of a response. Throws if the request failed or the property is missing, because a later test would prove something else. */
export function idIn({ status, body }: FixtureAnswer, path = 'id'): string {
  let value = body
  for (const name of path.split('.'))
    value =
      typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
  if (status >= 300 || typeof value !== 'string')
    throw new Error(`A fixture got ${status}, without ${path}: ${JSON.stringify(body)}`)
  return value
}

/** Loads the fixtures of these rooms, by room, in their order; a room without routes has none. */
export async function loadFixtures(rooms: readonly { name: string }[]): Promise<Map<string, RoomFixture>> {
  const fixtures = new Map<string, RoomFixture>()
  for (const { name } of rooms) {
    const file = new URL(`./${name}/${name}.fixture.ts`, import.meta.url)
    if (!existsSync(file)) continue
    const module: { fixture: RoomFixture } = await import(file.href)
    fixtures.set(name, module.fixture)
  }
  return fixtures
}
