import type { Config } from '../../../config.ts'
import { AppError } from '../../../lib/app-error.ts'
import { hmacUnder, sha256 } from '../../../lib/hashing.ts'
import type { Store } from '../../../store/store.ts'
import { type Challenges, createChallenges } from '../factors/challenges.ts'
import { COMPANY_SIGN_IN_LIFE_MS, type CompanyIdentity, CompanyRefused, verifyIdToken } from './id-token.ts'
import { type CompanyKeys, createCompanyKeys, JwksUnusable } from './jwks-file.ts'

/** Path of the page to which the provider's answer is posted. The operator registers it at the provider, after the address of the web app. */
const ANSWER_PATH = '/sign-in/company'

/** Company sign-in as configured, with the requests that are open. */
export type CompanySignIn = {
  settings: NonNullable<Config['companySignIn']>
  keys: CompanyKeys
  requests: Challenges
  nonceOf: (text: string) => string
}

/** The secret of the browser that started the sign-in, from its cookie, and what the sign-in is for. */
export type CompanyRequest = { browser: string; purpose: string }

/** The provider's answer, as the page of the web app passes it on. */
export type CompanyAnswer = { idToken: string; state: string } | { error: string }

export const SIGN_IN = 'sign-in'

/** Returns the purpose of a sign-in that links the company account to the person of this session. */
export function linkOf(sessionId: string): string {
  return `link ${sessionId}`
}

export function createCompanySignIn(store: Store, settings: CompanySignIn['settings']): CompanySignIn {
  return {
    settings,
    keys: createCompanyKeys(settings.jwksFile),
    requests: createChallenges(store.clock, COMPANY_SIGN_IN_LIFE_MS),
    nonceOf: hmacUnder(store.keys.derive('company sign-in')),
  }
}

/** Returns company sign-in. Errors: `company_sign_in_off`. */
export function requireCompany(company: CompanySignIn | undefined): CompanySignIn {
  if (company === undefined)
    throw new AppError('company_sign_in_off', 'This server is not connected to a company account.')
  return company
}

/**
 * Starts a sign-in at the provider and returns the address that the browser opens. `state` and `nonce` belong to this browser: without the secret of
 * its cookie, an answer that somebody else obtained is refused (docs/decisions/company-sign-in.md).
 */
export function requestAddress(company: CompanySignIn, request: CompanyRequest, origin: string): string {
  const { settings, requests } = company
  const state = requests.issue(purposeOf(request))
  const address = new URL(settings.authorizationEndpoint)
  const parameters = {
    response_type: 'id_token',
    response_mode: 'form_post',
    scope: 'openid',
    client_id: settings.clientId,
    redirect_uri: `${origin}${ANSWER_PATH}`,
    state,
    nonce: nonceFor(company, request, state),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

/** Verifies the provider's answer to a request of this browser, and consumes the request. Throws `CompanyRefused`. Errors: `unavailable`. */
export async function identityOf(
  company: CompanySignIn,
  request: CompanyRequest,
  answer: CompanyAnswer,
  now: Date,
): Promise<CompanyIdentity> {
  if ('error' in answer) throw new CompanyRefused('provider_refused')
  const { settings, requests } = company
  const keys = await company.keys.current().catch((cause: unknown) => {
    throw cause instanceof JwksUnusable ? keysUnavailable(cause) : cause
  })
  const { idToken, state } = answer
  if (!requests.take(purposeOf(request), state)) throw new CompanyRefused('state')
  return verifyIdToken(idToken, { settings, keys, nonce: nonceFor(company, request, state), now })
}

function purposeOf({ browser, purpose }: CompanyRequest): string {
  return `${purpose} ${sha256(browser)}`
}

function nonceFor({ nonceOf }: CompanySignIn, { browser }: CompanyRequest, state: string): string {
  return nonceOf(`${browser} ${state}`)
}

function keysUnavailable(cause: JwksUnusable): AppError {
  const message =
    'The keys of the company account cannot be read. Sign in with your password, and tell the operator of this server.'
  return new AppError('unavailable', message, { reason: 'company_keys', cause })
}
