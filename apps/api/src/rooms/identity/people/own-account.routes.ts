import { z } from 'zod'
import { createRoutes } from '../../../http/routes.ts'
import { recordId } from '../../../http/text.ts'
import { endedSchema, listQuery, ownSessionPageSchema } from '../accounts/users.schema.ts'
import { changePasswordSchema, nothingSchema, sessionSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from '../sessions/own-sessions.ts'
import { callerOf, handOver } from '../sign-in/request-caller.ts'
import { changePassword } from './change-password.ts'

/** Registers the routes of a person's own sessions and password. */
export const ownAccountRoutes: AccountRoutes = async (app, { store, cursors, accounts }) => {
  const route = createRoutes(app, { store, tag: 'identity' })

  route.custom({
    method: 'GET',
    url: '/sessions',
    id: 'listOwnSessions',
    summary: 'List your sessions',
    permission: null,
    onlySession: true,
    query: listQuery,
    response: ownSessionPageSchema,
    handle: async (request) => listOwnSessions(store, cursors, await callerOf(accounts, request), request.query),
  })

  route.custom({
    method: 'DELETE',
    url: '/sessions',
    id: 'revokeOtherSessions',
    summary: 'End all your other sessions',
    permission: null,
    stepUp: true,
    response: endedSchema,
    handle: async (request) => ({ ended: await revokeOtherSessions(store, await callerOf(accounts, request)) }),
  })

  route.custom({
    method: 'DELETE',
    url: '/sessions/:id',
    id: 'revokeOwnSession',
    summary: 'End one of your sessions',
    permission: null,
    stepUp: true,
    params: z.object({ id: recordId }),
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      await revokeOwnSession(store, await callerOf(accounts, request), request.params.id)
      return null
    },
  })

  route.custom({
    method: 'POST',
    url: '/password',
    id: 'changePassword',
    summary: 'Change your password',
    permission: null,
    during: ['password_change'],
    body: changePasswordSchema,
    response: sessionSchema,
    handle: async (request, reply) => {
      const token = await changePassword(accounts, await callerOf(accounts, request), request.body)
      return handOver(accounts, reply, token)
    },
  })
}
