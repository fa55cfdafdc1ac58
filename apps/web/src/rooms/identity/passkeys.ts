/** The browser's side of passkeys; the library is fetched when one is first used. */

import { passkeyCreationOptions, passkeyProofOptions, passkeySignInOptions } from '@prospect/api-client'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { ApiProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { importWithRetry } from '../../ui/lazy/import-with-retry.ts'

const fetchLibrary = () => importWithRetry(() => import('@simplewebauthn/browser'))

/** Passkeys belong to a host name over TLS (or this very machine): a page opened by its IP address cannot have any. */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname)
  return !isAddress && window.isSecureContext && 'PublicKeyCredential' in window
}

/** Asks the person for a passkey: instead of a password, or as proof within a session. */
export async function askForPasskey(purpose: 'sign_in' | 'proof'): Promise<AuthenticationResponseJSON> {
  const options = purpose === 'sign_in' ? passkeySignInOptions : passkeyProofOptions
  const [optionsJSON, { startAuthentication }] = await Promise.all([
    dataOf(options({ body: {}, ...outsideSession })),
    fetchLibrary(),
  ])
  return startAuthentication({ optionsJSON })
}

export async function createPasskey(): Promise<RegistrationResponseJSON> {
  const [optionsJSON, { startRegistration }] = await Promise.all([
    dataOf(passkeyCreationOptions({ body: {} })),
    fetchLibrary(),
  ])
  return startRegistration({ optionsJSON })
}

/** What went wrong with a passkey, in words: the browser tells little more than that nothing came of it. */
export function passkeySentence(error: unknown): string {
  if (error instanceof ApiProblem) return sentenceOf(error)
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device already has one of your passkeys.'
  if (name === 'SecurityError') return 'This browser does not support passkeys at this address.'
  return 'No passkey was used. The prompt was closed or timed out, or this device has no passkey for this address.'
}
