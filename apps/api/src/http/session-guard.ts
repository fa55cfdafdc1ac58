import { createHmac } from 'node:crypto'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UserActor } from '../lib/actor.ts'
import { AppError } from '../lib/app-error.ts'
import { secretsEqual } from '../lib/hashing.ts'
import type { Keys } from '../store/keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** set by the guard on every route that is not open */
    actor: UserActor | null
    sessionToken: string | null
  }
  interface FastifyContextConfig {
    /** the permission that a route asks for; `null`: being signed in is enough */
    permission?: string | null
    /** needs no session: health and sign-in alone */
    open?: boolean
  }
}

export type GuardOptions = {
  keys: Keys
  cookieName: string
  /** origins besides the request's own host that may change state */
  ownOrigins: readonly string[]
  /** who holds this cookie; undefined when nobody does any more */
  findActor: (token: string, correlationId: string) => Promise<UserActor | undefined>
}

/** Every route is closed unless it says `open`; every change wants the CSRF token and, when an Origin is sent, one of ours. */
export function registerSessionGuard(app: FastifyInstance, options: GuardOptions): void {
  const { cookieName, findActor, ownOrigins } = options
  const csrfToken = csrfTokens(options.keys)
  app.decorateRequest('actor', null)
  app.decorateRequest('sessionToken', null)

  app.addHook('onRequest', async (request) => {
    const { open, permission } = request.routeOptions.config
    const changes = request.method !== 'GET' && request.method !== 'HEAD'
    if (changes) requireOwnOrigin(request, ownOrigins)
    if (open === true || request.is404) return
    const token = cookieValue(request.headers.cookie, cookieName)
    const actor = token === undefined ? undefined : await findActor(token, request.id)
    if (token === undefined || actor === undefined) throw new AppError('authentication_required', 'Sign in to go on.')
    request.actor = actor
    request.sessionToken = token
    if (changes) requireCsrfToken(request, csrfToken(token))
    if (typeof permission === 'string' && !actor.permissions.has(permission)) {
      throw new AppError('permission_denied', `Your role does not include ${permission}.`)
    }
  })
}

/** The person behind a request of a closed route. */
export function actorOf(request: FastifyRequest): UserActor {
  if (request.actor === null) throw new Error('An open route has no actor.')
  return request.actor
}

/** Bound to the session's cookie and to nothing else, so there is nothing more to store or to leak. */
export function csrfTokens(keys: Keys): (sessionToken: string) => string {
  const key = keys.derive('csrf')
  return (sessionToken) => createHmac('sha256', key).update(sessionToken).digest('base64url')
}

export function cookieValue(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[name]
}

function requireOwnOrigin(request: FastifyRequest, ownOrigins: readonly string[]): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const own = `${request.protocol}://${request.host}`
  if (origin !== own && !ownOrigins.includes(origin)) {
    throw new AppError('csrf_token_invalid', 'This request comes from another site.')
  }
}

function requireCsrfToken(request: FastifyRequest, expected: string): void {
  const sent = request.headers['x-csrf-token']
  if (typeof sent !== 'string' || !secretsEqual(sent, expected)) {
    throw new AppError('csrf_token_invalid', 'Send the csrfToken of GET /session as X-CSRF-Token.')
  }
}
