import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tokenRefusalOf } from '../../src/http/token-access.ts'
import type { Permission } from '../../src/lib/declared.ts'
import { permissionNames } from '../../src/rooms/facts.ts'
import { exclusions, tokenPermissions } from '../../src/rooms/tokens/token-permissions.data.ts'
import { grantablePermissions } from '../../src/rooms/tokens/token-permissions.ts'
import { createTestToken, grantableTo } from '../access-tokens.ts'
import { ask, freshClient, isSuccess, nameOf, seenVersion } from '../asking.ts'
import type { TestApp, TestClient } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { byRoom, declared, type Operation, operations } from '../operations.ts'

/*
 * Tests access with an access token to each operation of the OpenAPI document: the document states whether a token can call it, and with which
 * permission.
 */

type Described = {
  operationId: string
  security?: object[]
  'x-token'?: 'allowed' | 'some_bodies' | 'refused'
  'x-token-refused'?: string
  'x-permission'?: Permission | null
}
const { paths, security: byDefault }: { paths: Record<string, Record<string, Described>>; security: object[] } =
  JSON.parse(readFileSync(new URL('../../src/http/openapi.json', import.meta.url), 'utf8'))
const described = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
)
const tokenUse = ({ id }: Operation) => described.get(id)?.['x-token']
const permissionOf = ({ id }: Operation) => described.get(id)?.['x-permission'] ?? null

/** Returns the client of a token of an administrator with all permissions that tokens can have, or all but one. */
async function tokenOf(t: TestApp, without?: Permission): Promise<TestClient> {
  const permissions = grantableTo('administrator').filter((permission) => permission !== without)
  return (await createTestToken(t, { role: 'administrator', permissions })).client
}

const outcome = async (
  operation: Operation,
  { t, place }: Awaited<ReturnType<typeof furnishedApp>>,
  client: TestClient,
) => {
  const headers = await seenVersion(operation, place, await t.as('administrator'))
  const { status, body } = await ask(operation, place, { client, headers })
  return { status, code: body?.code }
}

test('the document states for every operation whether a token can call it, as its route decides, and its security says the same', () => {
  const stated = operations.map((operation) => [operation.id, tokenUse(operation)])
  const decided = operations.map((operation) => {
    const route = declared.find(({ schema }) => schema?.operationId === operation.id)
    if (operation.isOpen) return [operation.id, undefined]
    const called = { method: String(route?.method), config: route?.config ?? {} }
    if (tokenRefusalOf(called, grantablePermissions) !== undefined) return [operation.id, 'refused']
    return [operation.id, route?.config?.stepUp === undefined ? 'allowed' : 'some_bodies']
  })
  expect(stated).toEqual(decided)
  for (const operation of operations.filter(({ isOpen }) => !isOpen)) {
    const { security = byDefault } = described.get(operation.id) ?? {}
    const takesToken = security.some((one) => 'accessToken' in one)
    expect([operation.id, takesToken]).toEqual([operation.id, tokenUse(operation) !== 'refused'])
  }
  const uses = Map.groupBy(operations, tokenUse)
  expect(uses.get('allowed')?.length).toBeGreaterThan(100)
  expect(uses.get('refused')?.length).toBeGreaterThan(60)
})

test('no operation with a fresh proof, and none that changes without a permission, accepts a token', () => {
  const accepted = operations.filter((operation) => ['allowed', 'some_bodies'].includes(tokenUse(operation) ?? ''))
  const proven = declared.filter(({ config }) => config?.stepUp === true).map(({ schema }) => schema?.operationId)
  expect(accepted.filter(({ id }) => proven.includes(id))).toEqual([])
  expect(accepted.filter(({ method, permission }) => method !== 'get' && permission === null)).toEqual([])
})

test('no token can have a permission of which an operation always requires a fresh proof', () => {
  const proven = new Set(declared.flatMap(({ config }) => (config?.stepUp === true ? [config.permission] : [])))
  expect([...grantablePermissions].filter((permission) => proven.has(permission))).toEqual([])
})

test('every exclusion is used, and every permission that tokens can have opens an operation or shows more of one', () => {
  const reasons = Object.values(tokenPermissions).flatMap((rule) => ('never' in rule ? [rule.never] : []))
  expect(new Set(reasons)).toEqual(new Set(Object.keys(exclusions)))
  expect(permissionNames.length).toBe(Object.keys(tokenPermissions).length)
})

