import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { withoutUnseen, withoutUnseenInHost } from './text-folding.rules.ts'

const MAX_DOMAIN_LENGTH = 253
/** A name may be typed in longer forms; past this it is none, and to look at each character of it would take a while. */
const MAX_TYPED_LENGTH = 4 * MAX_DOMAIN_LENGTH
const hostname = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const leadingWww = /^(?:www\.)+/i

/** Nothing but a host, with or without `www.`: of such cells nearly every file consists. */
const bareHost = /^[a-z0-9.-]*[a-z0-9-]$/

/** The host of what may be an address, a host or a domain. */
export function hostOf(value: string): string {
  if (bareHost.test(value)) return value.startsWith('www.') ? value.replace(leadingWww, '') : value
  return withoutUnseenInHost(value)
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(leadingWww, '')
}

/** A host name in ASCII (IDNA 2008 as browsers do it), or undefined when it is none; numbers are no host names here. */
export function asciiDomain(value: string): string | undefined {
  const name = value.trim()
  // In lower-case letters, digits and hyphens a name is its own form; `xn--` has to be a correct one.
  if (name.length <= MAX_DOMAIN_LENGTH && hostname.test(name) && !name.includes('xn--')) return name
  if (name.length > MAX_TYPED_LENGTH) return undefined
  // A joiner that no name can have where it stands is one that somebody copied along.
  const ascii = (domainToASCII(name) || domainToASCII(withoutUnseen(name))).toLowerCase()
  return ascii.length <= MAX_DOMAIN_LENGTH && hostname.test(ascii) ? ascii : undefined
}

const lastLabelOfNumber = /(?:^|\.)\d[^.]*$/

/** Whether the platform reads an address of the network in it: `127.0.0.1`, `1.2.3`, `[::1]`. A number alone may be a phone. */
export function isIpLiteral(value: string): boolean {
  const typed = value.trim()
  if (bareHost.test(typed) && !lastLabelOfNumber.test(typed)) return false
  if (isIP(typed.replace(/^\[|\](?::\d+)?$/g, '')) !== 0) return true
  const host = hostOf(typed)
  return host.length <= MAX_TYPED_LENGTH && dot.test(host) && isIP(domainToASCII(host)) === 4
}

/** Those of other scripts stand for it in a host (UTS 46). */
const dot = /[.\u3002\uff0e\uff61]/

/**
 * Whether a text has the form of a host and stands for none: with an escape, which the platform would read as what it escapes (`%6b` as
 * `k`), or with a label that begins with `xn--` and is no other script in ASCII.
 */
export function isMalformedHost(host: string): boolean {
  if (!/%|xn--/i.test(host) || !/^\S+\.\S+$/.test(host)) return false
  return host.includes('%') || host.toLowerCase().split('.').some(isMalformedLabel)
}

function isMalformedLabel(label: string): boolean {
  return label.startsWith('xn--') && domainToUnicode(label) === label
}
