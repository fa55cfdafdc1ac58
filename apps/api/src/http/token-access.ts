import type { FastifyContextConfig } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import type { Permission } from '../lib/declared.ts'

/*
 * Which operations an access token can call. The rule is derived from what each route declares, so that the guard, the OpenAPI document and the tests
 * cannot differ.
 */

/** The part of a route on which the rule depends. */
export type CalledRoute = { method: string; config: FastifyContextConfig }

/**
 * Why an access token cannot call an operation. `fresh_proof`: the operation requires that a person proved their identity recently. `own_account`: it
 * is about the account or the screens of a person. `permission`: no token can have the permission.
 */
export type TokenRefusal = 'fresh_proof' | 'own_account' | 'permission'

/** Returns why no access token can call a route; undefined if one with the permission of the route can. */
export function tokenRefusalOf(
  { method, config }: CalledRoute,
  grantable: ReadonlySet<Permission>,
): TokenRefusal | undefined {
  const { permission, stepUp, onlySession } = config
  if (stepUp === true) return 'fresh_proof'
  // A change that needs no permission is one of the person's own account, or of how the app shows lists to that person.
  if (onlySession === true || (permission == null && method !== 'GET')) return 'own_account'
  return permission == null || grantable.has(permission) ? undefined : 'permission'
}

/** Requires that access tokens can call the route. Errors: `session_required`. */
export function requireTokenAllowed(route: CalledRoute, grantable: ReadonlySet<Permission>): void {
  const refusal = tokenRefusalOf(route, grantable)
  if (refusal !== undefined) throw needsSession(refusal)
}

const sentences: Readonly<Record<TokenRefusal, string>> = {
  fresh_proof: 'An access token cannot do this, because a person must confirm their identity first. Sign in to do it.',
  own_account: 'An access token cannot use the account of its person. Sign in to do it.',
  permission: 'No access token can have the permission for this, because a person must decide. Sign in to do it.',
}

/** Returns the refusal of an operation that requires a person in a session. */
export function needsSession(refusal: TokenRefusal): AppError {
  return new AppError('session_required', sentences[refusal])
}

/**
 * Returns the credential of an Authorization header with the scheme Bearer, possibly an empty text. Returns undefined for another scheme: a proxy in
 * front of the service can require Basic authentication of its own, which says nothing about the person.
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const [scheme = '', credential = ''] = authorization.trim().split(/\s+/, 2)
  return scheme.toLowerCase() === 'bearer' ? credential : undefined
}
