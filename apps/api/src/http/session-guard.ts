import { type ExpectedHosts, originName } from '@prospect/hosts'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requirePermission, type UserActor } from '../lib/actor.ts'
import { AppError } from '../lib/app-error.ts'
import type { Permission } from '../lib/declared.ts'
import { hmacUnder, secretsEqual } from '../lib/hashing.ts'
import type { Keys } from '../store/files/keys.ts'

/** What a session owes before it may go on: its second factor, a new password, a first factor. */
export const holds = ['second_factor', 'password_change', 'enrolment'] as const
export type Hold = (typeof holds)[number]

/** Who is behind a cookie, and how far that session has come. */
export type SessionHolder = {
  actor: UserActor
  sessionId: string
  hold: Hold | null
  /** the strongest proof that the person has was shown a short while ago */
  isFresh: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** set by the guard on every route that is not open */
    actor: UserActor | null
    sessionId: string | null
    sessionToken: string | null
    /** the strongest proof that the person has was shown a short while ago */
    isFresh: boolean
    /** when the guard found out who asks, in milliseconds of the process's own clock */
    admittedAt: number
    /** For routes that read their body themselves, when it is there: sets `actor` anew. Errors: those of the guard. */
    admitAgain(): Promise<void>
  }
  interface FastifyContextConfig {
    /** the permission that a route asks for; `null`: being signed in is enough */
    permission?: Permission | null
    /** needs no session: health, sign-in and what a one-time link leads to */
    open?: boolean
    /** the holds in which the route answers all the same */
    during?: readonly Hold[]
    /** dangerous: asks for a proof of a short while ago (`isFresh`) */
    stepUp?: true
    /** headers of its answers that the OpenAPI document cannot know otherwise */
    tells?: readonly ('etag' | 'location')[]
  }
}

export type GuardOptions = {
  keys: Keys
  cookieName: string
  /** the hosts whose pages may change state */
  hosts: ExpectedHosts
  /** who holds this cookie; undefined when nobody does any more */
  findActor: (token: string, correlationId: string) => Promise<SessionHolder | undefined>
  /** somebody came with a cookie that nobody holds; must not throw */
  onRefusedCookie: (token: string, request: FastifyRequest) => Promise<void>
}

/** Somebody whose body takes longer than this is looked up again: they may have been signed out, or have another role by now. */
const ADMITTED_FOR_MS = 500

/**
 * Every route is closed unless it says `open`; every change wants the CSRF token and comes, as far as the browser tells, from a
 * page of ours. A session on hold gets no further than the routes that lift its hold. Whoever sends a body slowly is looked up
 * again when it has arrived; otherwise somebody who was signed out meanwhile could still write.
 */
export function registerSessionGuard(app: FastifyInstance, options: GuardOptions): void {
  const { cookieName, findActor, onRefusedCookie, hosts } = options
  const csrfToken = csrfTokens(options.keys)
  app.decorateRequest('actor', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('sessionToken', null)
  app.decorateRequest('isFresh', false)
  app.decorateRequest('admittedAt', 0)
  app.decorateRequest('admitAgain', async function (this: FastifyRequest): Promise<void> {
    const { sessionToken, actor } = this
    const holder = sessionToken === null ? undefined : await findActor(sessionToken, this.id)
    if (holder === undefined || holder.actor.tenantId !== actor?.tenantId) {
      throw new AppError('authentication_required', 'This session ended while the request was being sent.')
    }
    this.actor = holder.actor
    this.isFresh = holder.isFresh
    requireAllowed(this, holder)
  })

  app.addHook('onRequest', async (request) => {
    const { open } = request.routeOptions.config
    const changes = request.method !== 'GET'
    if (changes) requireOwnPage(request, hosts)
    if (open === true || request.is404) return
    const token = cookieValue(request.headers.cookie, cookieName)
    const holder = token === undefined ? undefined : await findActor(token, request.id)
    if (token === undefined || holder === undefined) {
      if (token !== undefined) await onRefusedCookie(token, request)
      throw new AppError('authentication_required', 'Sign in to go on.')
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
    const { sessionToken, admittedAt } = request
    if (sessionToken === null || performance.now() - admittedAt < ADMITTED_FOR_MS) return done()
    request.admitAgain().then(() => done(), done)
  })
}

/** What the route asks of whoever is signed in. */
function requireAllowed(request: FastifyRequest, { actor, hold, isFresh }: SessionHolder): void {
  const { permission, during, stepUp } = request.routeOptions.config
  if (hold !== null && during?.includes(hold) !== true) throw heldBack(hold)
  if (permission != null) requirePermission(actor, permission)
  if (stepUp === true) requireFreshProof({ isFresh })
}

/** For a route that is dangerous with some bodies only; others say `stepUp`. Errors: `step_up_required`. */
export function requireFreshProof({ isFresh }: Pick<FastifyRequest, 'isFresh'>): void {
  if (!isFresh) throw new AppError('step_up_required', 'Show once more that it is you, then do this again.')
}

/** The person behind a request of a closed route. */
export function actorOf(request: FastifyRequest): UserActor {
  if (request.actor === null) throw new Error('An open route has no actor.')
  return request.actor
}

/** Bound to the session's cookie and to nothing else, so there is nothing more to store or to leak. */
export function csrfTokens(keys: Keys): (sessionToken: string) => string {
  return hmacUnder(keys.derive('csrf'))
}

export function cookieValue(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[name]
}

/** The origin of the page that a request comes from. Its host is an expected one, as `requireOwnPage` and `registerExpectedHosts` have checked. */
export function pageOrigin(request: FastifyRequest): string {
  return request.headers.origin ?? `${request.protocol}://${request.host}`
}

function heldBack(hold: Hold): AppError {
  switch (hold) {
    case 'second_factor':
      return new AppError('mfa_required', 'Show your second factor to go on.')
    case 'password_change':
      return new AppError('password_change_required', 'Choose a new password to go on.')
    case 'enrolment':
      return new AppError('mfa_required', 'Administrators need a second factor: enrol one to go on.')
  }
}

/**
 * Fetch Metadata tells what no page can forge; older browsers send at least the Origin. Its host is compared with the expected ones and its
 * port is not: a forwarded port is another one than any server knows, and a page of another port is `same-site` in Fetch Metadata.
 */
function requireOwnPage(request: FastifyRequest, hosts: ExpectedHosts): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (!isForeignSite && (origin === undefined || isExpected(origin, site === 'same-origin', hosts))) return
  throw new AppError('csrf_token_invalid', 'This request comes from another site.')
}

/** A host that is missing is reported where the browser says that the page is ours: a proxy in front does not hand on the Host. */
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
