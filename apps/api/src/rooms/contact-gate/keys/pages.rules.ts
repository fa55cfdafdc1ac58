import { visibleText } from '../../normalization/normalization.ts'
import { sharedHosts } from './shared-hosts.data.ts'

/* Pure rules about hosts on which anybody can have a page, and about the URLs of such pages. */

/** True if anybody can have a page on this host. Such a page identifies its owner, but the host does not. */
export function isSharedHost(host: string): boolean {
  for (let part = host; part !== ''; part = part.slice(part.indexOf('.') + 1 || part.length))
    if (sharedHosts.has(part)) return true
  return false
}

/**
 * Returns the URL of a page: host, path and query, and a fragment that begins with `#!` or `#/`, because some hosts identify pages by such fragments.
 * Returns undefined for a host without a page.
 */
export function pageOf(address: string): string | undefined {
  const page = visibleText(address)
    .replace(/^(?:[a-z][a-z\d+.-]*:)?\/{0,2}(?:www\.|m\.)?/i, '')
    .replace(/#(?![!/]).*$/s, '')
  let end = page.length
  while (page.charAt(end - 1) === '/') end -= 1
  const named = page.slice(0, end)
  return /[/?]/.test(named) ? named : undefined
}
