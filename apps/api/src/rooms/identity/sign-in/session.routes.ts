import type { FastifyRequest } from 'fastify'
import { actorOf, cookieValue, holds, pageOrigin } from '../../../http/session-guard.ts'
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
import { sessionCookie, sessionCookieName } from '../sessions/session-cookie.ts'
import { actorFinder, endSession, getSession, switchTenant } from '../sessions/sessions.ts'
import { proofOptions, stepUp } from './proofs.ts'
import { callerOf, handOver, tokenOf, visitorOf } from './request-caller.ts'
import { signIn, signInOptions, signInWithPasskey } from './sign-in.ts'

/*
 * Registers the routes of sign-in, sign-out, second factor and change of tenant. These POSTs ignore an Idempotency-Key, because replaying a response
 * with a secret would require storing the secret. Each request can be repeated safely.
 */
export const sessionRoutes: AccountRoutes = async (app, { accounts, limitVisitor }) => {
  const { store } = accounts
  const findActor = actorFinder(store, accounts, app.log)
  const tags = ['identity']

  /** Ends the session that the browser had before a sign-in, because the new cookie replaces its cookie. */
  async function endSessionOf(request: FastifyRequest): Promise<void> {
    const token = cookieValue(request.headers.cookie, sessionCookieName(accounts))
    const holder = token === undefined ? undefined : await findActor(token, request.id)
    if (token !== undefined && holder !== undefined) await endSession(store, holder.actor, token, clientOf(request))
  }

  app.post(
    '/session',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with a password, and a code if required',
        tags,
        body: signInSchema,
        response: { 201: sessionSchema },
      },
      config: { open: true, tells: ['location'] },
    },
    async (request, reply) => {
      const token = await signIn(accounts, request.body, visitorOf(accounts, request))
      await endSessionOf(request)
      reply.code(201).header('location', '/api/v1/session')
      return handOver(accounts, reply, token)
    },
  )

  app.post(
    '/session/passkey/options',
    {
      schema: {
        operationId: 'passkeySignInOptions',
        summary: 'Get a challenge to sign in with a passkey',
        tags,
        body: noInputSchema,
        response: { 200: requestOptionsSchema },
      },
      config: { open: true },
    },
    (request) => {
      limitVisitor(request)
      return signInOptions(accounts, pageOrigin(request))
    },
  )

  app.post(
    '/session/passkey',
    {
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        tags,
        body: passkeySignInSchema,
        response: { 201: sessionSchema },
      },
      config: { open: true, tells: ['location'] },
    },
    async (request, reply) => {
      const assertion = request.body.passkey
      const visitor = visitorOf(accounts, request)
      const token = await signInWithPasskey(accounts, { assertion, origin: pageOrigin(request) }, visitor)
      await endSessionOf(request)
      reply.code(201).header('location', '/api/v1/session')
      return handOver(accounts, reply, token)
    },
  )

  app.get(
    '/session',
    {
      schema: {
        operationId: 'getSession',
        summary: 'Get the current session: person, workspace, permissions',
        tags,
        response: { 200: sessionSchema },
      },
      config: { permission: null, during: holds, secret: true },
    },
    (request) => getSession(store, accounts, tokenOf(request)),
  )

  app.delete(
    '/session',
    {
      schema: { operationId: 'signOut', summary: 'Sign out', tags, response: { 204: nothingSchema } },
      config: { permission: null, during: holds },
    },
    async (request, reply) => {
      await endSession(store, actorOf(request), tokenOf(request), clientOf(request))
      return reply
        .code(204)
        .header('set-cookie', sessionCookie(accounts, '', 0))
        .send(null)
    },
  )

  app.post(
    '/session/passkey-options',
    {
      schema: {
        operationId: 'passkeyProofOptions',
        summary: 'Get a challenge for your own passkeys as second factor',
        tags,
        body: noInputSchema,
        response: { 200: requestOptionsSchema },
      },
      config: { permission: null, during: ['second_factor'] },
    },
    async (request) => proofOptions(accounts, await callerOf(accounts, request), pageOrigin(request)),
  )

  app.post(
    '/session/mfa',
    {
      schema: {
        operationId: 'proveSecondFactor',
        summary: 'Prove a second factor, or the password if there is none',
        description:
          'Completes a sign-in, and permits dangerous actions for fifteen minutes. The session gets a new cookie.',
        tags,
        body: proofSchema,
        response: { 200: sessionSchema },
      },
      config: { permission: null, during: ['second_factor', 'enrolment'] },
    },
    async (request, reply) => {
      const token = await stepUp(accounts, await callerOf(accounts, request), request.body, pageOrigin(request))
      return handOver(accounts, reply, token)
    },
  )

  app.post(
    '/session/tenant',
    {
      schema: {
        operationId: 'switchTenant',
        summary: 'Switch to another of your workspaces',
        tags,
        body: switchTenantSchema,
        response: { 200: sessionSchema },
      },
      config: { permission: null },
    },
    async (request) => {
      const token = tokenOf(request)
      const { tenantId } = request.body
      await switchTenant(store, actorOf(request), { token, tenantId, client: clientOf(request) })
      return getSession(store, accounts, token)
    },
  )
}
