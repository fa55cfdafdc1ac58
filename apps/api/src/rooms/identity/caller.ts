import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, cookieValue } from '../../http/session-guard.ts'
import type { Accounts, Caller } from './accounts.ts'
import { clientOf } from './client.ts'
import { getPerson } from './identity.queries.ts'
import type { Session } from './identity.schema.ts'
import { deviceCookie, deviceCookieName, sessionCookie } from './sessions/session-cookie.ts'
import { getSession } from './sessions/sessions.ts'
import type { SignedIn, Visitor } from './sign-in/sign-in.ts'

/** Whoever sends a request of a closed route. */
export async function callerOf(accounts: Accounts, request: FastifyRequest): Promise<Caller> {
  const actor = actorOf(request)
  if (request.sessionId === null) throw new Error('An open route has no session.')
  const { email } = await getPerson(accounts.store.reader, actor.userId)
  const device = accounts.devices.recognise(email, deviceCookieOf(accounts, request))
  return { actor, sessionId: request.sessionId, client: clientOf(request), device }
}

/** Whoever sends a request of an open route. */
export function visitorOf(accounts: Accounts, request: FastifyRequest): Visitor {
  return { client: clientOf(request), correlationId: request.id, deviceCookie: deviceCookieOf(accounts, request) }
}

export function tokenOf(request: FastifyRequest): string {
  if (request.sessionToken === null) throw new Error('An open route has no session.')
  return request.sessionToken
}

/** Hands a new session or a new token of one to the browser, which is known again by its device from now on. */
export async function handOver(
  accounts: Accounts,
  reply: FastifyReply,
  { token, account }: SignedIn,
): Promise<Session> {
  setSessionCookie(accounts, reply, token)
  reply.header('set-cookie', deviceCookie(accounts, accounts.devices.issue(account)))
  return getSession(accounts.store, accounts, token)
}

export async function handOverToken(accounts: Accounts, reply: FastifyReply, token: string): Promise<Session> {
  setSessionCookie(accounts, reply, token)
  return getSession(accounts.store, accounts, token)
}

export function setSessionCookie(accounts: Accounts, reply: FastifyReply, token: string): void {
  reply.header('set-cookie', sessionCookie(accounts, token, accounts.lifetime.absoluteMs / 1_000))
}

function deviceCookieOf(accounts: Accounts, request: FastifyRequest): string | undefined {
  return cookieValue(request.headers.cookie, deviceCookieName(accounts))
}
