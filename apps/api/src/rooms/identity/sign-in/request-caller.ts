import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, cookieValue } from '../../../http/session-guard.ts'
import { clientOf } from '../accounts/request-origin.ts'
import { findCredentialsOfUser } from '../identity.queries.ts'
import type { Session } from '../identity.schema.ts'
import type { Accounts, Caller } from '../sessions/account-context.ts'
import { deviceCookie, deviceCookieName, sessionCookie, sessionCookieName } from '../sessions/session-cookie.ts'
import { actorFinder, endSession, getSession } from '../sessions/sessions.ts'
import type { Visitor } from './sign-in.ts'

/** Returns the signed-in sender of a request to a route that requires a session. */
export async function callerOf(accounts: Accounts, request: FastifyRequest): Promise<Caller> {
  const actor = actorOf(request)
  if (request.sessionId === null) throw new Error('An open route has no session.')
  const account = await findCredentialsOfUser(accounts.store.reader, actor.userId)
  const device = account && accounts.devices.recognise(account, deviceCookieOf(accounts, request))
  return { actor, sessionId: request.sessionId, client: clientOf(request), device }
}

/** Returns the sender of a request to a route that requires no session. */
export function visitorOf(accounts: Accounts, request: FastifyRequest): Visitor {
  return { client: clientOf(request), correlationId: request.id, deviceCookie: deviceCookieOf(accounts, request) }
}

export function tokenOf(request: FastifyRequest): string {
  if (request.sessionToken === null) throw new Error('An open route has no session.')
  return request.sessionToken
}

/** Returns a function that ends the session which the browser had before a sign-in, because the new cookie replaces its cookie. */
export function earlierSessionEnder(
  accounts: Accounts,
  log: FastifyBaseLogger,
): (request: FastifyRequest) => Promise<void> {
  const findActor = actorFinder(accounts.store, accounts, log)
  return async (request) => {
    const token = cookieValue(request.headers.cookie, sessionCookieName(accounts))
    const holder = token === undefined ? undefined : await findActor(token, request.id)
    if (token === undefined || holder === undefined) return
    await endSession(accounts.store, holder.actor, token, clientOf(request))
  }
}

/**
 * Sends a new session or token to the browser and marks the browser as a known device. The mark is set only after the second factor, because
 * otherwise a person with a stolen password could collect known devices and guess codes from them.
 */
export async function handOver(accounts: Accounts, reply: FastifyReply, token: string): Promise<Session> {
  reply.header('set-cookie', sessionCookie(accounts, token, accounts.lifetime.absoluteMs / 1_000))
  const session = await getSession(accounts.store, accounts, token)
  if (session.hold !== 'second_factor') {
    const account = { email: session.user.email, hasSecondFactor: session.secondFactor.enrolled }
    reply.header('set-cookie', deviceCookie(accounts, accounts.devices.issue(account)))
  }
  return session
}

function deviceCookieOf(accounts: Accounts, request: FastifyRequest): string | undefined {
  return cookieValue(request.headers.cookie, deviceCookieName(accounts))
}
