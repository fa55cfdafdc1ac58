/** Proof of identity beyond the password: after signing in with it, and again before dangerous actions. */

import { proveSecondFactor, type Session } from '@prospect/api-client'
import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { beginningSession } from '../../ui/api/gated-fetch.ts'
import type { SecondFactorMethod } from './account-types.ts'

export type Way = SecondFactorMethod | 'password'
type Proof =
  | { code: string }
  | { recoveryCode: string }
  | { passkey: AuthenticationResponseJSON }
  | { password: string }

/** Sends a proof. An expired session rejects instead of waiting at the gate, so that the caller can ask for a sign-in. */
export function prove(proof: Proof): Promise<Session> {
  return dataOf(proveSecondFactor({ body: proof, ...beginningSession }))
}

export function proofOf(way: Exclude<Way, 'passkey'>, typed: string): Proof {
  if (way === 'password') return { password: typed }
  if (way === 'recovery_code') return { recoveryCode: typed.trim() }
  return { code: typed.replaceAll(/\s/g, '') }
}

/** Validation message before sending, or null. */
export function missingProof(way: Exclude<Way, 'passkey'>, typed: string): string | null {
  if (way === 'totp') return /^\d{6}$/.test(typed.replaceAll(/\s/g, '')) ? null : 'Enter the six digits of the code.'
  if (typed.trim() !== '') return null
  return way === 'password' ? 'Enter your password.' : 'Enter one of your recovery codes.'
}

export type ProofRefusal = { message: string; waitSeconds?: number }

export function proofRefusal(way: Way, error: unknown): ProofRefusal {
  if (isProblem(error) && error.status === 429) {
    return { message: 'Too many attempts.', waitSeconds: error.retryAfterSeconds ?? 60 }
  }
  if (!isProblem(error, 'second_factor_invalid')) return { message: sentenceOf(error) }
  switch (way) {
    case 'totp':
      return {
        message:
          'This code is wrong, already used or expired. Wait for the next code, and check the clock of your device.',
      }
    case 'recovery_code':
      return { message: 'This recovery code is wrong or already used.' }
    case 'passkey':
      return { message: 'This passkey was not accepted.' }
    case 'password':
      return { message: 'Wrong password.' }
  }
}
