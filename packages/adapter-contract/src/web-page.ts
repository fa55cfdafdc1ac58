import { isIP } from 'node:net'
import { z } from 'zod'
import type { PurposeDeclaration } from './declaration.ts'
import { httpReasons } from './http-reasons.ts'

/* The purpose `web_pages`: one GET of one URL, without following redirects. The scanning room decides on the next URL and requests it separately. */

/**
 * Version of the rules for resolving host names: A and AAAA records from the configured name servers, no hosts file, no search domain, and every
 * address must be public.
 */
export const DNS_POLICY_VERSION = 1

/** Name in robots.txt groups, and the first word of the User-Agent header. */
export const USER_AGENT_TOKEN = 'ProspectPlatform'

export const MAX_URL_LENGTH = 2_000

/** Limits of one request. The first three are maximums: for each request the scanning room passes what remains of its own budgets. */
export const webLimits = {
  totalMs: 15_000,
  decodedBytes: 4_000_000,
  wireBytes: 2_000_000,
  resolveMs: 2_000,
  connectMs: 5_000,
  silenceMs: 5_000,
} as const

/** Schema of a normalized URL: `http` on port 80 or `https` on port 443, a host name with two or more labels, no user information and no fragment. */
export const pageUrlSchema = z.string().max(MAX_URL_LENGTH).refine(isPageUrl, { error: 'is not the URL of a page.' })

function isPageUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.href === text && !text.includes('#') && isRequestable(url)
}

/** Returns true if the adapter requests URLs of this form; scheme, port, user information and host are checked. */
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

/** Returns true if the host of a parsed URL is an IP address. The URL parser has normalized every spelling of an IPv4 address. */
export function isAddressLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || isIP(hostname) !== 0
}

/** Returns true if both are the same host, with or without `www.`. */
export function isSameSite(host: string, other: string): boolean {
  const bare = (name: string) => (name.startsWith('www.') ? name.slice(4) : name)
  return bare(host) === bare(other)
}

export const webQuerySchema = z.strictObject({
  businessId: z.uuid(),
  url: pageUrlSchema,
  /** addresses that this host had earlier in the same scan; if an unsafe address follows them, it is reported as a rebinding */
  earlierAddresses: z.array(z.string().max(45)).max(64),
  limits: z.strictObject({
    totalMs: z.int().min(1).max(webLimits.totalMs),
    wireBytes: z.int().min(1).max(webLimits.wireBytes),
    decodedBytes: z.int().min(1).max(webLimits.decodedBytes),
  }),
})

export type WebQuery = z.infer<typeof webQuerySchema>

const { totalMs, wireBytes, decodedBytes } = webLimits

export const webPageDeclaration: PurposeDeclaration = {
  purposes: ['web_pages'],
  answerFields: { always: ['status', 'content_type', 'body'], onRequest: [] },
  query: [
    { name: 'businessId', label: 'Prospect', kind: 'business' },
    { name: 'url', label: 'Address of the page', kind: 'text' },
    { name: 'earlierAddresses', label: 'Earlier addresses', kind: 'fixed', value: [] },
    { name: 'limits', label: 'Limits', kind: 'fixed', value: { totalMs, wireBytes, decodedBytes } },
  ],
}

/** Schema of the facts about one request of a scan, present with every outcome. `denied`: no address of the host was allowed, so nothing was sent. */
export const webTraceSchema = z.strictObject({
  url: z.string().max(MAX_URL_LENGTH),
  status: z.int().min(100).max(999).nullable(),
  /** address of the connection, or the first unsafe address */
  address: z.string().max(45).nullable(),
  verdict: z.enum(['allowed', 'denied']),
  reason: z.enum(httpReasons).nullable(),
  wireBytes: z.int().min(0),
  addressPolicyVersion: z.int(),
  dnsPolicyVersion: z.int(),
})

export type WebTrace = z.infer<typeof webTraceSchema>

/** Schema of a page, or of a redirect to a page. No other part of the response leaves the adapter. */
export const webPageSchema = z.strictObject({
  status: z.int().min(200).max(999),
  contentType: z.string().max(1_000).nullable(),
  /** decoded body; empty for a redirect */
  body: z.instanceof(Uint8Array),
  redirect: z
    .strictObject({
      /** URL of the target, without user information and fragment */
      target: z.string().max(MAX_URL_LENGTH),
      scope: z.enum(['same_site', 'off_site', 'downgrade']),
    })
    .nullable(),
  /** reason for which the body ends early; null for a complete body */
  endedBy: z.enum(httpReasons).nullable(),
})

export type WebPage = z.infer<typeof webPageSchema>