describe.each(byRoom(({ isOpen }) => !isOpen))('with a token, every operation of %s', (_room, ofRoom) => {
  const open = ofRoom.filter((operation) => tokenUse(operation) !== 'refused')
  const refused = ofRoom.filter((operation) => tokenUse(operation) === 'refused')

  test('that accepts tokens is done with its permission, as for the person', async () => {
    const world = await furnishedApp()
    const client = await tokenOf(world.t)
    const otherwise: unknown[] = []
    const decided = new Set<Operation>()
    for (const operation of open.filter(({ case: one }) => one.isStream !== true)) {
      const { status, code } = await outcome(operation, world, client)
      const wanted = operation.case.answers
      // An operation with a body that requires a proof tells so. Some records can be seen by their author only, or with a permission that tokens lack.
      const isExpected =
        (wanted === undefined ? isSuccess(status) : status === wanted) ||
        (tokenUse(operation) === 'some_bodies' && code === 'session_required') ||
        (operation.case.needsAlso !== undefined &&
          !grantablePermissions.has(operation.case.needsAlso) &&
          status === 404)
      if (isSuccess(status)) decided.add(operation)
      if (!isExpected) otherwise.push([nameOf(operation), status, code])
    }
    expect(otherwise).toEqual([])
  })

  test('that accepts tokens is refused without its permission, and changes nothing but the audit of approvals', async () => {
    const world = await furnishedApp()
    const { t, place } = world
    const otherwise: unknown[] = []
    for (const [permission, guarded] of Map.groupBy(open, permissionOf)) {
      if (permission === null) continue
      const client = await tokenOf(t, permission)
      // The first use of a token is written.
      await client.get('/capabilities')
      await t.store.writes.idle()
      for (const operation of guarded) {
        const changes = await t.changes(async () => {
          const { status, body } = await ask(operation, place, { client, headers: { 'if-match': '"1"' } })
          if (status !== 403 || body.code !== 'permission_denied') otherwise.push([nameOf(operation), status, body])
        })
        if (Object.keys(changes).some((table) => table !== 'audit_events')) otherwise.push([nameOf(operation), changes])
      }
    }
    expect(otherwise).toEqual([])
  })

  test('that refuses tokens says that a person must sign in, and changes nothing', async () => {
    const { t, place } = await furnishedApp()
    const client = await tokenOf(t)
    await client.get('/capabilities')
    await t.store.writes.idle()
    const otherwise: unknown[] = []
    const changes = await t.changes(async () => {
      for (const operation of refused) {
        const { status, body } = await ask(operation, place, { client, headers: { 'if-match': '"1"' } })
        if (status !== 403 || body.code !== 'session_required') otherwise.push([nameOf(operation), status, body])
      }
    })
    expect(otherwise).toEqual([])
    expect(changes).toEqual({})
  })

  test('is refused with an expired, a revoked and a malformed token, and changes nothing', async () => {
    const { t, place } = await furnishedApp()
    const expired = await createTestToken(t, { role: 'administrator', days: 1 })
    t.clock.advance(86_400_000)
    const revoked = await createTestToken(t, { role: 'administrator' })
    await (await freshClient(t, 'administrator')).delete(`/tokens/${revoked.id}`)
    // The first refusal of each token is recorded.
    for (const { client } of [expired, revoked]) await client.get('/capabilities')
    const otherwise: unknown[] = []
    const changes = await t.changes(async () => {
      for (const operation of ofRoom)
        for (const client of [expired.client, revoked.client, t.withToken('pp_x')]) {
          const { status, body } = await ask(operation, place, { client, headers: { 'if-match': '"1"' } })
          if (status !== 401 || body.code !== 'token_invalid') otherwise.push([nameOf(operation), status, body])
        }
    })
    expect(otherwise).toEqual([])
    expect(changes).toEqual({})
  })

  const named = open.filter((one) => one.parameters.length > 0 && one.case.takesAnyValue === undefined)
  if (named.length === 0) return

  test('does not find the records of another workspace', async () => {
    const { t, foreign } = await furnishedApp()
    const client = await tokenOf(t)
    await client.get('/capabilities')
    await t.store.writes.idle()
    const otherwise: unknown[] = []
    const changes = await t.changes(async () => {
      for (const operation of named) {
        const { status, body } = await ask(operation, foreign, { client, headers: { 'if-match': '"1"' } })
        if (status !== 404 || body.code !== 'not_found') otherwise.push([nameOf(operation), status, body])
      }
    })
    expect(otherwise).toEqual([])
    expect(changes).toEqual({})
  })
})
