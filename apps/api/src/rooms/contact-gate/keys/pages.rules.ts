import { visibleText } from '../../normalization/normalization.ts'

/* Pure rules about hosts on which anybody can have a page, and about the URLs of such pages. */

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
