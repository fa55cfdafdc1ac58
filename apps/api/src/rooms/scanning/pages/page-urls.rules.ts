import { hasControlCharacter } from '../../normalization/normalization.ts'
import { storedBounds } from '../bounds.ts'

/* Validates page URLs and masks them for storage. Pure; loads no schema. */

const MASK = '***'

/** Parameter names whose values are secrets or sessions. */
const secretName =
  /^(?:.*[_.-])?(?:(?:access|auth|id|refresh|api|csrf|xsrf)?[_-]?token|(?:api|access|private)?[_-]?key|sig|signature|hash|hmac|pass|passwd|password|pwd|pin|secret|session|session[_-]?id|sid|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|auth|authorization|code|otp|nonce|jwt|ticket|credentials?)$/i

const SEVEN_DIGITS = 7

/**
 * Parses an `http` or `https` URL with a host name of two labels or more and the default port; undefined for any other text. A control character makes
 * it undefined, because the parser deletes tabs and line ends and would join the texts around them to one URL.
 */
export function readPageUrl(text: string): URL | undefined {
  const typed = text.trim()
  const url = hasControlCharacter(typed) ? null : URL.parse(typed)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  const { hostname, port } = url
  const isName = hostname.includes('.') && !hostname.endsWith('.') && !isAddress(hostname)
  return isName && port === '' ? withoutPrivateParts(url) : undefined
}

/** True for an IP address. The URL parser has already normalized every spelling of an IPv4 address. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}

function withoutPrivateParts(url: URL): URL {
  const bare = new URL(url)
  bare.hash = ''
  bare.username = ''
  bare.password = ''
  return bare
}

/** True for the same host, with or without `www.` */
export function isSameSite(host: string, other: string): boolean {
  return bareHost(host) === bareHost(other)
}

export function bareHost(host: string): string {
  return host.startsWith('www.') ? host.slice(4) : host
}

/** True for a host that equals one of the domains or lies below it. */
export function isUnder(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/**
 * Formats a URL for storage: without user information and fragment, and truncated at its limit. A path segment or value is masked if it contains `@`
 * or seven digits after decoding, or if its parameter name denotes a secret or a session.
 */
export function storedUrl(url: URL): string {
  const path = url.pathname.split('/').map(maskedSegment).join('/')
  const query = url.search === '' ? '' : `?${url.search.slice(1).split('&').map(maskedParameter).join('&')}`
  return `${url.protocol}//${url.host}${path}${query}`.slice(0, storedBounds.urlLength)
}

/** A path segment can have parameters of its own: `page;jsessionid=1`. */
function maskedSegment(segment: string): string {
  const [name = '', ...parameters] = segment.split(';')
  return [saysWho(name) ? MASK : name, ...parameters.map(maskedParameter)].join(';')
}

function maskedParameter(parameter: string): string {
  const at = parameter.indexOf('=')
  const name = at === -1 ? parameter : parameter.slice(0, at)
  if (saysWho(name)) return MASK
  const value = at === -1 ? '' : parameter.slice(at + 1)
  if (value === '') return parameter
  return secretName.test(decoded(name)) || saysWho(value) ? `${name}=${MASK}` : parameter
}

function saysWho(part: string): boolean {
  const text = decoded(part)
  return /[@＠]/.test(text) || (text.match(/\p{Nd}/gu)?.length ?? 0) >= SEVEN_DIGITS
}

/** Decodes twice, because a value can be encoded twice. A plus becomes a space. */
export function decoded(part: string): string {
  let text = part.replaceAll('+', ' ')
  for (let times = 0; times < 2; times++) text = text.replace(/(?:%[\da-f]{2})+/gi, decodedRun)
  return text
}

function decodedRun(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}
