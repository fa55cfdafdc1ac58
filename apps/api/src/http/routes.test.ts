import fastify, { type RouteOptions } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { test } from 'vitest'
import { z } from 'zod'
import { seedTenant, temporaryStore } from '../../test/temporary-store.ts'
import type { UserActor } from '../lib/actor.ts'
import { newId } from '../lib/ids.ts'
import { roomErrors } from '../rooms/facts.ts'
import { change, type Tx, unchanged } from '../store/change/change.ts'
import type { Store } from '../store/store.ts'
import { idempotencyHeaders, requiredIdempotencyHeaders, versionHeaders } from './conditional.ts'
import { errorStatuses, registerProblems } from './problem.ts'
import { createRoutes, type Routes } from './routes.ts'
import { serializerCompiler, validatorCompiler } from './validation.ts'

const params = z.object({ visitId: z.string() })
const input = z.strictObject({ name: z.string() })
const visit = z.object({ id: z.string(), name: z.string() })

type Sent = { headers?: Record<string, string>; payload?: object }

/** Builds an app with the routes that `declare` registers, whose requests are all sent by one person. */
async function appWith(declare: (route: Routes, store: Store) => void) {
  const store = temporaryStore()
  const actor: UserActor = {
    kind: 'user',
    userId: newId(),
    tenantId: await seedTenant(store),
    correlationId: newId(),
    permissions: new Set(['notes.read', 'notes.write']),
  }
  const app = fastify({ exposeHeadRoutes: false }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler({ check: true }))
  registerProblems(app, errorStatuses(roomErrors))
  app.decorateRequest('actor', null)
  app.decorateRequest('isFresh', false)
  app.addHook('onRequest', async (request) => {
    request.actor = actor
  })
  const declared: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    declared.push(route)
  })
  declare(createRoutes(app, { store, tag: 'visits' }), store)
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, sent: Sent = {}) => {
    const { statusCode: status, headers, body } = await app.inject({ method, url, ...sent })
    const { etag, location, 'idempotency-replayed': replayed } = headers
    return { status, etag, location, replayed, body: body === '' ? undefined : JSON.parse(body) }
  }
  return { actor, declared, send }
}

/** Returns the success statuses of a route. `registerProblems` adds `default` for errors. */
const statuses = ({ schema }: RouteOptions) => Object.keys(schema?.response ?? {}).filter((key) => key !== 'default')

/** Work like that of a room: records one event and returns the id. */
async function record(tx: Tx, id = newId()): Promise<{ id: string }> {
  await tx.record({ subject: { type: 'test.visit', id } })
  return { id }
}

const add = {
  url: '/visits',
  id: 'addVisit',
  summary: 'Add a visit',
  permission: 'notes.write',
  action: 'test.visit',
  body: input,
  response: visit,
} as const

test('a change is a POST that accepts an Idempotency-Key and answers 200, or 201 if it has a location', async ({
  expect,
}) => {
  let reads = 0
  const { declared, send } = await appWith((route) => {
    route.change({ ...add, work: (tx) => record(tx), answer: ({ id }, { body }) => ({ id, name: body.name }) })
    route.change({
      ...add,
      url: '/visits/located',
      work: (tx) => record(tx),
      location: ({ id }) => `/visits/${id}`,
      answer: ({ id }) => ({ id, name: `read ${++reads} times` }),
    })
  })
  expect(declared[0]).toMatchObject({ method: 'POST', config: { permission: 'notes.write', tells: [] } })
  expect(declared[0]?.schema).toMatchObject({ operationId: 'addVisit', tags: ['visits'] })
  expect(declared.map(statuses)).toEqual([['200'], ['201']])
  expect(declared[0]?.schema?.headers).toBe(idempotencyHeaders)
  expect(declared[1]?.config?.tells).toEqual(['location'])

  const payload = { name: 'Monday' }
  expect(await send('POST', '/visits', { payload })).toMatchObject({ status: 200, body: payload, location: undefined })
  const headers = { 'idempotency-key': 'once' }
  const first = await send('POST', '/visits/located', { payload, headers })
  const { id } = first.body
  expect(first).toMatchObject({ status: 201, location: `/api/v1/visits/${id}`, replayed: undefined })
  const again = await send('POST', '/visits/located', { payload, headers })
  expect(again).toEqual({ ...first, replayed: 'true', body: { id, name: 'read 2 times' } })
})

