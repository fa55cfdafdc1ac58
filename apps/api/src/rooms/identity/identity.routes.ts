import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerChange, idempotencyOf } from '../../http/conditional.ts'
import { toPage } from '../../http/pagination.ts'
import type { Room, RoomOptions } from '../../http/room.ts'
import { actorOf, cookieValue } from '../../http/session-guard.ts'
import { timestamp } from '../../lib/clock.ts'
import { countActiveMembers, listActiveMembers } from './identity.queries.ts'
import {
  assigneePageSchema,
  listAssigneesQuery,
  roleMatrixSchema,
  sessionSchema,
  signedOutSchema,
  signInSchema,
  switchTenantSchema,
} from './identity.schema.ts'
import { permissionsOf, roles } from './permissions.ts'
import { sessionCookie, sessionCookieName } from './session-cookie.ts'
import { actorFinder, endSession, getSession, startSession, switchTenant } from './sessions.ts'
import { checkCredentials } from './sign-in.ts'
import { createSignInLimits } from './sign-in-limits.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export type IdentityOptions = RoomOptions & {
  config: { environment: 'local' | 'production'; sessionIdleMinutes: number; sessionAbsoluteHours: number }
}

/** Authentication and the tenant a person works in (specification, Authentication; `interface.md`, session and CSRF). */
export const identityRoutes: Room<IdentityOptions> = async (app, { store, cursors, config }) => {
  const limits = createSignInLimits(store.clock)
  const findActor = actorFinder(store, app.log)
  const lifetime = { idleMs: config.sessionIdleMinutes * MINUTE_MS, absoluteMs: config.sessionAbsoluteHours * HOUR_MS }

  /** Signing in over a session ends that one: the browser forgets its cookie, and so do we. */
  async function endSessionOf(request: FastifyRequest): Promise<void> {
    const token = cookieValue(request.headers.cookie, sessionCookieName(config))
    const actor = token === undefined ? undefined : await findActor(token, request.id)
    if (token !== undefined && actor !== undefined) await endSession(store, actor, token)
  }

  function setSessionCookie(reply: FastifyReply, token: string): void {
    reply.header('set-cookie', sessionCookie(config, token, lifetime.absoluteMs / 1_000))
  }

  /*
   * The one POST that takes no notice of an Idempotency-Key: to replay a sign-in, its answer and a digest of its password would
   * have to be kept. A sign-in that is sent again ends in a session all the same.
   */
  app.post(
    '/session',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with a password',
        tags: ['identity'],
        body: signInSchema,
        response: { 201: sessionSchema },
      },
      config: { open: true },
    },
    async (request, reply) => {
      const member = await checkCredentials(store, limits, { ...request.body, address: request.ip })
      await endSessionOf(request)
      const token = await startSession(store, member, { lifetime, correlationId: request.id })
      setSessionCookie(reply, token)
      reply.code(201).header('location', '/api/v1/session')
      return getSession(store, token)
    },
  )

  app.get(
    '/session',
    {
      schema: {
        operationId: 'getSession',
        summary: 'Who is signed in, where, and what they may do',
        tags: ['identity'],
        response: { 200: sessionSchema },
      },
      config: { permission: null },
    },
    (request) => getSession(store, tokenOf(request)),
  )

  app.delete(
    '/session',
    {
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        tags: ['identity'],
        response: { 204: signedOutSchema },
      },
      config: { permission: null },
    },
    async (request, reply) => {
      await endSession(store, actorOf(request), tokenOf(request))
      return reply
        .code(204)
        .header('set-cookie', sessionCookie(config, '', 0))
        .send(null)
    },
  )

  app.post(
    '/session/tenant',
    {
      schema: {
        operationId: 'switchTenant',
        summary: 'Go on in another tenant of one’s own',
        tags: ['identity'],
        body: switchTenantSchema,
        response: { 200: sessionSchema },
      },
      config: { permission: null },
    },
    async (request, reply) => {
      const token = tokenOf(request)
      const { tenantId } = request.body
      const moved = await switchTenant(store, actorOf(request), {
        token,
        tenantId,
        idempotency: idempotencyOf(request),
      })
      answerChange(reply, 200, moved)
      return getSession(store, token)
    },
  )

  app.get(
    '/roles',
    {
      schema: {
        operationId: 'listRoles',
        summary: 'The permissions of each role',
        tags: ['identity'],
        response: { 200: roleMatrixSchema },
      },
      config: { permission: null },
    },
    async () => ({ roles: roles.map((role) => ({ role, permissions: [...permissionsOf(role)].sort() })) }),
  )

  app.get(
    '/assignees',
    {
      schema: {
        operationId: 'listAssignees',
        summary: 'The people of the tenant, by name',
        tags: ['identity'],
        querystring: listAssigneesQuery,
        response: { 200: assigneePageSchema },
      },
      config: { permission: null },
    },
    async (request) => {
      const { tenantId } = actorOf(request)
      const { limit, cursor } = request.query
      const binding = [tenantId, 'assignees']
      const after = cursor === undefined ? undefined : cursors.decode(binding, cursor)
      return toPage({
        rows: await listActiveMembers(store.reader, tenantId, { after, limit }),
        limit,
        toItem: (person) => person,
        cursorAfter: ({ name, id }) => cursors.encode(binding, [name, id]),
        total: {
          value: await countActiveMembers(store.reader, tenantId),
          counts: 'matching_set',
          asOf: timestamp(store.clock),
        },
      })
    },
  )
}

function tokenOf(request: FastifyRequest): string {
  if (request.sessionToken === null) throw new Error('An open route has no session.')
  return request.sessionToken
}
