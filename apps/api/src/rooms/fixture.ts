import { existsSync } from 'node:fs'
import type { Permission } from '../lib/declared.ts'
import type { LoadedAdapters } from '../load-adapters.ts'
import type { Store } from '../store/store.ts'

/*
 * Each room with routes has a `<room>.fixture.ts`: it creates one of each record and gives a valid request for each operation. Tests and the
 * acceptance run derive what holds for every route from the fixtures of all rooms; nothing else imports them.
 */

/**
 * Identifiers of the records that fixtures made in one tenant, by the name of the path parameter: `noteId`. Each fixture declares its own
 * by declaration merging. `businessId` is a prospect with two of everything that belongs to one.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the fixtures
export interface Place {}

/** What a fixture sends requests with: the client of a test or of an acceptance run. Paths begin behind /api/v1. */
export type FixtureClient = {
  get(path: string): Promise<FixtureAnswer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<FixtureAnswer>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<FixtureAnswer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<FixtureAnswer>
}
export type FixtureAnswer = { status: number; body: unknown }

export type FixtureWorld = {
  /** an administrator of the tenant who has signed in a short while ago */
  client: FixtureClient
  /** an administrator's other session */
  signIn(): Promise<FixtureClient>
  password: string
  /** the records of the fixtures before, in the order of rooms */
  place: Place
  /** Text that no other call returns, for values that can be used once. */
  unique(): string
  /** Resolves with what `find` returns once loops in the background have made it. */
  eventually<T>(find: () => Promise<T | undefined>): Promise<T>
  /** for records that no route creates; absent where the service runs elsewhere */
  store?: Store
  /** what the service has loaded; with `store` */
  adapters?: LoadedAdapters
}

export type FixtureCase = {
  /** what the route must ask for, written down a second time so that a test compares both; null: a session is enough */
  permission: Permission | null | 'open'
  /** the values of path parameters that are not named as in `Place` */
  path?: (place: Place) => Record<string, string>
  /** a request that is accepted as it stands */
  body?: object | string | ((place: Place) => object)
  /** other forms of the body: with `body`, they hold each property that the request takes, but for identifiers */
  otherBodies?: readonly (object | ((place: Place) => object))[]
  /** of a body that is no JSON */
  contentType?: string
  /** identifiers in the body, by their path, with what of `Place` they name and how one of another tenant is answered */
  refersTo?: Record<string, { names: keyof Place; answers: number; beside?: object }>
  /** identifiers in the query, with what of `Place` they name */
  filtersBy?: Record<string, keyof Place>

  // What a route promises and no schema says.
  /** a POST that stores nothing, so it takes no Idempotency-Key */
  asksOnly?: true
  /** a POST of accounts, sessions and factors, which takes no Idempotency-Key (`docs/security.md`) */
  isOfAccounts?: true
  /** an identical repeat of another person is answered with the job of the first */
  createsJob?: true
  /** the status of the same request sent again, with another key: the first one decided */
  answersAgain?: number
  /** the status of the valid request, where the fixtures cannot leave a state in which it succeeds */
  answers?: number
  /** answers who made the record; everybody else gets 404 */
  isOfItsMaker?: true
  /** a permission beside that of the route, without which the record is not found */
  needsAlso?: Permission
  /** ends or replaces sessions of the person who asks */
  endsSessions?: true
  /** a stream, which does not end before its record does */
  isStream?: true
}

export type RoomFixture = {
  /** Creates the room's records, two where a list shows them, and returns their identifiers. */
  records?(world: FixtureWorld): Promise<Partial<Place>>
  /** held in the memory of the process, so made anew after a start */
  isHeldInMemory?: true
  /** by operationId: one for each operation of the room, in an order in which all of them succeed */
  cases: Readonly<Record<string, FixtureCase>>
}

/** A property of an answer. Errors where the answer refused, or lacks it: a later test would prove something else. */
export function idIn({ status, body }: FixtureAnswer, path = 'id'): string {
  let value = body
  for (const name of path.split('.'))
    value =
      typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
  if (status >= 300 || typeof value !== 'string')
    throw new Error(`A fixture was answered ${status}, without ${path}: ${JSON.stringify(body)}`)
  return value
}

/** The fixtures of these rooms, by room, in their order; a room without routes has none. */
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
