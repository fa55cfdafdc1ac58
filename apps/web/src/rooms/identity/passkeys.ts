/** Browser side of passkeys. The library loads on first use. */

import { passkeyCreationOptions, passkeyProofOptions, passkeySignInOptions } from '@prospect/api-client'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { ApiProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { outsideSession } from '../../ui/api/gated-fetch.ts'
import { importWithRetry } from '../../ui/lazy/import-with-retry.ts'

const fetchLibrary = () => importWithRetry(() => import('@simplewebauthn/browser'))

/** True if passkeys are possible: they require a host name with TLS (or localhost), so a page opened by IP address cannot use them. */
export function canUsePasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname)
  return !isAddress && window.isSecureContext && 'PublicKeyCredential' in window
}

/** Requests a passkey from the user, to sign in or as proof within a session. */
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

/** Message for a failed passkey request. Browsers report little beyond the failure itself. */
export function passkeySentence(error: unknown): string {
  if (error instanceof ApiProblem) return sentenceOf(error)
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device already has one of your passkeys.'
  if (name === 'SecurityError') return 'This browser does not support passkeys at this address.'
  return 'No passkey was used. The prompt was closed or expired, or this device has no passkey for this address.'
}