test('a status that depends on the result is the same for a replay; each status has its schema', async ({ expect }) => {
  const job = z.object({ jobId: z.string() })
  const { declared, send } = await appWith((route) => {
    route.change({
      ...add,
      response: { 200: visit, 202: job },
      work: async (tx, { body }) => ({ ...(await record(tx)), isQueued: body.name === 'long' }),
      status: ({ isQueued }) => (isQueued ? 202 : 200),
      answer: ({ id, isQueued }, { body }) => (isQueued ? { jobId: id } : { id, name: body.name }),
    })
  })
  expect(declared.map(statuses)).toEqual([['200', '202']])
  expect(await send('POST', '/visits', { payload: { name: 'short' } })).toMatchObject({ status: 200 })
  const long = { payload: { name: 'long' }, headers: { 'idempotency-key': 'once' } }
  const first = await send('POST', '/visits', long)
  expect(first).toMatchObject({ status: 202, body: { jobId: expect.any(String) } })
  expect(await send('POST', '/visits', long)).toEqual({ ...first, replayed: 'true' })
})

test('requiresKeySoThat makes the Idempotency-Key required and explains it', async ({ expect }) => {
  const { declared, send } = await appWith((route) => {
    route.change({
      ...add,
      requiresKeySoThat: 'no visit is made twice',
      work: (tx) => record(tx),
      answer: ({ id }, { body }) => ({ id, name: body.name }),
    })
  })
  expect(declared[0]?.schema?.headers).toBe(requiredIdempotencyHeaders)
  const refused = await send('POST', '/visits', { payload: { name: 'Monday' } })
  expect(refused.body).toMatchObject({
    code: 'idempotency_key_required',
    detail: 'Send an Idempotency-Key, so that no visit is made twice.',
  })
})

test('a PATCH and a PUT get the version in If-Match and answer with the ETag; a DELETE needs no header', async ({
  expect,
}) => {
  const versions: unknown[] = []
  const { declared, send } = await appWith((route) => {
    for (const method of ['PATCH', 'PUT', 'DELETE'] as const) {
      route.change({
        ...add,
        method,
        work: async (tx, { version }) => {
          versions.push(version)
          return record(tx)
        },
        etag: ({ name }) => name.length,
        answer: ({ id }, { body }) => ({ id, name: body.name }),
      })
    }
  })
  expect(declared.map(({ schema }) => schema?.headers)).toEqual([versionHeaders, versionHeaders, undefined])
  expect(declared.map(({ config }) => config?.tells)).toEqual([['etag'], ['etag'], ['etag']])
  const payload = { name: 'Monday' }
  for (const method of ['PATCH', 'PUT'] as const) {
    expect(await send(method, '/visits', { payload })).toMatchObject({ body: { code: 'precondition_required' } })
    expect(await send(method, '/visits', { payload, headers: { 'if-match': '"3"' } })).toMatchObject({ etag: '"6"' })
  }
  expect(await send('DELETE', '/visits', { payload })).toMatchObject({ status: 200, etag: '"6"' })
  expect(versions).toEqual([3, 3, undefined])
})

test('a change can answer 204 without a body', async ({ expect }) => {
  const { send } = await appWith((route) => {
    route.change({
      ...add,
      method: 'DELETE',
      url: '/visits/:visitId',
      params,
      response: z.null(),
      status: 204,
      work: (tx, { params: { visitId } }) => record(tx, visitId),
      answer: () => null,
    })
  })
  expect(await send('DELETE', '/visits/a', { payload: { name: '' } })).toMatchObject({ status: 204, body: undefined })
})

test('stepUpWhen requires a proof of identity for some bodies, before the work runs', async ({ expect }) => {
  let ran = 0
  const { declared, send } = await appWith((route) => {
    route.change({
      ...add,
      stepUpWhen: ({ body }) => body.name === 'dangerous',
      work: async () => {
        ran += 1
        return unchanged({ id: 'a' })
      },
      answer: ({ id }, { body }) => ({ id, name: body.name }),
    })
  })
  expect(declared[0]?.config?.stepUp).toBe('some_bodies')
  expect(await send('POST', '/visits', { payload: { name: 'harmless' } })).toMatchObject({ status: 200 })
  const refused = await send('POST', '/visits', { payload: { name: 'dangerous' } })
  expect(refused.body).toMatchObject({ code: 'step_up_required' })
  expect(ran).toBe(1)
})

