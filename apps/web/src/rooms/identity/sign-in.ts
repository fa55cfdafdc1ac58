/** Texts and rules of signing in, without user interface. */

import {
  signIn as beginSession,
  signInWithPasskey as beginSessionWithPasskey,
  type Session,
} from '@prospect/api-client'
import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import { ApiProblem, messageAbout, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { beginningSession } from '../../ui/api/gated-fetch.ts'
import { countWords } from '../../ui/text/count-words.ts'

export type Credentials = { email: string; password: string }
export type SignInErrors = { email?: string; password?: string; form?: string; waitSeconds?: number }

/** Sends credentials. A 401 means a wrong password and not an expired session, so the call never waits for a sign-in. */
export function signIn(credentials: Credentials): Promise<Session> {
  return dataOf(beginSession({ body: credentials, ...beginningSession }))
}

export function signInWithPasskey(passkey: AuthenticationResponseJSON): Promise<Session> {
  return dataOf(beginSessionWithPasskey({ body: { passkey }, ...beginningSession }))
}

export function missingIn({ email, password }: Credentials): SignInErrors {
  return {
    ...(email.trim() === '' ? { email: 'Enter your email address.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  }
}

/** 75 becomes '1 minute 15 seconds'. */
export function waitWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  const minutes = Math.floor(whole / 60)
  const rest = whole % 60
  const parts = [
    ...(minutes > 0 ? [countWords(minutes, 'minute', 'minutes')] : []),
    ...(rest > 0 ? [countWords(rest, 'second', 'seconds')] : []),
  ]
  return parts.join(' ')
}

/** Messages for a failed sign-in by field. They never reveal whether the account exists. */
export function signInErrors(error: unknown): SignInErrors {
  if (!(error instanceof ApiProblem)) return { form: sentenceOf(error) }
  if (error.status === 0) return { form: 'Could not reach the server. Check your connection, then sign in again.' }
  if (error.code === 'invalid_credentials') return { form: 'The email address or password is wrong.' }
  if (error.status === 429) {
    const waitSeconds = error.retryAfterSeconds ?? 60
    return { form: 'Too many attempts to sign in.', waitSeconds }
  }
  const email = messageAbout(error, 'email')
  const password = messageAbout(error, 'password')
  if (email === undefined && password === undefined) return { form: sentenceOf(error) }
  return { ...(email === undefined ? {} : { email }), ...(password === undefined ? {} : { password }) }
}
