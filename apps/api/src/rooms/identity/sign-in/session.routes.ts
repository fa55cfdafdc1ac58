import { createRoutes } from '../../../http/routes.ts'
import { actorOf, holds, pageOrigin } from '../../../http/session-guard.ts'
import { requestOptionsSchema } from '../accounts/passkeys.schema.ts'
import { clientOf } from '../accounts/request-origin.ts'
import {
  noInputSchema,
  nothingSchema,
  passkeySignInSchema,
  proofSchema,
  sessionSchema,
  signInSchema,
  switchTenantSchema,
} from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { sessionCookie } from '../sessions/session-cookie.ts'
import { endSession, getSession, switchTenant } from '../sessions/sessions.ts'
import { proofOptions, stepUp } from './proofs.ts'
import { callerOf, handOver, tokenOf, visitorOf } from './request-caller.ts'
import { signIn, signInOptions, signInWithPasskey } from './sign-in.ts'

/*
 * Registers the routes of sign-in, sign-out, second factor and change of tenant. These POSTs ignore an Idempotency-Key, because replaying a response
 * with a secret would require storing the secret. Each request can be repeated safely.
 */
export const sessionRoutes: AccountRoutes = async (app, { store, accounts, limitVisitor, endEarlierSession }) => {
  const route = createRoutes(app, { store, tag: 'session' })

  route.custom({
    method: 'POST',
    url: '/session',
    id: 'signIn',
    summary: 'Sign in with a password, and a code if required',
    open: true,
    tells: ['location'],
    body: signInSchema,
    response: sessionSchema,
    status: 201,
    handle: async (request, reply) => {
      const token = await signIn(accounts, request.body, visitorOf(accounts, request))
      await endEarlierSession(request)
      reply.header('location', '/api/v1/session')
      return handOver(accounts, reply, token)
    },
  })

  route.custom({
    method: 'POST',
    url: '/session/passkey/options',
    id: 'passkeySignInOptions',
    summary: 'Get a challenge to sign in with a passkey',
    open: true,
    body: noInputSchema,
    response: requestOptionsSchema,
    handle: (request) => {
      limitVisitor(request)
      return signInOptions(accounts, pageOrigin(request))
    },
  })

  route.custom({
    method: 'POST',
    url: '/session/passkey',
    id: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    open: true,
    tells: ['location'],
    body: passkeySignInSchema,
    response: sessionSchema,
    status: 201,
    handle: async (request, reply) => {
      const assertion = request.body.passkey
      const visitor = visitorOf(accounts, request)
      const token = await signInWithPasskey(accounts, { assertion, origin: pageOrigin(request) }, visitor)
      await endEarlierSession(request)
      reply.header('location', '/api/v1/session')
      return handOver(accounts, reply, token)
    },
  })

  route.custom({
    method: 'GET',
    url: '/session',
    id: 'getSession',
    summary: 'Get the current session: person, workspace, permissions',
    permission: null,
    onlySession: true,
    during: holds,
    secret: true,
    response: sessionSchema,
    handle: (request) => getSession(store, accounts, tokenOf(request)),
  })

  route.custom({
    method: 'DELETE',
    url: '/session',
    id: 'signOut',
    summary: 'Sign out',
    permission: null,
    during: holds,
    response: nothingSchema,
    status: 204,
    handle: async (request, reply) => {
      await endSession(store, actorOf(request), tokenOf(request), clientOf(request))
      reply.header('set-cookie', sessionCookie(accounts, '', 0))
      return null
    },
  })

  route.custom({
    method: 'POST',
    url: '/session/passkey-options',
    id: 'passkeyProofOptions',
    summary: 'Get a challenge for your own passkeys as second factor',
    permission: null,
    during: ['second_factor'],
    body: noInputSchema,
    response: requestOptionsSchema,
    handle: async (request) => proofOptions(accounts, await callerOf(accounts, request), pageOrigin(request)),
  })

  route.custom({
    method: 'POST',
    url: '/session/mfa',
    id: 'proveSecondFactor',
    summary: 'Prove a second factor, or the password if there is none',
    description:
      'Completes a sign-in, and permits dangerous actions for fifteen minutes. The session gets a new cookie.',
    permission: null,
    during: ['second_factor', 'enrolment'],
    body: proofSchema,
    response: sessionSchema,
    handle: async (request, reply) => {
      const token = await stepUp(accounts, await callerOf(accounts, request), request.body, pageOrigin(request))
      return handOver(accounts, reply, token)
    },
  })

  route.custom({
    method: 'POST',
    url: '/session/tenant',
    id: 'switchTenant',
    summary: 'Switch to another of your workspaces',
    permission: null,
    body: switchTenantSchema,
    response: sessionSchema,
    handle: async (request) => {
      const token = tokenOf(request)
      const { tenantId } = request.body
      await switchTenant(store, actorOf(request), { token, tenantId, client: clientOf(request) })
      return getSession(store, accounts, token)
    },
  })
}
