import { isFreeMailDomain, registrableDomain } from './domain-parts.rules.ts'
import type { IdentifierKind } from './identifier-reading.ts'
import { isFakeAddress } from './placeholders.rules.ts'
import { pageHosts, siteHosts } from './shared-hosts.data.ts'

/** Hosts that show the same pages as another one. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['fb.com', 'facebook.com'],
  ['instagr.am', 'instagram.com'],
  ['telegram.me', 't.me'],
  ['threads.com', 'threads.net'],
  ['twitter.com', 'x.com'],
])

/**
 * Returns the shared host that a host is, is below or is another name of, such as `facebook.com` for `af-za.facebook.com` and `fb.com`; undefined for
 * a host of one owner, such as `karoo.wordpress.com`.
 */
export function sharedHostOf(host: string): string | undefined {
  if (siteHosts.has(host)) return host
  for (let part = host; part !== ''; part = parentOf(part)) if (pageHosts.has(part)) return otherNames.get(part) ?? part
  return undefined
}

/** True if anybody can have a page on this host. Such a page identifies its owner, but the host does not. */
export function isSharedHost(host: string): boolean {
  return sharedHostOf(host) !== undefined
}

/**
 * Returns the domain that identifies the owner of a host: the registrable domain, or for a customer of a site builder the host below it. Null for a
 * shared host and for free mail, which identify nobody.
 */
export function ownerDomainOf(host: string): string | null {
  if (isSharedHost(host) || isFreeMailDomain(host)) return null
  for (let part = host; part !== ''; part = parentOf(part)) if (siteHosts.has(parentOf(part))) return part
  return registrableDomain(host) ?? host
}

/**
 * Returns the text by which a contact value identifies a business: the normalized form, for a page on a shared host the page, such as
 * `facebook.com/alpha`. Null if it identifies nobody: a shared host without a page, a free-mail host, and an address such as `none@none.com`. `normalized`: the normalized form of `value`.
 */
export function identityOf(kind: IdentifierKind, value: string, normalized: string): string | null {
  if (kind === 'email') return isFakeAddress(normalized) ? null : normalized
  if (kind === 'phone') return normalized
  const shared = sharedHostOf(normalized)
  if (shared === undefined) return isFreeMailDomain(normalized) ? null : normalized
  const page = pageIn(value)
  return page === '' ? null : `${shared}${page}`
}

/** parameters of links that do not identify a page */
const tracking =
  /^(?:utm_.*|fbclid|gclid|igshid?|mibextid|ref|refid|hl|lang|locale|si|trk|originalsubdomain|src|source)=/

/** Returns the part of a URL behind its host that identifies a page, in lower case and without parameters of links; empty for a host alone. */
export function pageIn(url: string): string {
  const behind = /^(?:[a-z][a-z\d+.-]*:)?\/{0,2}[^/?#]*(.*)$/is.exec(url.trim())?.[1] ?? ''
  const [path = '', query = ''] = behind
    .replace(/#(?![!/]).*$/s, '')
    .toLowerCase()
    .split('?', 2)
  const named = query.split('&').filter((parameter) => parameter !== '' && !tracking.test(parameter))
  let end = path.length
  while (path.charAt(end - 1) === '/') end -= 1
  const page = decoded(path.slice(0, end))
  return named.length === 0 ? page : `${page}?${named.sort().join('&')}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A path with a stray percent sign is compared as it is written.
    return path
  }
}

/** Returns the parent domain of a host: `example.com` for `www.example.com`. Returns an empty text for a host with a single label. */
function parentOf(host: string): string {
  return host.slice(host.indexOf('.') + 1 || host.length)
}
