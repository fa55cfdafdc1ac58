/** Signing in or linking an account at the company's provider: leaving this page, and returning with its answer. */

import { beginCompanyLink, beginCompanySignIn } from '@prospect/api-client'
import { dataOf } from '../../../ui/api/data-of.ts'
import { outsideSession } from '../../../ui/api/gated-fetch.ts'

/** The purpose of a sign-in at the provider, and the page that opens after it. */
export type Intent = { what: 'sign_in' | 'link'; next: string }
export type CompanyAnswer = { idToken: string; state: string } | { error: string }

/** In the storage of the tab, because the browser leaves the app in between and returns to the same tab. */
const INTENT_KEY = 'prospect-company-intent'

export async function goAndSignIn(next: string): Promise<void> {
  const { url } = await dataOf(beginCompanySignIn({ body: {}, ...outsideSession }))
  leaveFor(url, { what: 'sign_in', next })
}

/** Leaves for the provider to link an account. The server may ask for a proof of identity before. */
export async function goAndLink(next: string): Promise<void> {
  const { url } = await dataOf(beginCompanyLink({ body: {} }))
  leaveFor(url, { what: 'link', next })
}

function leaveFor(url: string, intent: Intent): void {
  sessionStorage.setItem(INTENT_KEY, JSON.stringify(intent))
  window.location.assign(url)
}

/** The intent with which this tab left for the provider. A tab without one can only have been signing in. */
export function readIntent(): Intent {
  const signIn: Intent = { what: 'sign_in', next: '/' }
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(INTENT_KEY) ?? 'null')
    return isIntent(stored) ? stored : signIn
  } catch {
    return signIn
  }
}

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null || !('what' in value && 'next' in value)) return false
  const isKnown = value.what === 'sign_in' || value.what === 'link'
  return isKnown && typeof value.next === 'string' && /^\/(?![/\\])/.test(value.next)
}

const answerElement = () => document.querySelector<HTMLMetaElement>('meta[name="company-answer"]')

/** The provider's answer, which the web server put into this page (server/company-answer.ts); null without one. */
export function readAnswer(): CompanyAnswer | null {
  const { idToken, state, error } = answerElement()?.dataset ?? {}
  if (idToken !== undefined && state !== undefined) return { idToken, state }
  return error === undefined ? null : { error }
}

/** Removes the answer and the intent, which are valid once. */
export function forgetAnswer(): void {
  answerElement()?.remove()
  sessionStorage.removeItem(INTENT_KEY)
}
