import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fixtureAdapter } from '@prospect/adapter-contract/test-kit/fixture-adapter'
import { newId } from '../src/lib/ids.ts'
import type { LoadedAdapters } from '../src/load-adapters.ts'
import type { FixtureWorld, Place } from '../src/rooms/fixture.ts'
import { addMembership } from '../src/rooms/identity/identity.ts'
import { roles } from '../src/rooms/identity/permissions.ts'
import { followChanges } from '../src/rooms/matching/suggestions/matching-follower.ts'
import { markEvaluatedWhenEmpty } from '../src/rooms/suppression/suppression.ts'
import { STORE_FILE } from '../src/store/store.ts'
import {
  buildTestApp,
  closeTestApp,
  openTestApp,
  TEST_PASSWORD,
  type TestApp,
  type TestAppOptions,
  type TestClient,
  type TestTenants,
} from './build-app.ts'
import { fixtures } from './operations.ts'
import { foldLogIntoFile, temporaryFolder } from './template-store.ts'
import { createTestClock } from './test-clock.ts'

/** Adapters of every furnished app. These tests never let them send a request. */
export const testAdapters: LoadedAdapters = { file: { sha256: 'f'.repeat(64) }, items: [fixtureAdapter().adapter] }

/** Ids of the records in two sets of fixtures in the tenant Home and one set in the tenant Other; each set has one of every record. */
export type Places = { place: Place; neighbour: Place; foreign: Place }

type Template = { dataDir: string; tenants: TestTenants; places: Places }

let template: Promise<Template> | undefined

/** Creates an app whose two tenants contain the records of all rooms' fixtures. The store is created once, then copied. */
export async function furnishedApp(options: TestAppOptions = {}): Promise<Places & { t: TestApp }> {
  template ??= makeTemplate()
  const { dataDir: source, tenants, places } = await template
  const dataDir = temporaryFolder()
  cpSync(source, dataDir, { recursive: true })
  const t = await buildTestApp({
    adapters: testAdapters,
    ...options,
    over: { dataDir, tenants, clock: createTestClock() },
  })
  for (const role of roles) await t.as(role)
  return {
    t,
    place: await withHeld(t, 'home', places.place),
    neighbour: await withHeld(t, 'home', places.neighbour),
    foreign: await withHeld(t, 'other', places.foreign),
  }
}

async function makeTemplate(): Promise<Template> {
  const t = await openTestApp({ adapters: testAdapters })
  const { tenants, store } = t
  // The command that creates a workspace calls this too.
  for (const { id } of Object.values(tenants)) await markEvaluatedWhenEmpty(store, id)
  // Create the neighbour first. Lists show the newest records first, and a test searches them for `place`.
  const neighbour = await furnish(t, 'home', false)
  const place = await furnish(t, 'home', false)
  const foreign = await furnish(t, 'other', false)
  await closeTestApp(t)
  foldLogIntoFile(join(store.dataDir, STORE_FILE))
  return { dataDir: store.dataDir, tenants, places: { place, neighbour, foreign } }
}

function withHeld(t: TestApp, tenant: keyof TestTenants, place: Place): Promise<Place> {
  return furnish(t, tenant, true, place)
}

let words = 0

async function furnish(
  t: TestApp,
  tenant: keyof TestTenants,
  isHeldInMemory: boolean,
  made = {} as Place,
): Promise<Place> {
  const place = { ...made }
  const world: FixtureWorld = {
    client: await t.as('administrator', tenant),
    colleague: await t.as('manager', tenant),
    signIn: () => session(t, tenant),
    password: TEST_PASSWORD,
    place,
    unique: () => `w${(words++).toString(36)}q`,
    eventually: async (find) => {
      await followChanges(t.store)
      const found = await find()
      if (found === undefined) throw new Error('The background has not created it.')
      return found
    },
    store: t.store,
    adapters: testAdapters,
  }
  for (const { records, isHeldInMemory: isHeld = false } of fixtures.values())
    if (isHeld === isHeldInMemory) Object.assign(place, await records?.(world))
  return place
}

async function session(
  { tenants, startSession, withSession }: TestApp,
  tenant: keyof TestTenants,
): Promise<TestClient> {
  const { id: tenantId, users } = tenants[tenant]
  return withSession(await startSession({ tenantId, userId: users.administrator.id, role: 'administrator' }))
}

/** Returns the client of a second administrator of Home, who is also the administrator of Other. */
export async function colleague({ store, tenants, startSession, withSession }: TestApp): Promise<TestClient> {
  const { home, other } = tenants
  const member = { tenantId: home.id, userId: other.users.administrator.id, role: 'administrator' } as const
  await addMembership(store, 'command line', member)
  return withSession(await startSession(member))
}

/** Returns a place in which every identifier is the given one. */
export function everywhere(place: Place, id: string): Place {
  return Object.assign({}, place, Object.fromEntries(Object.keys(place).map((name) => [name, id])))
}

/** Returns a place whose identifiers are those of records that do not exist. */
export function nowhere(place: Place): Place {
  return Object.assign({}, place, Object.fromEntries(Object.keys(place).map((name) => [name, newId()])))
}
