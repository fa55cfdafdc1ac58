import { randomUUID } from 'node:crypto'
import { type Client, expectThat, find } from '../../acceptance/acceptance-client.ts'
import type { Check, World } from '../../acceptance/gates.ts'
import { untilThere } from '../../acceptance/patience.ts'
import {
  type FixtureCase,
  type FixtureClient,
  type FixtureWorld,
  loadFixtures,
  type Place,
} from '../../rooms/fixture.ts'
import { rooms } from '../../rooms/index.ts'

/** Reads every record that the fixtures of all rooms create, as the administrator who created it and as one of another tenant. */
export const everyRecord: Check = {
  name: 'every record that a room creates can be read by its tenant, and by no other',
  run: async (world) => {
    const fixtures = await loadFixtures(rooms)
    const place = {} as Place
    for (const { records } of fixtures.values()) Object.assign(place, await records?.(fixtureWorld(world, place)))
    const cases = [...fixtures.values()].flatMap((fixture) => Object.entries(fixture.cases))
    const reads = cases.flatMap(([operationId, one]) => {
      const path = readPath(world, operationId)
      return path === undefined || one.isStream === true ? [] : [{ operationId, one, path }]
    })
    const wrong: string[] = []
    let named = 0
    const unmade: string[] = []
    for (const { operationId, one, path } of reads) {
      const address = fill(path, place, one)
      if (address === undefined) {
        unmade.push(operationId)
        continue
      }
      const asked = one.query === undefined ? address : `${address}?${one.query}`
      const { status } = await world.administrator.get(asked)
      // A job may have ended in the meantime, so a record that the tests do not find can exist here.
      if (status !== 200 && status !== one.answers) wrong.push(`${operationId} returned ${status}`)
      if (address === path || one.takesAnyValue !== undefined) continue
      named += 1
      const other = await world.neighbour.get(asked)
      if (other.status !== 404) wrong.push(`${operationId} returned ${other.status} to another tenant`)
    }
    expectThat(wrong.length === 0, `${wrong.join('; ')}.`)
    const left = unmade.length === 0 ? '' : ` Not read here, because no route creates the record: ${unmade.join(', ')}.`
    return `${reads.length - unmade.length} reads succeeded, and ${named} of them, which name a record, returned 404 to another tenant.${left}`
  },
}

function fixtureWorld(world: World, place: Place): FixtureWorld {
  return {
    client: fixtureClient(world.administrator),
    colleague: fixtureClient(world.manager),
    signIn: async () => fixtureClient(await world.anotherAdministration()),
    password: '',
    place,
    unique: () => `a${randomUUID().slice(0, 13)}`,
    eventually: untilThere,
  }
}

function fixtureClient({ get, post, patch, send }: Client): FixtureClient {
  return {
    get,
    put: (path, body, headers = {}) => send('PUT', path, { body, headers }),
    patch,
    post: (path, body, headers = {}) =>
      typeof body === 'string' ? send('POST', path, { text: body, headers }) : post(path, body, headers),
  }
}

/** Returns the path of a GET operation in the service's OpenAPI document; undefined for another method. */
function readPath({ openApi }: World, operationId: string): string | undefined {
  const paths = Object.entries(find(openApi.body, 'paths') ?? {})
  const found = paths.find(([, operations]) => find(operations, 'get.operationId') === operationId)
  return found?.[0].replace('/api/v1', '')
}

/**
 * Fills the parameters of a path. Undefined if the fixtures could not create the record, because it needs a job and thus a store.
 */
function fill(path: string, place: Place, one: FixtureCase): string | undefined {
  const values: Record<string, unknown> = { ...place, ...one.path?.(place) }
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => values[name] === undefined)) return undefined
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}
