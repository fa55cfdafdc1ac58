import { isIP } from 'node:net'
import { z } from 'zod'
import { httpReasons } from './http-reasons.ts'

/* The purpose `web_pages`: one GET of one URL, without following redirects. The room decides on the next URL and requests it separately. */

/** Version of the rules for resolving names: A and AAAA by the configured name servers, no hosts file, no search domain, every address public. */
export const DNS_POLICY_VERSION = 1

/** Name in robots.txt groups, and the first word of the User-Agent header. */
export const USER_AGENT_TOKEN = 'ProspectPlatform'

export const MAX_URL_LENGTH = 2_000

/** Limits of one request. The first two are ceilings: the room passes what its budgets leave. */
export const webLimits = {
  totalMs: 15_000,
  decodedBytes: 4_000_000,
  wireBytes: 2_000_000,
  resolveMs: 2_000,
  connectMs: 5_000,
  silenceMs: 5_000,
} as const

/** A normalized URL: `http` on port 80 or `https` on port 443, a host name with two or more labels, no user information and no fragment. */
export const pageUrlSchema = z.string().max(MAX_URL_LENGTH).refine(isPageUrl, { error: 'is not the URL of a page.' })

function isPageUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.href === text && !text.includes('#') && isRequestable(url)
}

/** True if the adapter requests URLs of this form: scheme, port, user information and host. */
export function isRequestable(url: URL): boolean {
  return (
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    url.hostname.includes('.') &&
    !url.hostname.endsWith('.') &&
    !isAddressLiteral(url.hostname)
  )
}

/** True for an IP address as the host of a parsed URL. The parser has normalized every spelling of an IPv4 address. */
export function isAddressLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || isIP(hostname) !== 0
}

/** True for the same host, with or without `www.` */
export function isSameSite(host: string, other: string): boolean {
  const bare = (name: string) => (name.startsWith('www.') ? name.slice(4) : name)
  return bare(host) === bare(other)
}

export const webQuerySchema = z.strictObject({
  businessId: z.uuid(),
  url: pageUrlSchema,
  /** addresses that this host had earlier in the same scan; an unsafe address after them is a rebinding */
  earlierAddresses: z.array(z.string().max(45)).max(64),
  limits: z.strictObject({
    totalMs: z.int().min(1).max(webLimits.totalMs),
    wireBytes: z.int().min(1).max(webLimits.wireBytes),
    decodedBytes: z.int().min(1).max(webLimits.decodedBytes),
  }),
})

export type WebQuery = z.infer<typeof webQuerySchema>

/** Facts of one request of a scan, present with every outcome. `denied`: no address of the host was approved, so nothing was sent. */
export const webTraceSchema = z.strictObject({
  url: z.string().max(MAX_URL_LENGTH),
  status: z.int().min(100).max(999).nullable(),
  /** the address connected to, or the first unsafe one */
  address: z.string().max(45).nullable(),
  verdict: z.enum(['allowed', 'denied']),
  reason: z.enum(httpReasons).nullable(),
  wireBytes: z.int().min(0),
  addressPolicyVersion: z.int(),
  dnsPolicyVersion: z.int(),
})

export type WebTrace = z.infer<typeof webTraceSchema>

/** A page, or a redirect to one. No other part of the response leaves the adapter. */
export const webPageSchema = z.strictObject({
  status: z.int().min(200).max(999),
  contentType: z.string().max(1_000).nullable(),
  /** decoded; empty for a redirect */
  body: z.instanceof(Uint8Array),
  redirect: z
    .strictObject({
      /** without user information and fragment */
      target: z.string().max(MAX_URL_LENGTH),
      scope: z.enum(['same_site', 'off_site', 'downgrade']),
    })
    .nullable(),
  /** why the body ends early; null for a complete body */
  endedBy: z.enum(httpReasons).nullable(),
})

export type WebPage = z.infer<typeof webPageSchema>
