import { type ExpectedHosts, originName } from '@prospect/hosts'
import { parseCookie } from 'cookie'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requirePermission, type UserActor } from '../lib/actor.ts'
import { AppError } from '../lib/app-error.ts'
import type { Permission } from '../lib/declared.ts'
import { hmacUnder, secretsEqual } from '../lib/hashing.ts'
import type { Keys } from '../store/files/keys.ts'
import type { RefusedAttempts } from './refused-attempts.ts'
import { bearerOf, needsSession, requireTokenAllowed } from './token-access.ts'

/** Steps that a session must complete before it can be used: second factor, new password, or enrolment of a first factor. */
export const holds = ['second_factor', 'password_change', 'enrolment'] as const
export type Hold = (typeof holds)[number]

/** The person of an access token, and the step that the person must complete before the token can be used. */
export type TokenHolder = {
  actor: UserActor
  hold: Hold | null
}

/** The person of a session, and the state of the session. */
export type SessionHolder = TokenHolder & {
  sessionId: string
  /** true if the person recently proved their identity by their strongest factor */
  isFresh: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** set by the guard on every route that requires a session or an access token */
    actor: UserActor | null
    /** null for a request with an access token */
    sessionId: string | null
    /** null for a request with an access token */
    sessionToken: string | null
    /** true if the person recently proved their identity by their strongest factor */
    isFresh: boolean
    /** time at which the guard identified the actor, in milliseconds of the process's monotonic clock */
    admittedAt: number
    /**
     * Checks the session or the access token again and updates `actor`. For routes that read their body themselves, to be called after the body has arrived. Errors:
     * those of the guard.
     */
    admitAgain(): Promise<void>
  }
  interface FastifyContextConfig {
    /** the permission that the route requires; null if any signed-in person may use it */
    permission?: Permission | null
    /** true if the route needs no session: health, sign-in and one-time links */
    open?: boolean
    /** the holds (steps that a session must complete first) during which the route may still be used */
    during?: readonly Hold[]
    /**
     * true for a dangerous route, which requires a recent proof of identity (`isFresh`); 'some_bodies' if it requires the proof for some bodies only
     * and checks it itself. docs/security.md lists these routes and why others of the kind are not among them.
     */
    stepUp?: true | 'some_bodies'
    /** true for a route of the person's own account or screens, which accepts no access token */
    onlySession?: true
    /** how refused attempts are recorded in the audit */
    refused?: RefusedAttempts
    /** response headers that cannot be derived for the OpenAPI document */
    tells?: readonly ('etag' | 'location')[]
  }
}

export type GuardOptions = {
  keys: Keys
  cookieName: string
  /** hosts whose pages may change state */
  hosts: ExpectedHosts
  /** returns the person and session of a cookie; undefined if the session has ended */
  findActor: (token: string, correlationId: string) => Promise<SessionHolder | undefined>
  /** called for a cookie that belongs to no session; must not throw */
  onRefusedCookie: (token: string, request: FastifyRequest) => Promise<void>
  tokens: TokenAdmission
}

/** Identifies the person of an access token, and counts the requests of the token. */
export type TokenAdmission = {
  /** permissions that a token can have */
  grantable: ReadonlySet<Permission>
  /**
   * Returns the person of a token. Errors: `token_invalid` for a token that is malformed, unknown, expired, revoked or not valid at the address of the
   * request; `tokens_off` if the workspace accepts no tokens.
   */
  find: (secret: string, request: FastifyRequest) => Promise<TokenHolder>
  /** Counts a request of the token and sets the headers of its rate limit. Errors: `rate_limited`. */
  count: (actor: UserActor, reply: FastifyReply) => void
}

/**
 * Time after which a request is authenticated again when its body has arrived. The person may have been signed out or have lost their role in the
 * meantime.
 */
const ADMITTED_FOR_MS = 500

/**
 * Registers the guard of all routes. A route requires a session unless it declares `open`. A change requires the CSRF token, and it must come from
 * one of the service's own pages as far as the browser reports the origin. A session with a hold can use only the routes that complete the required
 * step. A slow request is authenticated again after its body has arrived, because otherwise a person who was signed out in the meantime could still
 * write.
 *
 * A request with `Authorization: Bearer` is identified by its access token alone: its cookie is ignored, also if the token is refused, and it needs no
 * CSRF token, because no browser adds this header by itself.
 */
