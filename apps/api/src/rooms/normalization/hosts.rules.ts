import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { hasControlCharacter, withoutUnseen, withoutUnseenInHost } from './text-folding.rules.ts'

const MAX_DOMAIN_LENGTH = 253
/**
 * Maximum length of a typed text. A typed form can be longer than the stored form; a longer text than this is no name and would take long to scan.
 */
const MAX_TYPED_LENGTH = 4 * MAX_DOMAIN_LENGTH
const hostname = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const leadingWww = /^(?:www\.)+/i

/** Matches a plain host, with or without `www.`. This is the most frequent kind of cell in files, so it is tested first. */
const bareHost = /^[a-z0-9.-]*[a-z0-9-]$/

/** Returns the host of a URL, a host or a domain, without a leading `www.`. */
export function hostOf(value: string): string {
  if (bareHost.test(value)) return value.startsWith('www.') ? value.replace(leadingWww, '') : value
  return wholeHostOf(value).replace(leadingWww, '')
}

/** Returns the host of a URL, a host or a domain, without scheme, path, port and final dot. */
export function wholeHostOf(value: string): string {
  if (bareHost.test(value)) return value
  return withoutUnseenInHost(value)
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
}

/** Returns a host name in ASCII (IDNA 2008 as in browsers), or undefined if it is invalid. An IP address does not count as a host name here. */
export function asciiDomain(value: string): string | undefined {
  const name = value.trim()
  // A name of lower-case letters, digits and hyphens is already in ASCII form, unless it contains `xn--`, which must be valid.
  if (name.length <= MAX_DOMAIN_LENGTH && hostname.test(name) && !name.includes('xn--')) return name
  if (name.length > MAX_TYPED_LENGTH) return undefined
  // Invisible joiners are removed if the name is invalid with them, because they were then copied by accident.
  const ascii = (platformAscii(name) || platformAscii(withoutUnseen(name))).toLowerCase()
  return ascii.length <= MAX_DOMAIN_LENGTH && hostname.test(ascii) ? ascii : undefined
}

/**
 * Returns the ASCII form of a host by the rules of the platform, or an empty string. A name with a control character has none: the platform deletes
 * tabs and line ends inside a name, which would join two cells or lines to one host.
 */
function platformAscii(name: string): string {
  return hasControlCharacter(name) ? '' : domainToASCII(name)
}

const lastLabelOfNumber = /(?:^|\.)\d[^.]*$/

/** True for every spelling that the platform parses as an IP address, such as `127.0.0.1`, `1.2.3`, `0x7f.1`, `2130706433` and `[::1]`. */
export function isIpLiteral(value: string): boolean {
  if (value.length > MAX_TYPED_LENGTH) return false
  const typed = value.trim()
  if (bareHost.test(typed) && !lastLabelOfNumber.test(typed)) return false
  if (isIP(typed.replace(/^\[|\](?::\d+)?$/g, '')) !== 0) return true
  const host = hostOf(typed).replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 || isIP(platformAscii(host)) === 4
}

/**
 * True for a text that has the form of a host but is invalid. It contains an escape, which the platform would decode (`%6b` as `k`), or an `xn--`
 * label that is not valid Punycode of another script.
 */
export function isMalformedHost(host: string): boolean {
  if (!/%|xn--/i.test(host) || !/^\S+\.\S+$/.test(host)) return false
  return host.includes('%') || host.toLowerCase().split('.').some(isMalformedLabel)
}

function isMalformedLabel(label: string): boolean {
  return label.startsWith('xn--') && domainToUnicode(label) === label
}
