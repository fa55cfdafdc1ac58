import { z } from 'zod'
import { expectedVersion, setEntityTag, versionHeaders } from '../../../http/conditional.ts'
import { createRoutes } from '../../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'identity' })

  route.read({
    url: '/users',
    id: 'listUsers',
    summary: 'List all members of the workspace, by name',
    permission: 'users.manage',
    query: listQuery,
    response: userPageSchema,
    answer: ({ actor, query }) => pageOfUsers(store, cursors, actor.tenantId, query),
  })

  route.custom({
    method: 'POST',
    url: '/users',
    id: 'inviteUser',
    summary: 'Invite a person by a link that is handed over; no mail is sent',
    permission: 'users.manage',
    stepUp: true,
    body: inviteSchema,
    response: invitedSchema,
    status: 201,
    handle: async (request) => {
      const { invitation, link } = await inviteUser(store, await callerOf(accounts, request), request.body)
      return { invitation, link: { token: link.token, expiresAt: link.expiresAt } }
    },
  })

  route.read({
    url: '/invitations',
    id: 'listInvitations',
    summary: 'List open invitations, newest first',
    permission: 'users.manage',
    query: listQuery,
    response: invitationPageSchema,
    answer: ({ actor, query }) => pageOfInvitations(store, cursors, actor.tenantId, query),
  })

  route.custom({
    method: 'DELETE',
    url: '/invitations/:id',
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    permission: 'users.manage',
    stepUp: true,
    params,
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      await withdrawInvitation(store, await callerOf(accounts, request), request.params.id)
      return null
    },
  })

  route.read({
    url: '/users/:id',
    id: 'getUser',
    summary: 'Get a member of the workspace',
    permission: 'users.manage',
    params,
    response: userSchema,
    etag: ({ version }) => version,
    answer: ({ actor, params }) => getUser(store.reader, actor.tenantId, params.id),
  })

  route.custom({
    method: 'PATCH',
    url: '/users/:id',
    id: 'editUser',
    summary: 'Change the name, role or status of a person',
    permission: 'users.manage',
    stepUp: true,
    tells: ['etag'],
    headers: versionHeaders,
    params,
    body: editUserSchema,
    response: userSchema,
    handle: async (request, reply) => {
      const wanted = { userId: request.params.id, version: expectedVersion(request), edit: request.body }
      const user = await editUser(store, await callerOf(accounts, request), wanted)
      setEntityTag(reply, user.version)
      return user
    },
  })

  route.custom({
    method: 'DELETE',
    url: '/users/:id',
    id: 'removeUser',
    summary: 'Remove a person; their history stays',
    permission: 'users.manage',
    stepUp: true,
    params,
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      await removeUser(store, await callerOf(accounts, request), request.params.id)
      return null
    },
  })

  route.custom({
    method: 'POST',
    url: '/users/:id/password-reset',
    id: 'resetPassword',
    summary: 'Create a link, to be handed over, to set a new password',
    permission: 'users.manage',
    stepUp: true,
    params,
    body: noInputSchema,
    response: resetSchema,
    status: 201,
    handle: async (request) => {
      const { token, expiresAt } = await resetPassword(store, await callerOf(accounts, request), request.params.id)
      return { link: { token, expiresAt } }
    },
  })

  route.custom({
    method: 'POST',
    url: '/users/:id/second-factor-reset',
    id: 'resetFactors',
    summary: 'Remove the second factors of a person who has lost them',
    permission: 'users.manage',
    stepUp: true,
    params,
    body: noInputSchema,
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      await resetFactors(store, await callerOf(accounts, request), request.params.id)
      return null
    },
  })

  route.custom({
    method: 'POST',
    url: '/users/:id/session-revocation',
    id: 'revokeSessionsOfUser',
    summary: 'End the sessions of a person in the workspace',
    permission: 'users.manage',
    stepUp: true,
    params,
    body: noInputSchema,
    response: endedSchema,
    handle: async (request) => ({
      ended: await revokeSessionsOf(store, await callerOf(accounts, request), request.params.id),
    }),
  })
}
