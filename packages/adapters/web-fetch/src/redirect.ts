import { isRequestable, isSameSite, MAX_URL_LENGTH, type WebPage } from '@prospect/adapter-contract/web-page'
import { Stopped } from '@prospect/http-exchange/stopped'

const redirects = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return redirects.has(status)
}

/** Returns the target of a redirect. Errors: `protocol_error` (no target, several targets, or a target that is not a URL). */
export function redirectOf(from: URL, locations: readonly string[]): NonNullable<WebPage['redirect']> {
  const [location, ...others] = locations
  const to = location === undefined || others.length > 0 ? null : URL.parse(location, from)
  if (to === null || to.href.length > MAX_URL_LENGTH) throw new Stopped('protocol_error')
  const isOnSite = isRequestable(to) && isSameSite(from.hostname, to.hostname)
  const isDowngrade = from.protocol === 'https:' && to.protocol === 'http:'
  to.hash = ''
  to.username = ''
  to.password = ''
  return { target: to.href, scope: !isOnSite ? 'off_site' : isDowngrade ? 'downgrade' : 'same_site' }
}
