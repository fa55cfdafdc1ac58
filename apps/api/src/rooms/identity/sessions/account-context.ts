import type { Config } from '../../../config.ts'
import type { UserActor } from '../../../lib/actor.ts'
import type { Store } from '../../../store/store.ts'
import { type KnownDevices, knownDevices } from '../accounts/known-device.ts'
import type { Client } from '../accounts/request-origin.ts'
import { type CompanySignIn, createCompanySignIn } from '../company/company-sign-in.ts'
import { type Challenges, createChallenges } from '../factors/challenges.ts'
import { createSignInLimits, type SignInLimits } from '../limits/sign-in-limits.ts'
import { type PasswordCost, passwordVerifier, type VerifyPassword } from '../passwords/passwords.ts'

export type IdentityConfig = {
  environment: 'local' | 'production'
  sessionIdleMinutes: number
  sessionAbsoluteHours: number
  passwordCost: PasswordCost
  companySignIn: Config['companySignIn']
}

export type SessionLifetime = { idleMs: number; absoluteMs: number }

/** State that the routes of this room share. It is created once. */
export type Accounts = {
  store: Store
  environment: IdentityConfig['environment']
  lifetime: SessionLifetime
  passwordCost: PasswordCost
  verifyPassword: VerifyPassword
  /** limits of attempts with passwords and links */
  signInLimits: SignInLimits
  /** limits of attempts with second factors and repeated proofs */
  proofLimits: SignInLimits
  devices: KnownDevices
  challenges: Challenges
  /** undefined if the operator has configured none */
  company: CompanySignIn | undefined
}

/** A signed-in person who requests a change of accounts. */
export type Caller = { actor: UserActor; sessionId: string; client: Client; device: string | undefined }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export function createAccounts(store: Store, config: IdentityConfig): Accounts {
  return {
    store,
    environment: config.environment,
    lifetime: { idleMs: config.sessionIdleMinutes * MINUTE_MS, absoluteMs: config.sessionAbsoluteHours * HOUR_MS },
    passwordCost: config.passwordCost,
    verifyPassword: passwordVerifier(config.passwordCost),
    signInLimits: createSignInLimits(store.clock),
    proofLimits: createSignInLimits(store.clock),
    devices: knownDevices(store.keys),
    challenges: createChallenges(store.clock),
    company: config.companySignIn && createCompanySignIn(store, config.companySignIn),
  }
}
