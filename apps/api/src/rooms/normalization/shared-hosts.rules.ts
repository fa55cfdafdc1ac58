import { isFreeMailDomain, registrableDomain } from './domain-parts.rules.ts'
import { pageHosts, siteHosts } from './shared-hosts.data.ts'

/**
 * Returns the shared host that a host is or is below, such as `facebook.com` for `af-za.facebook.com`; undefined for a host of one owner, such as
 * `karoo.wordpress.com`.
 */
export function sharedHostOf(host: string): string | undefined {
  if (siteHosts.has(host)) return host
  for (let part = host; part !== ''; part = parentOf(part)) if (pageHosts.has(part)) return part
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

/** Returns the host above a host, and an empty text above the last one. */
function parentOf(host: string): string {
  return host.slice(host.indexOf('.') + 1 || host.length)
}
