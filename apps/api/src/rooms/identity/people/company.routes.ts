import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createRoutes } from '../../../http/routes.ts'
import { cookieValue, pageOrigin } from '../../../http/session-guard.ts'
import { recordId } from '../../../http/text.ts'
import {
  companyAnswerSchema,
  companyIdentitiesSchema,
  companyRequestSchema,
  companySignInSchema,
} from '../company/company.schema.ts'
import { linkOf, requestAddress, requireCompany, SIGN_IN } from '../company/company-sign-in.ts'
import { COMPANY_SIGN_IN_LIFE_MS } from '../company/id-token.ts'
import { noInputSchema, nothingSchema, sessionSchema } from '../identity.schema.ts'
import type { AccountRoutes } from '../sessions/account-routes.ts'
import { companyCookie, companyCookieName } from '../sessions/session-cookie.ts'
import { callerOf, handOver, visitorOf } from '../sign-in/request-caller.ts'
import { signInWithCompany } from '../sign-in/sign-in-with-company.ts'
import { getCompanyIdentities, linkCompanyIdentity, unlinkCompanyIdentity } from './own-company-identity.ts'

const BROWSER_SECRET_BYTES = 32
const browserSecretForm = /^[\w-]{43}$/

/**
 * Registers the routes of sign-in by a company account. They ignore an Idempotency-Key, like the other routes of sign-in. The provider never calls
 * them: its answer goes to a page of the web app, which passes it on with the cookie of the browser.
 */
export const companyRoutes: AccountRoutes = async (app, { store, accounts, limitVisitor, endEarlierSession }) => {
  const route = createRoutes(app, { store, tag: 'identity' })
  const { company } = accounts

  const browserOf = (request: FastifyRequest) => cookieValue(request.headers.cookie, companyCookieName(accounts)) ?? ''

  /** Starts a sign-in in this browser. A browser keeps its secret, so that a second tab does not end the sign-in of the first. */
  function startRequest(request: FastifyRequest, reply: FastifyReply, purpose: string): { url: string } {
    const known = browserOf(request)
    const browser = browserSecretForm.test(known) ? known : randomBytes(BROWSER_SECRET_BYTES).toString('base64url')
    const url = requestAddress(requireCompany(company), { browser, purpose }, pageOrigin(request))
    reply.header('set-cookie', companyCookie(accounts, browser, COMPANY_SIGN_IN_LIFE_MS / 1_000))
    return { url }
  }

  route.custom({
    method: 'GET',
    url: '/session/company',
    id: 'getCompanySignIn',
    summary: 'Get whether people can sign in with a company account',
    open: true,
    response: companySignInSchema,
    handle: () => ({ name: company?.settings.name ?? null }),
  })

  route.custom({
    method: 'POST',
    url: '/session/company/request',
    id: 'beginCompanySignIn',
    summary: 'Begin to sign in with a company account',
    open: true,
    body: noInputSchema,
    response: companyRequestSchema,
    handle: (request, reply) => {
      limitVisitor(request)
      return startRequest(request, reply, SIGN_IN)
    },
  })

  route.custom({
    method: 'POST',
    url: '/session/company',
    id: 'signInWithCompany',
    summary: 'Sign in with the answer of the company’s provider',
    open: true,
    tells: ['location'],
    body: companyAnswerSchema,
    response: sessionSchema,
    status: 201,
    handle: async (request, reply) => {
      const answer = { answer: request.body, browser: browserOf(request) }
      const token = await signInWithCompany(accounts, answer, visitorOf(accounts, request))
      await endEarlierSession(request)
      reply.header('location', '/api/v1/session')
      return handOver(accounts, reply, token)
    },
  })

  route.custom({
    method: 'GET',
    url: '/company-identities',
    id: 'getCompanyIdentities',
    summary: 'Get your linked company accounts',
    permission: null,
    onlySession: true,
    response: companyIdentitiesSchema,
    handle: async (request) => getCompanyIdentities(accounts, await callerOf(accounts, request)),
  })

  route.custom({
    method: 'POST',
    url: '/company-identities/request',
    id: 'beginCompanyLink',
    summary: 'Begin to link a company account',
    permission: null,
    stepUp: true,
    body: noInputSchema,
    response: companyRequestSchema,
    handle: async (request, reply) => {
      const { sessionId } = await callerOf(accounts, request)
      return startRequest(request, reply, linkOf(sessionId))
    },
  })

  route.custom({
    method: 'POST',
    url: '/company-identities',
    id: 'linkCompanyIdentity',
    summary: 'Link the company account that the provider names',
    description: 'Ends your other sessions.',
    permission: null,
    stepUp: true,
    body: companyAnswerSchema,
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      const answer = { answer: request.body, browser: browserOf(request) }
      await linkCompanyIdentity(accounts, await callerOf(accounts, request), answer)
      return null
    },
  })

  route.custom({
    method: 'DELETE',
    url: '/company-identities/:id',
    id: 'unlinkCompanyIdentity',
    summary: 'Unlink a company account',
    description: 'Ends your other sessions.',
    permission: null,
    stepUp: true,
    params: z.object({ id: recordId }),
    response: nothingSchema,
    status: 204,
    handle: async (request) => {
      await unlinkCompanyIdentity(accounts, await callerOf(accounts, request), request.params.id)
      return null
    },
  })
}
