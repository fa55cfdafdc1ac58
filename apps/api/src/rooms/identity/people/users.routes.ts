import { z } from 'zod'
import { expectedVersion, setEntityTag, versionHeaders } from '../../../http/conditional.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { recordId } from '../../../http/text.ts'
import {
  editUserSchema,
  endedSchema,
  invitationPageSchema,
  invitedSchema,
  inviteSchema,
  listQuery,
  resetSchema,
  userPageSchema,
  userSchema,
} from '../accounts/users.schema.ts'
import { noInputSchema, nothingSchema } from '../identity.schema.ts'
import { inviteUser, pageOfInvitations, withdrawInvitation } from '../links/one-time-links.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { callerOf } from '../sign-in/request-caller.ts'
import { editUser, getUser, pageOfUsers, removeUser, resetFactors, resetPassword, revokeSessionsOf } from './users.ts'

const params = z.object({ id: recordId })

/**
 * Registers the routes of a tenant's people, for its administrators. Every change of another person's account requires a recent proof of identity.
 */
export const userRoutes: AccountRoutes = async (app, { store, cursors, accounts }) => {
  const tags = ['identity']
  const looking = { permission: 'users.manage' } as const
  const changing = { permission: 'users.manage', stepUp: true } as const

  app.get(
    '/users',
    {
      schema: {
        operationId: 'listUsers',
        summary: 'List all members of the workspace, by name',
        tags,
        querystring: listQuery,
        response: { 200: userPageSchema },
      },
      config: looking,
    },
    (request) => pageOfUsers(store, cursors, actorOf(request).tenantId, request.query),
  )

  app.post(
    '/users',
    {
      schema: {
        operationId: 'inviteUser',
        summary: 'Invite a person by a link that is handed over; no mail is sent',
        tags,
        body: inviteSchema,
        response: { 201: invitedSchema },
      },
      config: changing,
    },
    async (request, reply) => {
      const { invitation, link } = await inviteUser(store, await callerOf(accounts, request), request.body)
      reply.code(201)
      return { invitation, link: { token: link.token, expiresAt: link.expiresAt } }
    },
  )

  app.get(
    '/invitations',
    {
      schema: {
        operationId: 'listInvitations',
        summary: 'List open invitations, newest first',
        tags,
        querystring: listQuery,
        response: { 200: invitationPageSchema },
      },
      config: looking,
    },
    (request) => pageOfInvitations(store, cursors, actorOf(request).tenantId, request.query),
  )

  app.delete(
    '/invitations/:id',
    {
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Withdraw an invitation',
        tags,
        params,
        response: { 204: nothingSchema },
      },
      config: changing,
    },
    async (request, reply) => {
      await withdrawInvitation(store, await callerOf(accounts, request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/users/:id',
    {
      schema: {
        operationId: 'getUser',
        summary: 'Get a member of the workspace',
        tags,
        params,
        response: { 200: userSchema },
      },
      config: { ...looking, tells: ['etag'] },
    },
    async (request, reply) => {
      const user = await getUser(store.reader, actorOf(request).tenantId, request.params.id)
      setEntityTag(reply, user.version)
      return user
    },
  )

  app.patch(
    '/users/:id',
    {
      schema: {
        operationId: 'editUser',
        summary: 'Change the name, role or status of a person',
        tags,
        params,
        headers: versionHeaders,
        body: editUserSchema,
        response: { 200: userSchema },
      },
      config: { ...changing, tells: ['etag'] },
    },
    async (request, reply) => {
      const wanted = { userId: request.params.id, version: expectedVersion(request), edit: request.body }
      const user = await editUser(store, await callerOf(accounts, request), wanted)
      setEntityTag(reply, user.version)
      return user
    },
  )

  app.delete(
    '/users/:id',
    {
      schema: {
        operationId: 'removeUser',
        summary: 'Remove a person; their history stays',
        tags,
        params,
        response: { 204: nothingSchema },
      },
      config: changing,
    },
    async (request, reply) => {
      await removeUser(store, await callerOf(accounts, request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/users/:id/password-reset',
    {
      schema: {
        operationId: 'resetPassword',
        summary: 'Create a link, to be handed over, to set a new password',
        tags,
        params,
        body: noInputSchema,
        response: { 201: resetSchema },
      },
      config: changing,
    },
    async (request, reply) => {
      const { token, expiresAt } = await resetPassword(store, await callerOf(accounts, request), request.params.id)
      reply.code(201)
      return { link: { token, expiresAt } }
    },
  )

  app.post(
    '/users/:id/second-factor-reset',
    {
      schema: {
        operationId: 'resetFactors',
        summary: 'Remove the second factors of a person who has lost them',
        tags,
        params,
        body: noInputSchema,
        response: { 204: nothingSchema },
      },
      config: changing,
    },
    async (request, reply) => {
      await resetFactors(store, await callerOf(accounts, request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/users/:id/session-revocation',
    {
      schema: {
        operationId: 'revokeSessionsOfUser',
        summary: 'End the sessions of a person in the workspace',
        tags,
        params,
        body: noInputSchema,
        response: { 200: endedSchema },
      },
      config: changing,
    },
    async (request) => ({ ended: await revokeSessionsOf(store, await callerOf(accounts, request), request.params.id) }),
  )
}
