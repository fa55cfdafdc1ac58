import { existsSync } from 'node:fs'
import type { Permission } from '../lib/declared.ts'
import type { LoadedAdapters } from '../load-adapters.ts'
import type { Store } from '../store/store.ts'

/*
 * Types of fixtures. A room with routes has a `<room>.fixture.ts`, which creates one of each record and provides a valid request for each operation.
 * Tests and the acceptance run derive their cross-cutting checks from the fixtures of all rooms; no other code imports fixtures.
 */

/**
 * Ids of the records that fixtures created in one tenant, by the name of the path parameter, such as `noteId`. Each fixture adds its own by
 * declaration merging. `businessId` is a prospect with two records of each kind of child.
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
  /** client of an administrator of the tenant who has recently signed in */
  client: FixtureClient
  /** client of a manager of the tenant who has recently signed in, for records that need a second person */
  colleague: FixtureClient
  /** starts another session of an administrator */
  signIn(): Promise<FixtureClient>
  password: string
  /** ids of the records of earlier fixtures, in the order of rooms */
  place: Place
  /** returns text that no other call returns, for values that can be used once */
  unique(): string
  /** resolves with the result of `find` once a background loop has created it */
  eventually<T>(find: () => Promise<T | undefined>): Promise<T>
  /** store, for records that no route creates; absent if the service runs in another process */
  store?: Store
  /** adapters loaded by the service; present together with `store` */
  adapters?: LoadedAdapters
}

export type FixtureCase = {
  /** permission of the route, repeated here so that a test can compare both; null for any session */
  permission: Permission | null | 'open'
  /** returns the values of path parameters whose names differ from those in `Place` */
  path?: (place: Place) => Record<string, string>
  /** path whose response has the version for If-Match; by default the path of the operation */
  versionAt?: (place: Place) => string
  /** the query of the valid request */
  query?: string
  /** body of a request that the operation accepts unchanged */
  body?: object | string | ((place: Place) => object)
  /** other forms of the body; together with `body` they contain each property that the request accepts, except identifiers */
  otherBodies?: readonly (object | ((place: Place) => object))[]
  /** media type of a body that is not JSON */
  contentType?: string
  /** identifiers in the body, by their path, with the record of `Place` that they name and the response to an identifier of another tenant */
  refersTo?: Record<string, { names: keyof Place; answers: number; beside?: object }>
  /**
   * identifiers in the query, with the record of `Place` that they name. A record of another tenant or an unknown one is 404; a parameter that takes
   * other values too, such as the name of an actor, matches nothing
   */
  filtersBy?: Record<string, keyof Place>

  // Guarantees of a route that its schema cannot express.
  /** true for a POST that stores nothing and therefore accepts no Idempotency-Key */
  asksOnly?: true
  /** true for a POST about accounts, sessions or factors, which accepts no Idempotency-Key (`docs/security.md`) */
  isOfAccounts?: true
  /** true if an identical request of another person returns the job of the first request */
  createsJob?: true
  /** property of the body whose value is taken from the response to a POST about `businessId` that was sent just before */
  repeats?: { property: string; of: (place: Place) => string }
  /** status of a second request with another key, after the first has succeeded */
  answersAgain?: number
  /** status of the valid request, for an operation that cannot succeed with the fixtures' records */
  answers?: number
  /**
   * sample value for the path of an operation that takes a value, such as a domain, in place of a record's id. Such an operation succeeds for every
   * value in every tenant, so it never returns 404
   */
  takesAnyValue?: string
  /** true if only the author of the record can see it; other people get 404 */
  isOfItsMaker?: true
  /** further permission, without which the record is not found */
  needsAlso?: Permission
  /**
   * quotas and limits of a record that the request fills by one row, by name, with the properties that replace those of `body`; each of them has one
   * such case, unless no fixture can fill it
   */
  fills?: Readonly<Record<string, object>>
  /** true if the operation ends or replaces sessions of the requesting person */
  endsSessions?: true
  /** true for a stream, which is open until its record ends */
  isStream?: true
}

export type RoomFixture = {
  /** creates the room's records, two of each that a list shows, and returns their identifiers */
  records?(world: FixtureWorld): Promise<Partial<Place>>
  /** true if the process stores the records in memory only, so that a restart loses them */
  isHeldInMemory?: true
  /** cases by operationId: one for each operation of the room, in an order in which all of them succeed */
  cases: Readonly<Record<string, FixtureCase>>
}

/**
 * Returns a property of a response. Throws if the request failed or the property is missing, because a later test would otherwise prove something
 * else.
 */
export function idIn({ status, body }: FixtureAnswer, path = 'id'): string {
  let value = body
  for (const name of path.split('.'))
    value =
      typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
  if (status >= 300 || typeof value !== 'string')
    throw new Error(`A fixture got ${status}, without ${path}: ${JSON.stringify(body)}`)
  return value
}

/** Loads the fixtures of these rooms, in the order of the rooms. A room without routes has none. */
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