test('run gets the permission, the action and the key, and decides what is a replay', async ({ expect }) => {
  const { send } = await appWith((route, store) => {
    route.change({
      ...add,
      answersAnybody: true,
      run: async ({ idempotency, ...options }, { actor }) => {
        const { value } = await change(store, actor, options, (tx) => record(tx))
        return { value: { ...value, idempotency }, replayed: idempotency !== undefined }
      },
      answer: ({ id, idempotency }) => ({ id, name: `${idempotency?.key} ${idempotency?.answersAnybody}` }),
    })
  })
  const payload = { name: 'Monday' }
  expect(await send('POST', '/visits', { payload, headers: { 'idempotency-key': 'once' } })).toMatchObject({
    replayed: 'true',
    body: { name: 'once true' },
  })
})

test('a read is a GET, or a POST if it has a body; it gets the validated request and answers with the ETag', async ({
  expect,
}) => {
  const { actor, declared, send } = await appWith((route) => {
    route.read({
      url: '/visits/:visitId',
      id: 'getVisit',
      summary: 'Get a visit',
      tag: 'other',
      permission: 'notes.read',
      params,
      query: z.strictObject({ length: z.coerce.number() }),
      response: visit,
      etag: ({ name }) => name.length,
      answer: ({ actor: reader, params: { visitId }, query }) => ({
        id: visitId,
        name: reader.userId.slice(0, query.length),
      }),
    })
    route.read({
      url: '/visits/previews',
      id: 'previewVisit',
      summary: 'Preview a visit; stores nothing',
      permission: 'notes.read',
      body: input,
      response: visit,
      answer: async ({ body }) => ({ id: 'none', ...body }),
    })
  })
  expect(declared[0]).toMatchObject({ method: 'GET', schema: { tags: ['other'] }, config: { tells: ['etag'] } })
  expect(declared[1]).toMatchObject({ method: 'POST', config: { permission: 'notes.read', tells: [] } })
  expect(declared[1]?.schema).not.toHaveProperty('headers')
  expect(await send('GET', '/visits/a?length=5')).toEqual({
    status: 200,
    etag: '"5"',
    body: { id: 'a', name: actor.userId.slice(0, 5) },
  })
  expect(await send('GET', '/visits/a?length=many')).toMatchObject({ body: { code: 'invalid_request' } })
  const payload = { name: 'Monday' }
  expect(await send('POST', '/visits/previews', { payload })).toMatchObject({ status: 200, body: { id: 'none' } })
})

test('a custom route gets the request and the reply, and its status', async ({ expect }) => {
  const { declared, send } = await appWith((route) => {
    route.custom({
      method: 'POST',
      url: '/visits',
      id: 'uploadVisit',
      summary: 'Upload a visit',
      open: true,
      tells: ['location'],
      response: visit,
      status: 201,
      handle: (request, reply) => {
        reply.header('location', request.url)
        return { id: 'a', name: 'Monday' }
      },
    })
  })
  expect(declared[0]).toMatchObject({ config: { open: true, tells: ['location'] }, schema: { tags: ['visits'] } })
  expect(declared[0]?.config).not.toHaveProperty('permission')
  expect(await send('POST', '/visits')).toMatchObject({ status: 201, location: '/visits', body: { name: 'Monday' } })
})

/** Declarations that must not compile. The function is never called: `npm run types` checks it. */
export function refusedByTypes(route: Routes): void {
  const work = (tx: Tx) => record(tx)
  const several = { 200: visit, 202: z.object({ jobId: z.string() }) }
  const answer = () => ({ jobId: '' })
  const getVisit = { url: '/visits', id: 'getVisit', summary: 'Get a visit', response: visit } as const
  const read = () => ({ id: '', name: '' })
  // @ts-expect-error: the answer has another type than the schema of the response
  route.change({ ...add, work, answer })
  // @ts-expect-error: a route with several responses needs a status
  route.change({ ...add, response: several, work, answer })
  // @ts-expect-error: the status of a route with several responses is a function
  route.change({ ...add, response: several, status: 202, work, answer })
  // @ts-expect-error: the status has no schema
  route.change({ ...add, response: several, work, status: () => 201, answer })
  // @ts-expect-error: a POST has no version
  route.change({ ...add, work: (tx, { version }) => record(tx, version.toFixed()), answer: read })
  // @ts-expect-error: the body has no such property
  route.change({ ...add, work: (tx, { body }) => record(tx, body.id), answer: read })
  // @ts-expect-error: a route states its permission
  route.read({ ...getVisit, answer: read })
  // @ts-expect-error: a route without a permission states that it is open
  route.custom({ ...getVisit, method: 'GET', handle: read })
}
