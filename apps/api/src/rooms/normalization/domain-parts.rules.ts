import { createRequire } from 'node:module'
import type * as Tldts from 'tldts'
import { moreFreeMail, roleMailboxes } from './mail.data.ts'

/**
 * The suffix list that `registrableDomain` decides by: it is pinned with its package, so the same version gives the same domains
 * on every machine (specification, Versioning 2). `domain-parts.rules.test.ts` holds this to the installed package.
 */
export const SUFFIX_LIST_VERSION = 'tldts-7.5.4'

/*
 * The list and the free-mail domains cost 10 ms and some megabytes. Most processes of the command line never ask, so both come at
 * the first question.
 */
const require = createRequire(import.meta.url)
let suffixList: typeof Tldts | undefined
let freeMail: ReadonlySet<string> | undefined

function suffixes(): typeof Tldts {
  suffixList ??= require('tldts') as typeof Tldts
  return suffixList
}

/** The domain that somebody registered: `karoo.co.za` of `shop.karoo.co.za`. Undefined for a suffix itself. Private suffixes (blogs, shops) count. */
export function registrableDomain(domain: string): string | undefined {
  return suffixes().getDomain(domain, { allowPrivateDomains: true }) ?? undefined
}

/** For what is a host name already; a test holds the answers to those of the library's own way. */
const hostsAlone = { allowPrivateDomains: true, extractHostname: false, detectIp: false } as const

/** Of a host name in ASCII. Only what the public list knows: a top level that nobody registered (`.test`, `.example`) is no suffix to refuse. */
export function isPublicSuffix(domain: string): boolean {
  return suffixes().getDomain(domain, hostsAlone) === null
}

/** Whether a host name in ASCII ends as one that can be had does: `karoo.co.za`, `karoo.github.io`, and not `index.html`. */
export function hasKnownSuffix(host: string): boolean {
  const { isIcann, isPrivate } = suffixes().parse(host, hostsAlone)
  return isIcann === true || isPrivate === true
}

/** These endings are kept free for documentation and tests (RFC 6761): nobody is meant by one. */
const reserved = /\.(?:example|test)$/

/** Why nobody can have a host name in ASCII, or null where somebody can. */
export function suffixDoubt(host: string): 'public_suffix' | 'unknown_suffix' | null {
  const { domain, isIcann, isPrivate } = suffixes().parse(host, hostsAlone)
  if (domain === null) return 'public_suffix'
  return isIcann === true || isPrivate === true || reserved.test(host) ? null : 'unknown_suffix'
}

/** Whether everybody can have a mailbox there: such a domain says nothing about who writes. */
export function isFreeMailDomain(domain: string): boolean {
  freeMail ??= new Set([...(require('free-email-domains') as string[]), ...moreFreeMail])
  return freeMail.has(domain)
}

/** `info@`, `navrae@`: the mailbox of a function, not of a person. */
export function isRoleMailbox(local: string): boolean {
  return roleMailboxes.has(local.replace(/[.+_-].*$/, ''))
}
