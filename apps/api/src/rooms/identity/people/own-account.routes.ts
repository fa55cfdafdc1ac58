import { z } from 'zod'
import { recordId } from '../../../http/text.ts'
import { endedSchema, listQuery, ownSessionPageSchema } from '../accounts/users.schema.ts'
import { changePasswordSchema, nothingSchema, sessionSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from '../sessions/own-sessions.ts'
import { callerOf, handOver } from '../sign-in/request-caller.ts'
import { changePassword } from './change-password.ts'

/** Registers the routes of a person's own sessions and password. */
export const ownAccountRoutes: AccountRoutes = async (app, { store, cursors, accounts }) => {
  const tags = ['identity']

  app.get(
    '/sessions',
    {
      schema: {
        operationId: 'listOwnSessions',
        summary: 'List your sessions',
        tags,
        querystring: listQuery,
        response: { 200: ownSessionPageSchema },
      },
      config: { permission: null },
    },
    async (request) => listOwnSessions(store, cursors, await callerOf(accounts, request), request.query),
  )

  app.delete(
    '/sessions',
    {
      schema: {
        operationId: 'revokeOtherSessions',
        summary: 'End all your other sessions',
        tags,
        response: { 200: endedSchema },
      },
      config: { permission: null, stepUp: true },
    },
    async (request) => ({ ended: await revokeOtherSessions(store, await callerOf(accounts, request)) }),
  )

  app.delete(
    '/sessions/:id',
    {
      schema: {
        operationId: 'revokeOwnSession',
        summary: 'End one of your sessions',
        tags,
        params: z.object({ id: recordId }),
        response: { 204: nothingSchema },
      },
      config: { permission: null, stepUp: true },
    },
    async (request, reply) => {
      await revokeOwnSession(store, await callerOf(accounts, request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        tags,
        body: changePasswordSchema,
        response: { 200: sessionSchema },
      },
      config: { permission: null, during: ['password_change'] },
    },
    async (request, reply) => {
      const token = await changePassword(accounts, await callerOf(accounts, request), request.body)
      return handOver(accounts, reply, token)
    },
  )
}