export function registerSessionGuard(app: FastifyInstance, options: GuardOptions): void {
  const { cookieName, findActor, onRefusedCookie, hosts, tokens } = options
  const csrfToken = csrfTokens(options.keys)
  app.decorateRequest('actor', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('sessionToken', null)
  app.decorateRequest('isFresh', false)
  app.decorateRequest('admittedAt', 0)
  app.decorateRequest('admitAgain', async function (this: FastifyRequest): Promise<void> {
    const { sessionToken, actor } = this
    const secret = sessionToken === null ? bearerOf(this.headers.authorization) : undefined
    if (secret !== undefined) return admitToken(this, await tokens.find(secret, this), tokens.grantable)
    const holder = sessionToken === null ? undefined : await findActor(sessionToken, this.id)
    if (holder === undefined || holder.actor.tenantId !== actor?.tenantId) {
      throw new AppError('authentication_required', 'This session ended while the request was being sent.')
    }
    this.actor = holder.actor
    this.isFresh = holder.isFresh
    requireAllowed(this, holder)
  })

  app.addHook('onRequest', async (request, reply) => {
    const { open } = request.routeOptions.config
    const isClosed = open !== true && !request.is404
    const changes = request.method !== 'GET'
    const secret = isClosed ? bearerOf(request.headers.authorization) : undefined
    if (secret !== undefined) {
      const holder = await tokens.find(secret, request)
      request.admittedAt = performance.now()
      request.actor = holder.actor
      tokens.count(holder.actor, reply)
      return admitToken(request, holder, tokens.grantable)
    }
    if (changes) requireOwnPage(request, hosts)
    if (!isClosed) return
    const token = cookieValue(request.headers.cookie, cookieName)
    const holder = token === undefined ? undefined : await findActor(token, request.id)
    if (token === undefined || holder === undefined) {
      if (token !== undefined) await onRefusedCookie(token, request)
      throw new AppError('authentication_required', 'Sign in to continue.')
    }
    request.actor = holder.actor
    request.isFresh = holder.isFresh
    request.sessionId = holder.sessionId
    request.sessionToken = token
    request.admittedAt = performance.now()
    if (changes) requireCsrfToken(request, csrfToken(token))
    requireAllowed(request, holder)
  })

  app.addHook('preValidation', (request, _reply, done) => {
    const { actor, admittedAt } = request
    if (actor === null || performance.now() - admittedAt < ADMITTED_FOR_MS) return done()
    request.admitAgain().then(() => done(), done)
  })
}

/** Sets the person of an access token, and requires what the route requires of it. */
function admitToken(request: FastifyRequest, { actor, hold }: TokenHolder, grantable: ReadonlySet<Permission>): void {
  const { method, routeOptions } = request
  request.actor = actor
  requireNoHold(hold, routeOptions.config)
  requireTokenAllowed({ method, config: routeOptions.config }, grantable)
  requirePermissionOf(routeOptions.config, actor)
}

/** Requires what the route requires: that no hold blocks it, the permission, and a recent proof of identity. */
function requireAllowed(request: FastifyRequest, { actor, hold, isFresh }: SessionHolder): void {
  const { config } = request.routeOptions
  requireNoHold(hold, config)
  requirePermissionOf(config, actor)
  if (config.stepUp === true) requireFreshProof({ actor, isFresh })
}

function requireNoHold(hold: Hold | null, { during }: FastifyContextConfig): void {
  if (hold !== null && during?.includes(hold) !== true) throw heldBack(hold)
}

function requirePermissionOf({ permission }: FastifyContextConfig, actor: UserActor): void {
  if (permission != null) requirePermission(actor, permission)
}

/**
 * Requires a recent proof of identity, for a route that is dangerous with some bodies only. Other routes declare `stepUp`. Errors:
 * `step_up_required`; `session_required` for an access token, which can prove nothing.
 */
export function requireFreshProof({ actor, isFresh }: Pick<FastifyRequest, 'actor' | 'isFresh'>): void {
  if (actor?.tokenId !== undefined) throw needsSession('fresh_proof')
  if (!isFresh) throw new AppError('step_up_required', 'Confirm your identity, then try again.')
}

/** Returns the person of a request to a route that is not open. */
export function actorOf(request: FastifyRequest): UserActor {
  if (request.actor === null) throw new Error('An open route has no actor.')
  return request.actor
}

/** Returns a function that derives the CSRF token from the session cookie, so that no token has to be stored. */
export function csrfTokens(keys: Keys): (sessionToken: string) => string {
  return hmacUnder(keys.derive('csrf'))
}

export function cookieValue(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[name]
}

/** Returns the origin of the page that sent a request. `requireOwnPage` and `registerExpectedHosts` have already checked its host. */
export function pageOrigin(request: FastifyRequest): string {
  return request.headers.origin ?? `${request.protocol}://${request.host}`
}

function heldBack(hold: Hold): AppError {
  switch (hold) {
    case 'second_factor':
      return new AppError('mfa_required', 'Confirm your second factor to continue.')
    case 'password_change':
      return new AppError('password_change_required', 'Set a new password to continue.')
    case 'enrolment':
      return new AppError('mfa_required', 'Administrators need a second factor. Set up a second factor to continue.')
  }
}

/**
 * Throws for a change that another site's page sent. Pages cannot forge Fetch Metadata; older browsers send at least the Origin. The host is compared
 * without its port, because a server does not know a forwarded port, and Fetch Metadata reports a page of another port as `same-site`.
 */
function requireOwnPage(request: FastifyRequest, hosts: ExpectedHosts): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (!isForeignSite && (origin === undefined || isExpected(origin, site === 'same-origin', hosts))) return
  throw new AppError('csrf_token_invalid', 'This request comes from another site.')
}

/**
 * True if the host of the origin is expected. If the browser reports a same-origin page of an unexpected host, a proxy in front has removed the Host
 * header. The host is then reported to the operator as missing in the configuration.
 */
function isExpected(origin: string, isOwnPage: boolean, hosts: ExpectedHosts): boolean {
  const name = originName(origin)
  if (name === undefined) return false
  if (hosts.expects(name)) return true
  if (isOwnPage) hosts.report(name)
  return false
}

function requireCsrfToken(request: FastifyRequest, expected: string): void {
  const sent = request.headers['x-csrf-token']
  if (typeof sent !== 'string' || !secretsEqual(sent, expected)) {
    throw new AppError('csrf_token_invalid', 'Send the csrfToken of GET /session as X-CSRF-Token.')
  }
}
